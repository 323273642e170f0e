import { type DiePose, toPicture } from './die-pose.ts';
import type { Mat } from './opencv.ts';
import { type Picture, resampled } from './picture.ts';

/** Resolution of a rectified face, px an edge: that of a 16 mm die at 1280 x 720 is about 85, at 640 x 480 about 55. */
export const patchEdgePx = 64;
/** Side of the rectified square, px: the face and 0.31 of an edge around it, where side faces and the floor beside the die show. */
export const patchSidePx = 104;

/** A top face with its surroundings, turned upright and scaled so that an edge is `patchEdgePx` px. */
export interface FacePatch {
  readonly pose: DiePose;
  readonly picture: Picture;
  /** The same place in the empty reference. */
  readonly reference: Picture;
  /** 1 where glare hides the scene, in the reference or in this picture. */
  readonly hidden: Uint8Array;
  /** Median colour of the face: blue, green, red. At most a fifth of any face is pips, so this is the body. */
  readonly body: readonly [number, number, number];
}

/** Column of the patch for a place on the face, in edges from its centre. */
export function patchPx(u: number): number {
  return patchSidePx / 2 - 0.5 + u * patchEdgePx;
}

/** Cuts the rectified patch of a pose. @param glareFrom value of the brightest channel from which a reference pixel counts as glare. */
export function cutPatch(mat: Mat, referenceMat: Mat, pose: DiePose, glareFrom: number, saturatedFrom: number): FacePatch {
  const step = 1 / patchEdgePx;
  const first = -(patchSidePx / 2 - 0.5) * step;
  const [x0, y0] = toPicture(pose, first, first);
  const [cos, sin] = [Math.cos(pose.angle) * pose.edgePx * step, Math.sin(pose.angle) * pose.edgePx * step];
  const inverse = [cos, -sin, x0, sin, cos, y0];
  const picture = resampled(mat, inverse, patchSidePx);
  const reference = resampled(referenceMat, inverse, patchSidePx);
  const hidden = hiddenPixels(picture, reference, glareFrom, saturatedFrom);
  return { pose, picture, reference, hidden, body: medianBody(picture, hidden) };
}

/** Marks glare, two px wider than it is seen: its blurred border falsifies colours too. */
function hiddenPixels(picture: Picture, reference: Picture, glareFrom: number, saturatedFrom: number): Uint8Array {
  const n = patchSidePx;
  const hidden = new Uint8Array(n * n);
  for (let i = 0; i < n * n; i += 1) {
    const j = 3 * i;
    const darkest = Math.min(picture.data[j] as number, picture.data[j + 1] as number, picture.data[j + 2] as number);
    const brightest = Math.max(reference.data[j] as number, reference.data[j + 1] as number, reference.data[j + 2] as number);
    if (darkest < saturatedFrom && brightest < glareFrom) continue;
    const x = i % n;
    const y = (i - x) / n;
    for (let dy = -2; dy <= 2; dy += 1) {
      for (let dx = -2; dx <= 2; dx += 1) {
        if (x + dx >= 0 && x + dx < n && y + dy >= 0 && y + dy < n) hidden[i + dy * n + dx] = 1;
      }
    }
  }
  return hidden;
}

function medianBody(picture: Picture, hidden: Uint8Array): [number, number, number] {
  const histograms = [new Uint16Array(256), new Uint16Array(256), new Uint16Array(256)];
  const from = Math.round(patchPx(-0.4));
  const to = Math.round(patchPx(0.4));
  let count = 0;
  for (let y = from; y <= to; y += 1) {
    for (let x = from; x <= to; x += 1) {
      const i = y * patchSidePx + x;
      if (hidden[i] === 1) continue;
      count += 1;
      for (let c = 0; c < 3; c += 1) {
        const histogram = histograms[c] as Uint16Array;
        const value = picture.data[3 * i + c] ?? 0;
        histogram[value] = (histogram[value] ?? 0) + 1;
      }
    }
  }
  return histograms.map((histogram) => {
    let seen = 0;
    for (let value = 0; value < 256; value += 1) {
      seen += histogram[value] ?? 0;
      if (2 * seen >= count) return value;
    }
    return 0;
  }) as [number, number, number];
}
