import type { BodyPlace, MotionSample, PictureDefect } from '../core/judging/motion-sample.ts';
import { restShareMax } from '../core/judging/rest-watch.ts';
import { angleDegOf } from './die-pose.ts';
import { findFaces } from './find-dice.ts';
import type { Mat } from './opencv.ts';
import { copyPart, decodeJpeg, type Picture } from './picture.ts';
import type { Rig } from './rig.ts';

/** What a look at one picture tells, before the camera's times are put to it. */
export type Look = Pick<MotionSample, 'changedShare' | 'defect' | 'bodies'>;

/** A px changed when its brightness differs by more than this many grey levels and this share of itself: above the sensor noise that is left
 *  after reducing the picture (2 levels at a noise of 6), below what a pip or an edge does. */
const changedFrom = 10;
const changedShareOfSelf = 0.08;

/** Nothing can be read below this brightness of the tray's bright part, or with more than this share of it at white. Grey levels; share. */
const blackBelow = 14;
const whiteFrom = 250;
const whiteShareMax = 0.5;

/** The ring around the tray is the same as in the calibration's empty picture: below this correlation the camera looks elsewhere. */
const ringCorrelationMin = 0.5;

/** Steps of brightness along the ring that a sharp picture keeps, as a share of the calibration's; half is left at a blur of about 4 px. */
const ringSharpnessMin = 0.35;

/** Compares each picture with the one before it: motion for tumbles and rest, and whether the picture is usable at all. One per camera. */
export class FrameMotionMeter {
  readonly #rig: Rig;
  readonly #reference: Float32Array;
  readonly #ring: Int32Array;
  readonly #referenceSteps: number;
  #before: Float32Array | null = null;
  #bytesBefore: Uint8Array | null = null;

  constructor(rig: Rig) {
    this.#rig = rig;
    const { reference, insideTray, glare } = rig.view.tray;
    this.#reference = greyOf(reference);
    // All of the view outside the tray's circle: rim and table. Dice that lie on the rim cover little of it.
    this.#ring = Int32Array.from(insideTray.keys()).filter((i) => insideTray[i] === 0 && glare[i] === 0);
    this.#referenceSteps = stepsAlong(this.#reference, this.#ring);
  }

  /** Looks at the next picture. Never throws for what it contains. */
  look(jpeg: Buffer): Look {
    const decoded = decodeJpeg(jpeg);
    if (decoded.kind === 'unusable') return unusable('undecodable');
    try {
      const [width, height] = this.#rig.resolution;
      if (decoded.mat.cols !== width || decoded.mat.rows !== height) return unusable('wrong-size');
      return this.#lookAt(decoded.mat);
    } finally {
      decoded.mat.release();
    }
  }

  #lookAt(mat: Mat): Look {
    const { view } = this.#rig;
    const picture = copyPart(mat, view.rect, view.tray.reference.width, view.tray.reference.height);
    const grey = greyOf(picture);
    const isRepeated = this.#bytesBefore !== null && Buffer.compare(picture.data, this.#bytesBefore) === 0;
    const changedShare = this.#before === null ? 1 : this.#changedShare(this.#before, grey);
    this.#before = grey;
    this.#bytesBefore = picture.data;
    const defect = isRepeated ? 'frozen' : this.#defectOf(grey);
    // Where the dice lie is only of use, and only exact, when they lie still.
    const isCalm = defect === null && changedShare <= restShareMax;
    return { changedShare, defect, bodies: isCalm ? this.#bodies(mat) : [] };
  }

  #bodies(mat: Mat): readonly BodyPlace[] {
    return findFaces(this.#rig, mat).faces.map(({ pose }) => ({
      centrePx: [pose.x, pose.y] as const,
      angleDeg: angleDegOf(pose),
    }));
  }

  /** A lamp that flickers changes the whole tray by one factor, which is taken out first. */
  #changedShare(before: Float32Array, now: Float32Array): number {
    const { insideTray, glare } = this.#rig.view.tray;
    let sumBefore = 0;
    let sumNow = 0;
    for (let i = 0; i < now.length; i += 1) {
      if (insideTray[i] === 0 || glare[i] === 1) continue;
      sumBefore += before[i] ?? 0;
      sumNow += now[i] ?? 0;
    }
    const gain = sumBefore > 0 ? sumNow / sumBefore : 1;
    let changed = 0;
    let count = 0;
    for (let i = 0; i < now.length; i += 1) {
      if (insideTray[i] === 0 || glare[i] === 1) continue;
      count += 1;
      const expected = (before[i] ?? 0) * gain;
      if (Math.abs((now[i] ?? 0) - expected) > changedFrom + changedShareOfSelf * expected) changed += 1;
    }
    return count === 0 ? 1 : changed / count;
  }

  #defectOf(grey: Float32Array): PictureDefect | null {
    const { insideTray, glare } = this.#rig.view.tray;
    const values: number[] = [];
    for (let i = 0; i < grey.length; i += 1) if (insideTray[i] === 1 && glare[i] === 0) values.push(grey[i] ?? 0);
    values.sort((a, b) => a - b);
    if ((values[Math.floor(values.length * 0.98)] ?? 0) < blackBelow) return 'black';
    if ((values[Math.floor(values.length * (1 - whiteShareMax))] ?? 0) >= whiteFrom) return 'blown-out';
    const correlation = correlationOver(this.#ring, this.#reference, grey);
    if (correlation < ringCorrelationMin) return 'scene-changed';
    const gain = meanOver(this.#ring, grey) / Math.max(1, meanOver(this.#ring, this.#reference));
    const sharpness = stepsAlong(grey, this.#ring) / Math.max(1e-3, this.#referenceSteps * gain);
    return sharpness < ringSharpnessMin ? 'blurred' : null;
  }
}

function unusable(defect: PictureDefect): Look {
  return { changedShare: 1, defect, bodies: [] };
}

function greyOf({ width, height, data }: Picture): Float32Array {
  const grey = new Float32Array(width * height);
  for (let i = 0; i < grey.length; i += 1) grey[i] = ((data[3 * i] ?? 0) + (data[3 * i + 1] ?? 0) + (data[3 * i + 2] ?? 0)) / 3;
  return grey;
}

/** Mean step of brightness from one px of the list to the px beside it, grey levels. */
function stepsAlong(grey: Float32Array, pixels: Int32Array): number {
  let sum = 0;
  for (const i of pixels) sum += Math.abs((grey[i + 1] ?? grey[i] ?? 0) - (grey[i] ?? 0));
  return pixels.length === 0 ? 0 : sum / pixels.length;
}

function meanOver(pixels: Int32Array, values: Float32Array): number {
  let sum = 0;
  for (const i of pixels) sum += values[i] ?? 0;
  return pixels.length === 0 ? 0 : sum / pixels.length;
}

function correlationOver(pixels: Int32Array, a: Float32Array, b: Float32Array): number {
  const [meanA, meanB] = [meanOver(pixels, a), meanOver(pixels, b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const i of pixels) {
    const [da, db] = [(a[i] ?? 0) - meanA, (b[i] ?? 0) - meanB];
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb);
}
