import type { FrameMotion } from '../ports/dice-reader.ts';
import { bodyPlaces } from './body-places.ts';
import type { Mat } from './opencv.ts';
import { copyPart, type DecodedJpeg, decodeJpeg, type Picture, type PixelRect } from './picture.ts';
import { changedPixels } from './reduced-maps.ts';
import type { RigView } from './rig.ts';
import { isSceneChanged, type SceneRays, sceneShiftOf } from './scene-shift.ts';

/** Where motion is measured. Made from a calibration by `motionAreaOf`, or by hand from a rough circle. */
export interface MotionArea {
  /** Expected size of the whole picture, px. */
  readonly resolution: readonly [number, number];
  readonly rect: PixelRect;
  /** Size of the reduced picture, px. */
  readonly width: number;
  readonly height: number;
  /** 1 inside the tray, for the reduced picture. */
  readonly inside: Uint8Array;
  /** The calibrated view; without it there are no bodies and no judgement of sharpness. */
  readonly view: RigView | null;
  /** What stands fixed around the tray; without it a moved camera is not noticed. */
  readonly scene: SceneRays | null;
}

/** Difference of brightness to the picture before, grey levels, from which a block counts as changed: at least this, and this many times the
 *  median difference of all blocks. The noisiest shared clip has a median of 5; a die that rolls changes its blocks by 30 to 150. */
const movedLevelsMin = 10;
const movedNoiseFactor = 4;
/** Mean brightness below which a picture is black, and share of white px above which it is blown out. */
const blackUpTo = 6;
const whiteShareMax = 0.5;
/** Sharpness over that of the empty reference below which a picture is blurred: a Gaussian blur of sigma 2 at 1280 x 720 leaves 0.4. */
const sharpnessMin = 0.35;
/** Changed share up to which bodies are looked for; above it nothing rests. */
const calmShareMax = 0.02;
/** Changed share up to which the tray shows the same as in the picture compared with. Noise leaves 0.0000 on the shared rigs; one die that
 *  shifts by half a px of the reduced picture changes more. */
const sameShareMax = 0.002;

/** Area of a calibrated rig. @param scene left out, a moved camera is not noticed; see `Rig`. */
export function motionAreaOf(resolution: readonly [number, number], view: RigView, scene: SceneRays | null = null): MotionArea {
  const { width, height } = view.tray.reference;
  return { resolution, rect: view.rect, width, height, inside: view.tray.insideTray, view, scene };
}

/** Area from a rough circle, for cameras without a calibration. */
export function roughMotionArea(
  resolution: readonly [number, number],
  centrePx: readonly [number, number],
  radiusPx: number,
): MotionArea {
  const left = Math.max(0, Math.floor(centrePx[0] - radiusPx));
  const top = Math.max(0, Math.floor(centrePx[1] - radiusPx));
  const rect = {
    x: left,
    y: top,
    width: Math.min(resolution[0] - left, Math.ceil(2 * radiusPx)),
    height: Math.min(resolution[1] - top, Math.ceil(2 * radiusPx)),
  };
  const scale = Math.min(1, 190 / rect.width);
  const [width, height] = [Math.round(rect.width * scale), Math.round(rect.height * scale)];
  const inside = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (Math.hypot(left + (x + 0.5) / scale - centrePx[0], top + (y + 0.5) / scale - centrePx[1]) < radiusPx)
        inside[y * width + x] = 1;
    }
  }
  return { resolution, rect, width, height, inside, view: null, scene: null };
}

/** Compares each picture with the one given before it. One per camera; order of the calls is the order of the pictures. */
export class MotionMeter {
  readonly #area: MotionArea;
  #previous: Picture | null = null;
  /** The picture since which nothing has changed, with what lies there. The outline of a shadow flickers with the noise, so bodies that were
   *  found anew in each picture would seem to move; compared with one and the same picture even a slow creep adds up and shows. */
  #calm: { readonly picture: Picture; readonly bodies: FrameMotion['bodies'] } | null = null;

  constructor(area: MotionArea) {
    this.#area = area;
  }

  /** Measures one JPEG. A picture that cannot be used is a value with its defect and leaves the comparison where it was. */
  measure(frameNumber: number, capturedMonoMs: number, jpeg: Buffer): FrameMotion {
    const decoded = decodeJpeg(jpeg);
    try {
      return this.measureDecoded(frameNumber, capturedMonoMs, decoded);
    } finally {
      if (decoded.kind === 'picture') decoded.mat.release();
    }
  }

