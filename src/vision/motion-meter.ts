import type { FrameMotion } from '../ports/dice-reader.ts';
import { bodyPlaces } from './body-places.ts';
import type { Mat } from './opencv.ts';
import { copyPart, decodeJpeg, type Picture, type PixelRect } from './picture.ts';
import { changedPixels } from './reduced-maps.ts';
import type { RigView } from './rig.ts';

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

/** Area of a calibrated rig. */
export function motionAreaOf(resolution: readonly [number, number], view: RigView): MotionArea {
  const { width, height } = view.tray.reference;
  return { resolution, rect: view.rect, width, height, inside: view.tray.insideTray, view };
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
  return { resolution, rect, width, height, inside, view: null };
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
    const base = { frameNumber, capturedMonoMs, changedShare: 1, bodies: [] };
    const decoded = decodeJpeg(jpeg);
    if (decoded.kind === 'unusable') return { ...base, defect: 'undecodable' };
    try {
      return { ...base, ...this.#measureMat(decoded.mat) };
    } finally {
      decoded.mat.release();
    }
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
    if (previous === null) return { changedShare: 1, defect: sharpnessDefect(picture, area), bodies: this.#calmBodies(picture) };
    const { changedShare, isSame } = difference(previous, picture, area.inside);
    // Sensor noise never repeats: the same pixels mean that the camera delivers an old picture.
    if (isSame) return { changedShare: 0, defect: 'frozen', bodies: [] };
    return {
      changedShare,
      defect: sharpnessDefect(picture, area),
      bodies: changedShare <= calmShareMax ? this.#calmBodies(picture) : [],
    };
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
  const histogram = new Uint32Array(256);
  const differences: number[] = [];
  let isSame = true;
  for (let y = 0; y + 1 < height; y += 2) {
    for (let x = 0; x + 1 < width; x += 2) {
      const i = y * width + x;
      let largest = 0;
      for (let c = 0; c < 3; c += 1) {
        let sum = 0;
        for (const at of [i, i + 1, i + width, i + width + 1]) {
          const step = (picture.data[3 * at + c] ?? 0) - (previous.data[3 * at + c] ?? 0);
          if (step !== 0) isSame = false;
          sum += step;
        }
        largest = Math.max(largest, Math.abs(sum) / 4);
      }
      if (inside[i] === 0) continue;
      differences.push(largest);
      histogram[Math.min(255, Math.round(largest))] = (histogram[Math.min(255, Math.round(largest))] ?? 0) + 1;
    }
  }
  // Most of the tray never moves, so the median difference is the noise of this camera in this light, flicker included.
  let [median, seen] = [0, 0];
  while (median < 255 && 2 * (seen + (histogram[median] ?? 0)) < differences.length) {
    seen += histogram[median] ?? 0;
    median += 1;
  }
  const movedFrom = Math.max(movedLevelsMin, movedNoiseFactor * median);
  const moved = differences.reduce((count, value) => (value >= movedFrom ? count + 1 : count), 0);
  return { changedShare: differences.length === 0 ? 0 : moved / differences.length, isSame };
}

function exposureDefect(picture: Picture, inside: Uint8Array): 'black' | 'blown-out' | null {
  let [sum, white, count] = [0, 0, 0];
  for (let i = 0; i < inside.length; i += 1) {
    if (inside[i] === 0) continue;
    count += 1;
    const brightest = Math.max(picture.data[3 * i] ?? 0, picture.data[3 * i + 1] ?? 0, picture.data[3 * i + 2] ?? 0);
    sum += brightest;
    if (brightest >= 252) white += 1;
  }
  if (count === 0 || sum / count < blackUpTo) return 'black';
  return white / count > whiteShareMax ? 'blown-out' : null;
}

/** Compares the strongest steps around the tray with those of the empty reference: nothing moves there, so only blur weakens them. */
function sharpnessDefect(picture: Picture, area: MotionArea): 'blurred' | null {
  if (area.view === null) return null;
  const now = outsideSharpness(picture, area.inside);
  const calibrated = outsideSharpness(area.view.tray.reference, area.inside);
  return calibrated > 2 && now < sharpnessMin * calibrated ? 'blurred' : null;
}

/** Mean of the strongest tenth of second differences outside the tray, over the mean brightness there. */
function outsideSharpness(picture: Picture, inside: Uint8Array): number {
  const { width, height, data } = picture;
  const values: number[] = [];
  let sum = 0;
  for (let y = 1; y < height - 1; y += 2) {
    for (let x = 1; x < width - 1; x += 2) {
      const i = y * width + x;
      if (inside[i] === 1) continue;
      const g = 3 * i + 1;
      const bend =
        4 * (data[g] ?? 0) - (data[g - 3] ?? 0) - (data[g + 3] ?? 0) - (data[g - 3 * width] ?? 0) - (data[g + 3 * width] ?? 0);
      values.push(Math.abs(bend));
      sum += data[g] ?? 0;
    }
  }
  if (values.length < 100 || sum === 0) return 0;
  values.sort((a, b) => b - a);
  const strongest = values.slice(0, Math.ceil(values.length / 10));
  return (100 * strongest.reduce((total, value) => total + value, 0)) / strongest.length / (sum / values.length + 4);
}
