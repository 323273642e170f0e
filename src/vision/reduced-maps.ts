import { boxSum, integralOf, type SearchMaps } from './coarse-search.ts';
import { fitLighting, gainAt, type Lighting, litFloor } from './lighting.ts';
import type { Picture } from './picture.ts';

/** The tray of one rig, reduced so that a die's edge is about 28 px: large enough for pips (5 px), small enough to search in 3 ms. */
export interface ReducedTray {
  readonly reference: Picture;
  /** Inside the tray's circle. */
  readonly insideTray: Uint8Array;
  /** Glare of the empty tray, widened by one px. */
  readonly glare: Uint8Array;
  /** Edge of a die, px of the reduced picture. */
  readonly edgePx: number;
}

/** How pips are recognised in the reduced picture: by the calibrated colours, or by local contrast alone in calibration's first pass. */
export type PipFilter =
  | { readonly kind: 'contrast' }
  | {
      readonly kind: 'colour';
      readonly body: readonly number[];
      readonly pips: readonly { readonly colour: readonly number[]; readonly radius: number }[];
    };

/** Reduced maps with what was learned on the way. */
export interface ReducedMaps extends SearchMaps {
  readonly picture: Picture;
  readonly lighting: Lighting;
  /** The empty floor in this picture's light, three floats a pixel. */
  readonly floor: Float32Array;
}

/** Brightness difference, grey levels, from which a pixel counts as changed: three times the noise of the noisiest shared rig, and a share
 *  of the floor's own brightness because the light's fit is good to a few per cent. */
const changedLevels = 6;
const changedShare = 0.07;

/** Makes all maps of one picture. */
export function reducedMaps(tray: ReducedTray, picture: Picture, filter: PipFilter): ReducedMaps {
  const { width, height } = picture;
  const lighting = fitLighting(tray.reference, picture, usableFloor(tray));
  const floor = litFloor(tray.reference, lighting);
  const changed = changedFrom(tray, picture, floor);
  const pips =
    filter.kind === 'contrast' ? contrastPips(picture, tray.edgePx) : colourPips(picture, tray.edgePx, lighting, filter);
  return { width, height, picture, lighting, floor, changed, steps: stepsOf(picture), pips, glare: tray.glare };
}

/** 1 where a picture differs from the empty tray in its own light; 0 under glare, where nothing is known. */
export function changedPixels(tray: ReducedTray, picture: Picture): Uint8Array {
  const floor = litFloor(tray.reference, fitLighting(tray.reference, picture, usableFloor(tray)));
  return changedFrom(tray, picture, floor).map((value, i) => (tray.glare[i] === 1 ? 0 : value));
}

function usableFloor(tray: ReducedTray): Uint8Array {
  return tray.insideTray.map((inside, i) => (inside === 1 && tray.glare[i] === 0 ? 1 : 0));
}

/** As `changedPixels`, but glare counts as changed: a die may lie under it. */
function changedFrom(tray: ReducedTray, picture: Picture, floor: Float32Array): Uint8Array {
  const changed = new Uint8Array(tray.glare.length);
  for (let i = 0; i < changed.length; i += 1) {
    if (tray.glare[i] === 1) {
      changed[i] = 1;
      continue;
    }
    const j = 3 * i;
    const fb = floor[j] as number;
    const fg = floor[j + 1] as number;
    const fr = floor[j + 2] as number;
    const b = Math.abs((picture.data[j] as number) - fb);
    const g = Math.abs((picture.data[j + 1] as number) - fg);
    const r = Math.abs((picture.data[j + 2] as number) - fr);
    const difference = Math.max(b, g, r);
    if (difference > changedLevels + changedShare * Math.max(fb, fg, fr)) changed[i] = 1;
  }
  return changed;
}

/** Sobel steps of all three channels, grey levels per px. */
function stepsOf(picture: Picture): Float32Array {
  const { width, height, data } = picture;
  const steps = new Float32Array(6 * width * height);
  const row = 3 * width;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const p = 3 * (y * width + x);
      const s = 2 * p;
      for (let c = 0; c < 3; c += 1) {
        const i = p + c;
        const nw = data[i - row - 3] as number;
        const ne = data[i - row + 3] as number;
        const sw = data[i + row - 3] as number;
        const se = data[i + row + 3] as number;
        steps[s + 2 * c] = (ne + se - nw - sw + 2 * ((data[i + 3] as number) - (data[i - 3] as number))) / 8;
        steps[s + 2 * c + 1] = (sw + se - nw - ne + 2 * ((data[i + row] as number) - (data[i - row] as number))) / 8;
      }
    }
  }
  return steps;
}

