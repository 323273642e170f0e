import { InputError } from '../src/errors.ts';
import { type Mat, releaseAll } from '../src/vision/opencv.ts';
import { decodeJpeg, type Picture } from '../src/vision/picture.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';
import { edgeWidthPx } from './edge-width.ts';
import { findTray } from './find-tray.ts';
import { type GlareMap, glareMapOf } from './glare-map.ts';

/** One picture of the empty tray, as the camera delivered it. */
export interface CameraPicture {
  readonly jpeg: Buffer;
  /** When it was captured, ms on any steady clock; null when nobody knows. */
  readonly capturedMs: number | null;
}

/** What pictures of the empty tray tell about camera and lamps. What too few pictures cannot tell is null. */
export interface CameraMeasures {
  readonly pictureCount: number;
  readonly resolution: readonly [number, number];
  /** Pictures whose px are those of the picture before. */
  readonly frozenCount: number;
  readonly picturesPerSecond: number | null;
  readonly tray: TrayCircle | null;
  /** Width of the sharpest edges from 10 % to 90 %, px; see `edgeWidthPx`. */
  readonly edgeWidthPx: number | null;
  /** Median over the floor of the brightest channel, 0 to 255. */
  readonly floorLevel: number;
  /** Parts of the floor that are white (some channel 253 and more) or black (no channel above 4), 0 to 1. */
  readonly whiteShare: number;
  readonly blackShare: number;
  /** Null when no tray was found. */
  readonly glare: GlareMap | null;
  /** Noise of one px and channel from picture to picture, grey levels (standard deviation). */
  readonly noiseLevels: number | null;
  /** Largest less smallest brightness of the floor in the pictures, as a part of their mean. */
  readonly flickerShare: number | null;
  /** Deepest dark band that lies across single pictures and not across others, as a part of the brightness: mains light against a short exposure. */
  readonly bandShare: number | null;
}

/** Fewest pictures that tell flicker and noise. */
const severalPictures = 4;
/** Pictures whose mean is looked at for sharpness; more would only take time. */
const meanPicturesMax = 8;

/** Measures camera and lamps by pictures of the empty tray. @param pictures in the order in which they were captured; at least one.
 *  @throws InputError `calibration.pictures` when a picture cannot be decoded or has another size than the first. */
export function measureCamera(pictures: readonly CameraPicture[]): CameraMeasures {
  const mats: Mat[] = [];
  try {
    for (const [index, { jpeg }] of pictures.entries()) mats.push(decoded(jpeg, index, mats[0] ?? null));
    const [first] = mats;
    if (first === undefined) throw new InputError('calibration.pictures', 'no picture of the empty tray');
    const tray = findTray(first);
    const frames = mats.map((mat) => ({ width: mat.cols, height: mat.rows, data: mat.getData() }));
    const mean = meanPicture(frames.slice(0, meanPicturesMax));
    const floor = floorPixels(mean, tray);
    const levels = floor.map((pixel) => brightest(mean, pixel)).sort((a, b) => a - b);
    const share = (is: (level: number) => boolean): number => levels.filter(is).length / Math.max(1, levels.length);
    const hasSeveral = frames.length >= severalPictures;
    return {
      pictureCount: frames.length,
      resolution: [first.cols, first.rows],
      frozenCount: frames.filter((frame, k) => k > 0 && Buffer.compare(frame.data, (frames[k - 1] as Picture).data) === 0).length,
      picturesPerSecond: rateOf(pictures),
      tray,
      edgeWidthPx: edgeWidthPx(mean),
      floorLevel: levels[levels.length >> 1] ?? 0,
      whiteShare: share((level) => level >= 253),
      blackShare: share((level) => level <= 4),
      glare: tray === null ? null : glareMapOf(first, tray),
      noiseLevels: hasSeveral ? noiseOf(frames, floor) : null,
      flickerShare: hasSeveral ? flickerOf(frames, floor) : null,
      bandShare: hasSeveral ? bandsOf(frames, floor) : null,
    };
  } finally {
    releaseAll(mats);
  }
}

function decoded(jpeg: Buffer, index: number, first: Mat | null): Mat {
  const result = decodeJpeg(jpeg);
  if (result.kind === 'unusable')
    throw new InputError('calibration.pictures', `picture ${index + 1} of the empty tray: ${result.detail}`);
  const { mat } = result;
  if (first === null || (mat.cols === first.cols && mat.rows === first.rows)) return mat;
  const detail = `picture ${index + 1} is ${mat.cols} x ${mat.rows} px, the first ${first.cols} x ${first.rows}: the camera changes its size`;
  mat.release();
  throw new InputError('calibration.pictures', detail);
}

