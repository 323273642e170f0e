import { type DiePose, toPicture } from './die-pose.ts';
import type { Mat } from './opencv.ts';
import { type Picture, resampled } from './picture.ts';

/** Resolution of a rectified face, px an edge: that of a 16 mm die at 1280 x 720 is about 85, at 640 x 480 about 55. */
export const patchEdgePx = 64;
/** Side of the rectified square, px: the face and 0.31 of an edge around it, where side faces and the floor beside the die show. */
export const patchSidePx = 104;

/** A top face with its surroundings, turned upright and scaled so that an edge is `patchEdgePx` px. */
export interface FaceView {
  readonly pose: DiePose;
  readonly picture: Picture;
  /** 1 where glare hides the scene, in the reference or in this picture. */
  readonly hidden: Uint8Array;
  /** Median colour of the face: blue, green, red. At most a fifth of any face is pips, so this is the body. */
  readonly body: readonly [number, number, number];
}

/** A view with the same place in the empty reference. */
export interface FacePatch extends FaceView {
  readonly reference: Picture;
}

/** Column of the patch for a place on the face, in edges from its centre. */
export function patchPx(u: number): number {
  return patchSidePx / 2 - 0.5 + u * patchEdgePx;
}

/** Cuts the rectified view of a pose. @param glareFrom value of the brightest channel from which a reference pixel counts as glare. */
export function cutView(mat: Mat, referenceMat: Mat, pose: DiePose, glareFrom: number, saturatedFrom: number): FaceView {
  const inverse = patchTransform(pose);
  const picture = resampled(mat, inverse, patchSidePx);
  const hidden = new Uint8Array(patchSidePx * patchSidePx);
  hideWhite(picture, saturatedFrom, hidden);
  // Most places are free of glare in the reference, which a look at its map tells.
  if (mayShowGlare(glareBlocks(referenceMat, glareFrom), referenceMat, pose))
    hideGlare(resampled(referenceMat, inverse, patchSidePx), glareFrom, hidden);
  return { pose, picture, hidden, body: medianBody(picture, hidden) };
}

/** Adds the empty reference to a view. */
export function withReference(view: FaceView, referenceMat: Mat): FacePatch {
  return { ...view, reference: resampled(referenceMat, patchTransform(view.pose), patchSidePx) };
}

/** Where a patch's px lie in the picture; see `resampled`. */
function patchTransform(pose: DiePose): number[] {
  const step = 1 / patchEdgePx;
  const first = -(patchSidePx / 2 - 0.5) * step;
  const [x0, y0] = toPicture(pose, first, first);
  const [cos, sin] = [Math.cos(pose.angle) * pose.edgePx * step, Math.sin(pose.angle) * pose.edgePx * step];
  return [cos, -sin, x0, sin, cos, y0];
}

/** Hides px that are white in the picture: even their darkest channel reaches `from`. */
function hideWhite({ data }: Picture, from: number, hidden: Uint8Array): void {
  for (let i = 0, j = 0; i < hidden.length; i += 1, j += 3) {
    if ((data[j] as number) < from || (data[j + 1] as number) < from || (data[j + 2] as number) < from) continue;
    hideAround(i, hidden);
  }
}

/** Hides px that are glare in the reference: their brightest channel reaches `from`. */
function hideGlare({ data }: Picture, from: number, hidden: Uint8Array): void {
  for (let i = 0, j = 0; i < hidden.length; i += 1, j += 3) {
    if ((data[j] as number) < from && (data[j + 1] as number) < from && (data[j + 2] as number) < from) continue;
    hideAround(i, hidden);
  }
}

/** Hides a px and two px around it: the blurred border of glare falsifies colours too. */
function hideAround(i: number, hidden: Uint8Array): void {
  const n = patchSidePx;
  const x = i % n;
  const y = (i - x) / n;
  for (let dy = -2; dy <= 2; dy += 1) {
    for (let dx = -2; dx <= 2; dx += 1) {
      if (x + dx >= 0 && x + dx < n && y + dy >= 0 && y + dy < n) hidden[i + dy * n + dx] = 1;
    }
  }
}