/** Pip filter without colours: how much a disc of pip size differs from the ring around it, 1 at 60 grey levels. */
function contrastPips(picture: Picture, edgePx: number): Float32Array {
  const { width, height, data } = picture;
  const answer = new Float32Array(width * height);
  const channels = [0, 1, 2].map((c) =>
    integralOf(
      Float32Array.from({ length: width * height }, (_, i) => data[3 * i + c] ?? 0),
      width,
      height,
    ),
  );
  const size = discSizes(edgePx, 0.095);
  for (let y = size.outer; y < height - size.outer - 1; y += 1) {
    for (let x = size.outer; x < width - size.outer - 1; x += 1) {
      let square = 0;
      for (const sums of channels) square += discLessRing(sums, width, x, y, size) ** 2;
      answer[y * width + x] = Math.min(1, Math.sqrt(square) / 60);
    }
  }
  return answer;
}

/** Pip filter by colour: share of the way from body to pip in a disc less that in the ring around it; the best pip kind counts. */
function colourPips(
  picture: Picture,
  edgePx: number,
  lighting: Lighting,
  filter: Extract<PipFilter, { kind: 'colour' }>,
): Float32Array {
  const { width, height, data } = picture;
  const answer = new Float32Array(width * height);
  const gain = gainAt(lighting, 0, 0);
  const body = filter.body.map((value, c) => value * (gain[c] ?? 1));
  for (const pip of filter.pips) {
    const way = pip.colour.map((value, c) => value * (gain[c] ?? 1) - (body[c] ?? 0));
    const square = Math.max(
      100,
      way.reduce((sum, part) => sum + part * part, 0),
    );
    const [wb = 0, wg = 0, wr = 0] = way.map((part) => part / square);
    const shift = -((body[0] ?? 0) * wb + (body[1] ?? 0) * wg + (body[2] ?? 0) * wr);
    const share = new Float32Array(width * height);
    for (let i = 0; i < share.length; i += 1) {
      const value = (data[3 * i] ?? 0) * wb + (data[3 * i + 1] ?? 0) * wg + (data[3 * i + 2] ?? 0) * wr + shift;
      share[i] = Math.max(0, Math.min(1, value));
    }
    const sums = integralOf(share, width, height);
    const size = discSizes(edgePx, pip.radius);
    for (let y = size.outer; y < height - size.outer - 1; y += 1) {
      for (let x = size.outer; x < width - size.outer - 1; x += 1) {
        const value = Math.min(1, 1.3 * discLessRing(sums, width, x, y, size));
        const i = y * width + x;
        if (value > (answer[i] ?? 0)) answer[i] = value;
      }
    }
  }
  return answer;
}

interface DiscSizes {
  readonly inner: number;
  readonly gap: number;
  readonly outer: number;
}

/** Half sides of the boxes that stand in for disc and ring of a pip, px. */
function discSizes(edgePx: number, radius: number): DiscSizes {
  const r = radius * edgePx;
  const inner = Math.max(1, Math.round(0.75 * r - 0.2));
  const gap = Math.max(inner + 1, Math.round(1.25 * r));
  return { inner, gap, outer: Math.max(gap + 1, Math.round(1.75 * r)) };
}

function discLessRing(sums: Float64Array, width: number, x: number, y: number, { inner, gap, outer }: DiscSizes): number {
  const disc = boxSum(sums, width, x - inner, y - inner, x + inner + 1, y + inner + 1);
  const filled = boxSum(sums, width, x - gap, y - gap, x + gap + 1, y + gap + 1);
  const whole = boxSum(sums, width, x - outer, y - outer, x + outer + 1, y + outer + 1);
  return disc / (2 * inner + 1) ** 2 - (whole - filled) / ((2 * outer + 1) ** 2 - (2 * gap + 1) ** 2);
}