function meanPicture(frames: readonly Picture[]): Picture {
  const [first] = frames;
  if (first === undefined || frames.length === 1) return first ?? { width: 0, height: 0, data: new Uint8Array() };
  const data = new Uint8Array(first.data.length);
  for (let i = 0; i < data.length; i += 1) {
    let sum = 0;
    for (const frame of frames) sum += frame.data[i] as number;
    data[i] = Math.round(sum / frames.length);
  }
  return { ...first, data };
}

/** Every px of the floor; without a tray, of the middle of the picture. */
function floorPixels({ width, height }: Picture, tray: TrayCircle | null): number[] {
  const [cx, cy] = tray?.centrePx ?? [width / 2, height / 2];
  const radius = 0.95 * (tray?.radiusPx ?? 0.35 * Math.min(width, height));
  const pixels: number[] = [];
  for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(height, cy + radius); y += 1) {
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(width, cx + radius); x += 1) {
      if (Math.hypot(x + 0.5 - cx, y + 0.5 - cy) <= radius) pixels.push(y * width + x);
    }
  }
  return pixels;
}

function brightest({ data }: Picture, pixel: number): number {
  return Math.max(data[3 * pixel] as number, data[3 * pixel + 1] as number, data[3 * pixel + 2] as number);
}

function rateOf(pictures: readonly CameraPicture[]): number | null {
  const times = pictures.flatMap(({ capturedMs }) => (capturedMs === null ? [] : [capturedMs]));
  const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return times.length < severalPictures || spanMs <= 0 ? null : ((times.length - 1) * 1_000) / spanMs;
}

/** Differences of neighbouring pictures, in which nothing moves, are noise; flicker of the whole floor is taken out first. */
function noiseOf(frames: readonly Picture[], floor: readonly number[]): number {
  let [square, count] = [0, 0];
  for (let k = 1; k < frames.length; k += 1) {
    const [before, after] = [frames[k - 1] as Picture, frames[k] as Picture];
    const offset = meanGreen(after, floor) - meanGreen(before, floor);
    for (let n = 0; n < floor.length; n += 7) {
      const i = 3 * (floor[n] as number) + 1;
      square += ((after.data[i] as number) - (before.data[i] as number) - offset) ** 2;
      count += 1;
    }
  }
  return count === 0 ? 0 : Math.sqrt(square / count / 2);
}

function meanGreen({ data }: Picture, floor: readonly number[]): number {
  let sum = 0;
  for (const pixel of floor) sum += data[3 * pixel + 1] as number;
  return floor.length === 0 ? 0 : sum / floor.length;
}

function flickerOf(frames: readonly Picture[], floor: readonly number[]): number {
  const levels = frames.map((frame) => meanLevel(frame, floor));
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
  return mean === 0 ? 0 : (Math.max(...levels) - Math.min(...levels)) / mean;
}

/** Mean brightness over the floor. All three channels: on a red floor a single one is nothing but noise. */
function meanLevel(frame: Picture, floor: readonly number[]): number {
  let sum = 0;
  for (const pixel of floor) sum += brightnessOf(frame, pixel);
  return floor.length === 0 ? 0 : sum / floor.length;
}

function brightnessOf({ data }: Picture, pixel: number): number {
  return ((data[3 * pixel] as number) + (data[3 * pixel + 1] as number) + (data[3 * pixel + 2] as number)) / 3;
}

/** Rows taken together as one band, px: bands of mains light are wider on every sensor, and the noise of so many px cancels. */
const bandRows = 16;

/** Each band of rows against the mean of the same rows in all pictures, the flicker of the whole picture taken out. */
function bandsOf(frames: readonly Picture[], floor: readonly number[]): number {
  const [first] = frames;
  if (first === undefined) return 0;
  const bandCount = Math.ceil(first.height / bandRows);
  const sums = frames.map((frame) => {
    const bands = new Float64Array(bandCount);
    for (const pixel of floor) {
      const band = Math.floor(pixel / frame.width / bandRows);
      bands[band] = (bands[band] as number) + brightnessOf(frame, pixel);
    }
    return bands;
  });
  const totals = sums.map((bands) => bands.reduce((sum, value) => sum + value, 0));
  const all = totals.reduce((sum, value) => sum + value, 0);
  let deepest = 0;
  for (let band = 0; band < bandCount; band += 1) {
    const mean = sums.reduce((sum, bands) => sum + (bands[band] as number), 0) / all;
    if (mean * bandCount < 0.2) continue;
    sums.forEach((bands, k) => {
      const here = (bands[band] as number) / (totals[k] as number);
      deepest = Math.max(deepest, Math.abs(here / mean - 1));
    });
  }
  return deepest;
}