/** Distance from hidden px, px of the patch, within which the halo of glare still changes colours: with the two px that are hidden around glare, two
 *  and a half times the lens blur of 1 px at 640 x 480. */
const haloPx = 1;

const farMasks = new WeakMap<FaceView, Uint8Array>();

/** 1 where glare hides a view or its halo changes colours. Made once a view, and only where somebody asks. */
export function farHidden(view: FaceView): Uint8Array {
  const known = farMasks.get(view);
  if (known !== undefined) return known;
  const wide = widened(view.hidden, haloPx);
  farMasks.set(view, wide);
  return wide;
}

/** Reach of what a bright spot's faint halo adds, px of the patch: a tenth of an edge. It is enough to be taken for texture. */
const faintHaloPx = 6;

/** 1 where glare hides a view or lies within its faint halo. */
export function haloMask(view: FaceView): Uint8Array {
  return view.hidden.includes(1) ? widened(view.hidden, faintHaloPx) : view.hidden;
}

function widened(hidden: Uint8Array, reachPx: number): Uint8Array {
  const n = patchSidePx;
  const wide = new Uint8Array(n * n);
  for (let y = 0; y < n; y += 1) {
    for (let x = 0; x < n; x += 1) {
      if (hidden[y * n + x] !== 1) continue;
      const [left, right] = [Math.max(0, x - reachPx), Math.min(n - 1, x + reachPx)];
      for (let row = Math.max(0, y - reachPx); row <= Math.min(n - 1, y + reachPx); row += 1)
        wide.fill(1, row * n + left, row * n + right + 1);
    }
  }
  return wide;
}

/** Side of the blocks of the glare map, px of the picture. */
const blockPx = 16;

/** Which blocks of a reference hold glare. */
interface GlareBlocks {
  readonly glareFrom: number;
  readonly columns: number;
  readonly rows: number;
  readonly marks: Uint8Array;
}

const knownBlocks = new WeakMap<Mat, GlareBlocks>();

function glareBlocks(referenceMat: Mat, glareFrom: number): GlareBlocks {
  const known = knownBlocks.get(referenceMat);
  if (known !== undefined && known.glareFrom === glareFrom) return known;
  const columns = Math.ceil(referenceMat.cols / blockPx);
  const rows = Math.ceil(referenceMat.rows / blockPx);
  const marks = new Uint8Array(columns * rows);
  const data = referenceMat.getData();
  for (let y = 0, j = 0; y < referenceMat.rows; y += 1) {
    const row = Math.floor(y / blockPx) * columns;
    for (let x = 0; x < referenceMat.cols; x += 1, j += 3) {
      const isGlare =
        (data[j] as number) >= glareFrom || (data[j + 1] as number) >= glareFrom || (data[j + 2] as number) >= glareFrom;
      if (isGlare) marks[row + Math.floor(x / blockPx)] = 1;
    }
  }
  const made = { glareFrom, columns, rows, marks };
  knownBlocks.set(referenceMat, made);
  return made;
}

/** False when no px that a patch is interpolated from can be glare; outside the picture its border repeats. */
function mayShowGlare(blocks: GlareBlocks, referenceMat: Mat, pose: DiePose): boolean {
  const reach = (Math.SQRT1_2 * pose.edgePx * patchSidePx) / patchEdgePx + 2;
  const block = (value: number, size: number): number => Math.floor(Math.max(0, Math.min(size - 1, value)) / blockPx);
  const [left, right] = [block(pose.x - reach, referenceMat.cols), block(pose.x + reach, referenceMat.cols)];
  const [top, bottom] = [block(pose.y - reach, referenceMat.rows), block(pose.y + reach, referenceMat.rows)];
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) if (blocks.marks[row * blocks.columns + column] === 1) return true;
  }
  return false;
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
