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
  /** The same place in the empty reference, where it had to be looked at for glare. */
  readonly reference?: Picture;
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
  marks.fill(0);
  markWhite(picture, saturatedFrom);
  // Most places are free of glare in the reference, which a look at its map tells.
  const reference = mayShowGlare(glareBlocks(referenceMat, glareFrom), pose)
    ? resampled(referenceMat, inverse, patchSidePx)
    : undefined;
  if (reference !== undefined) markGlare(reference, glareFrom);
  const hidden = widened(marks, glareBorderPx);
  return { pose, picture, hidden, body: medianBody(picture, hidden), ...(reference === undefined ? {} : { reference }) };
}

/** Adds the empty reference to a view. */
export function withReference(view: FaceView, referenceMat: Mat): FacePatch {
  return { ...view, reference: view.reference ?? resampled(referenceMat, patchTransform(view.pose), patchSidePx) };
}

/** Where a patch's px lie in the picture; see `resampled`. */
function patchTransform(pose: DiePose): number[] {
  const step = 1 / patchEdgePx;
  const first = -(patchSidePx / 2 - 0.5) * step;
  const [x0, y0] = toPicture(pose, first, first);
  const [cos, sin] = [Math.cos(pose.angle) * pose.edgePx * step, Math.sin(pose.angle) * pose.edgePx * step];
  return [cos, -sin, x0, sin, cos, y0];
}

/** 1 for the px of the view at hand that glare hides. */
const marks = new Uint8Array(patchSidePx * patchSidePx);

/** Marks px that are white in the picture: even their darkest channel reaches `from`. */
function markWhite({ data }: Picture, from: number): void {
  for (let i = 0, j = 0; i < marks.length; i += 1, j += 3) {
    if ((data[j] as number) < from || (data[j + 1] as number) < from || (data[j + 2] as number) < from) continue;
    marks[i] = 1;
  }
}

/** Marks px that are glare in the reference: their brightest channel reaches `from`. */
function markGlare({ data }: Picture, from: number): void {
  for (let i = 0, j = 0; i < marks.length; i += 1, j += 3) {
    if ((data[j] as number) < from && (data[j + 1] as number) < from && (data[j + 2] as number) < from) continue;
    marks[i] = 1;
  }
}

/** Px around glare that are hidden with it: its blurred border falsifies colours too. */
const glareBorderPx = 2;

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

/** A mask of a patch with as many px around every marked one. Goes by the runs of marked px in a row, of which even large glare has few. */
function widened(mask: Uint8Array, reachPx: number): Uint8Array {
  const n = patchSidePx;
  const wide = new Uint8Array(n * n);
  for (let at = mask.indexOf(1); at !== -1; ) {
    const y = Math.floor(at / n);
    let end = at + 1;
    while (end < (y + 1) * n && mask[end] === 1) end += 1;
    const left = Math.max(0, at - y * n - reachPx);
    const right = Math.min(n, end - y * n + reachPx);
    for (let row = Math.max(0, y - reachPx); row <= Math.min(n - 1, y + reachPx); row += 1)
      wide.fill(1, row * n + left, row * n + right);
    at = mask.indexOf(1, end);
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
function mayShowGlare({ columns, rows, marks }: GlareBlocks, pose: DiePose): boolean {
  const half = (pose.edgePx * patchSidePx) / patchEdgePx / 2 + 2;
  const reach = Math.SQRT2 * half;
  const block = (value: number, count: number): number => Math.max(0, Math.min(count - 1, Math.floor(value / blockPx)));
  const [left, right] = [block(pose.x - reach, columns), block(pose.x + reach, columns)];
  const [top, bottom] = [block(pose.y - reach, rows), block(pose.y + reach, rows)];
  const [cos, sin] = [Math.cos(pose.angle), Math.sin(pose.angle)];
  // From the middle of a block to a line that just misses it, in the direction of the patch's axes.
  const farthest = half + (blockPx / 2) * (Math.abs(cos) + Math.abs(sin));
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      if (marks[row * columns + column] !== 1) continue;
      // The outermost blocks stand for all that lies outside, too.
      if (row === 0 || column === 0 || row === rows - 1 || column === columns - 1) return true;
      const dx = (column + 0.5) * blockPx - pose.x;
      const dy = (row + 0.5) * blockPx - pose.y;
      if (Math.abs(cos * dx + sin * dy) <= farthest && Math.abs(cos * dy - sin * dx) <= farthest) return true;
    }
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