  /** The same for a JPEG that is decoded already; it stays the caller's. */
  measureDecoded(frameNumber: number, capturedMonoMs: number, decoded: DecodedJpeg): FrameMotion {
    const base = { frameNumber, capturedMonoMs, changedShare: 1, bodies: [] };
    if (decoded.kind === 'unusable') return { ...base, defect: 'undecodable' };
    return { ...base, ...this.#measureMat(decoded.mat) };
  }

  #measureMat(mat: Mat): Pick<FrameMotion, 'changedShare' | 'defect' | 'bodies'> {
    const area = this.#area;
    if (mat.cols !== area.resolution[0] || mat.rows !== area.resolution[1])
      return { changedShare: 1, defect: 'wrong-size', bodies: [] };
    const picture = copyPart(mat, area.rect, area.width, area.height);
    const previous = this.#previous;
    this.#previous = picture;
    const exposure = exposureDefect(picture, area.inside);
    if (exposure !== null) return { changedShare: 1, defect: exposure, bodies: [] };
    if (previous === null) return { changedShare: 1, defect: calmDefect(picture, area), bodies: this.#calmBodies(picture) };
    const { changedShare, isSame } = difference(previous, picture, area.inside);
    // Sensor noise never repeats: the same pixels mean that the camera delivers an old picture.
    if (isSame) return { changedShare: 0, defect: 'frozen', bodies: [] };
    if (changedShare > calmShareMax) return { changedShare, defect: sharpnessDefect(picture, area), bodies: [] };
    return { changedShare, defect: calmDefect(picture, area), bodies: this.#calmBodies(picture) };
  }

  /** What lies in the tray, found once and told again for as long as the tray looks the same. */
  #calmBodies(picture: Picture): FrameMotion['bodies'] {
    const calm = this.#calm;
    if (calm !== null && difference(calm.picture, picture, this.#area.inside).changedShare <= sameShareMax) return calm.bodies;
    const bodies = this.#bodies(picture);
    this.#calm = { picture, bodies };
    return bodies;
  }

  #bodies(picture: Picture): FrameMotion['bodies'] {
    const { view } = this.#area;
    if (view === null) return [];
    return bodyPlaces(changedPixels(view.tray, picture), picture.width, picture.height, view);
  }
}

/** Compares two pictures in blocks of 2 x 2 px, whose noise is half that of a px. */
function difference(
  previous: Picture,
  picture: Picture,
  inside: Uint8Array,
): { readonly changedShare: number; readonly isSame: boolean } {
  const { width, height } = picture;
  const [now, then] = [picture.data, previous.data];
  // Blocks by four times their difference, which is whole.
  const histogram = new Uint32Array(4 * 255 + 1);
  let count = 0;
  const row = 3 * width;
  // A lamp that flickers or fails changes the whole tray by a factor, which is no motion.
  const gain = brighteningOf(previous, picture, inside);
  for (let y = 0; y + 1 < height; y += 2) {
    for (let x = 0; x + 1 < width; x += 2) {
      const i = y * width + x;
      if (inside[i] === 0) continue;
      let largest = 0;
      for (let channel = 0; channel < 3; channel += 1) {
        const j = 3 * i + channel;
        const after = (now[j] as number) + (now[j + 3] as number) + (now[j + row] as number) + (now[j + row + 3] as number);
        const before = (then[j] as number) + (then[j + 3] as number) + (then[j + row] as number) + (then[j + row + 3] as number);
        largest = Math.max(largest, Math.abs(after - (gain[channel] as number) * before));
      }
      count += 1;
      const place = Math.min(histogram.length - 1, Math.round(largest));
      histogram[place] = (histogram[place] as number) + 1;
    }
  }
  // Most of the tray never moves, so the median difference is the noise of this camera in this light, flicker included. In whole grey levels.
  let [median, seen] = [0, 0];
  for (; median < 255; median += 1) {
    let here = 0;
    // What rounds to this level: from 4 x level - 2 to 4 x level + 1.
    for (let k = Math.max(0, 4 * median - 2); k < 4 * median + 2; k += 1) here += histogram[k] ?? 0;
    if (2 * (seen + here) >= count) break;
    seen += here;
  }
  const movedFrom = 4 * Math.max(movedLevelsMin, movedNoiseFactor * median);
  let moved = 0;
  for (let k = movedFrom; k < histogram.length; k += 1) moved += histogram[k] as number;
  return { changedShare: count === 0 ? 0 : moved / count, isSame: Buffer.compare(now, then) === 0 };
}

/** How much brighter the tray has become, per channel: the ratio of the sums, which dice that move within the tray hardly change. */
function brighteningOf(previous: Picture, picture: Picture, inside: Uint8Array): readonly [number, number, number] {
  const before = [0, 0, 0];
  const after = [0, 0, 0];
  for (let i = 0, j = 0; i < inside.length; i += 1, j += 3) {
    if (inside[i] === 0) continue;
    for (let channel = 0; channel < 3; channel += 1) {
      before[channel] = (before[channel] as number) + (previous.data[j + channel] as number);
      after[channel] = (after[channel] as number) + (picture.data[j + channel] as number);
    }
  }
  const ratio = (channel: number): number => ((after[channel] as number) + 1) / ((before[channel] as number) + 1);
  return [ratio(0), ratio(1), ratio(2)];
}

function exposureDefect(picture: Picture, inside: Uint8Array): 'black' | 'blown-out' | null {
  const { data } = picture;
  let sum = 0;
  let white = 0;
  let count = 0;
  for (let i = 0, j = 0; i < inside.length; i += 1, j += 3) {
    if (inside[i] === 0) continue;
    count += 1;
    const brightest = Math.max(data[j] as number, data[j + 1] as number, data[j + 2] as number);
    sum += brightest;
    if (brightest >= 252) white += 1;
  }
  if (count === 0 || sum / count < blackUpTo) return 'black';
  return white / count > whiteShareMax ? 'blown-out' : null;
}

/** A tray that still shakes looks displaced; only a calm picture says where the camera stands. */
function calmDefect(picture: Picture, area: MotionArea): FrameMotion['defect'] {
  const blurred = sharpnessDefect(picture, area);
  if (blurred !== null || area.scene === null) return blurred;
  return isSceneChanged(sceneShiftOf(area.scene, picture)) ? 'scene-changed' : null;
}

/** Compares the strongest steps around the tray with those of the empty reference: nothing moves there, so only blur weakens them. */
function sharpnessDefect(picture: Picture, area: MotionArea): 'blurred' | null {
  if (area.view === null) return null;
  const { reference } = area.view.tray;
  const calibrated = calibratedSharpness.get(reference) ?? outsideSharpness(reference, area.inside);
  calibratedSharpness.set(reference, calibrated);
  if (calibrated <= 2) return null;
  return outsideSharpness(picture, area.inside) < sharpnessMin * calibrated ? 'blurred' : null;
}

/** Sharpness of the empty references, which do not change. */
const calibratedSharpness = new WeakMap<Picture, number>();

/** Mean of the strongest tenth of second differences outside the tray, over the mean brightness there. */
function outsideSharpness(picture: Picture, inside: Uint8Array): number {
  const { width, height, data } = picture;
  // Second differences are whole numbers, so counting them sorts them.
  const histogram = new Uint32Array(4 * 255 + 1);
  let count = 0;
  let sum = 0;
  const row = 3 * width;
  for (let y = 1; y < height - 1; y += 2) {
    for (let x = 1; x < width - 1; x += 2) {
      const i = y * width + x;
      if (inside[i] === 1) continue;
      const g = 3 * i + 1;
      const green = data[g] as number;
      const around = (data[g - 3] as number) + (data[g + 3] as number) + (data[g - row] as number) + (data[g + row] as number);
      const bend = Math.abs(4 * green - around);
      histogram[bend] = (histogram[bend] as number) + 1;
      count += 1;
      sum += green;
    }
  }
  if (count < 100 || sum === 0) return 0;
  const strongestCount = Math.ceil(count / 10);
  let left = strongestCount;
  let total = 0;
  for (let bend = histogram.length - 1; left > 0; bend -= 1) {
    const taken = Math.min(left, histogram[bend] as number);
    total += taken * bend;
    left -= taken;
  }
  return (100 * total) / strongestCount / (sum / count + 4);
}
