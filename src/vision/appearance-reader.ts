import type { Face } from '../core/rules/dice.ts';
import { type FacePatch, patchPx, patchSidePx } from './face-patch.ts';

/** Cells a side into which the face is averaged; a pip of 0.2 edges covers about 4 x 4 of them. */
export const appearanceGrid = 20;
/** Half of the face that is looked at, edges: clear of the rounded rim. */
const reach = 0.45;

/** A face as the appearance reader sees it: colours averaged in a grid, and which cells glare leaves visible. */
export interface FaceLook {
  /** Three numbers (blue, green, red) a cell, rows first. */
  readonly cells: Float32Array;
  /** 1 for a visible cell. */
  readonly visible: Uint8Array;
}

/** A learned face: the mean look of all samples with this value, in one of the ways a face can lie. */
export interface FaceTemplate {
  readonly value: Face;
  /** Normalised to mean 0 and length 1 over all cells. */
  readonly cells: Float32Array;
}

/** What the appearance reader has learned of a rig's faces. */
export interface AppearanceModel {
  readonly templates: readonly FaceTemplate[];
  /** How much each cell counts, mean 1, rows first: where flat dice of one value look different from throw to throw (lights on the rounded rim, pips of the
   *  far side that shine through), a cell tells little. */
  readonly cellWeights: Float32Array;
}

/** Weights for a calibration that learned none: every cell counts the same. */
export function evenWeights(): Float32Array {
  return new Float32Array(appearanceGrid * appearanceGrid).fill(1);
}

/** Vote of the appearance reader. */
export interface AppearanceReading {
  readonly value: Face | null;
  /** Correlation with the best template and with the best template of another value, -1 to 1. */
  readonly best: number;
  readonly second: number;
  readonly confidence: number;
}

/** Least correlation with the winning template, and least lead over any other value. Faces of calibration pictures left out of the fit reach
 *  0.9 and lead by 0.15 or more on the shared rigs; a face with one pip added or removed loses about 0.1. */
const correlationMin = 0.72;
const leadMin = 0.06;
/** Where glare hides the very place in which two values differ most, a smaller lead will do if the winner leaves at most a quarter of what the other
 *  value leaves unexplained (1 less the correlation). */
const partLeadMin = 0.03;
const unexplainedRatioMin = 4;
/** Least share of the face that must be visible. */
const visibleShareMin = 0.6;

/** Averages the patch into the grid. Works on the picture itself: pip colours, pip maps and layouts play no part. */
export function faceLook(patch: FacePatch): FaceLook {
  const n = appearanceGrid;
  const cells = new Float32Array(3 * n * n);
  const visible = new Uint8Array(n * n);
  const bounds = Array.from({ length: n + 1 }, (_, k) => Math.round(patchPx(-reach + (2 * reach * k) / n) + 0.5));
  const data = patch.picture.data;
  for (let j = 0; j < n; j += 1) {
    for (let i = 0; i < n; i += 1) {
      let [b, g, r, count, hidden] = [0, 0, 0, 0, 0];
      for (let y = bounds[j] ?? 0; y < (bounds[j + 1] ?? 0); y += 1) {
        for (let x = bounds[i] ?? 0; x < (bounds[i + 1] ?? 0); x += 1) {
          const p = y * patchSidePx + x;
          if (patch.hidden[p] === 1) hidden += 1;
          b += data[3 * p] ?? 0;
          g += data[3 * p + 1] ?? 0;
          r += data[3 * p + 2] ?? 0;
          count += 1;
        }
      }
      const cell = j * n + i;
      cells[3 * cell] = b / count;
      cells[3 * cell + 1] = g / count;
      cells[3 * cell + 2] = r / count;
      visible[cell] = hidden * 4 > count ? 0 : 1;
    }
  }
  return { cells, visible };
}

/** Weighted mean 0 in each channel and weighted length 1 over the visible cells; hidden cells become 0. */
export function normalisedLook(look: FaceLook, weights: Float32Array): Float32Array {
  const out = new Float32Array(look.cells.length);
  const mean = [0, 0, 0];
  let sum = 0;
  for (let k = 0; k < look.visible.length; k += 1) {
    if (look.visible[k] === 0) continue;
    const weight = weights[k] as number;
    sum += weight;
    for (let c = 0; c < 3; c += 1) mean[c] = (mean[c] as number) + weight * (look.cells[3 * k + c] as number);
  }
  let square = 0;
  for (let k = 0; k < look.visible.length; k += 1) {
    if (look.visible[k] === 0) continue;
    for (let c = 0; c < 3; c += 1) {
      const value = (look.cells[3 * k + c] as number) - (mean[c] as number) / sum;
      out[3 * k + c] = value;
      square += (weights[k] as number) * value * value;
    }
  }
  const length = Math.sqrt(square) || 1;
  for (let k = 0; k < out.length; k += 1) out[k] = (out[k] as number) / length;
  return out;
}

/** Compares a face with every learned face. The winner must be like its template and ahead of every other value. */
export function readByAppearance(patch: FacePatch, { templates, cellWeights }: AppearanceModel): AppearanceReading {
  const look = faceLook(patch);
  const visibleShare = look.visible.reduce((sum, v) => sum + v, 0) / look.visible.length;
  const face = normalisedLook(look, cellWeights);
  const bestOf = new Map<Face, number>();
  for (const template of templates) {
    const score = correlation(face, template.cells, look.visible, cellWeights);
    if (score > (bestOf.get(template.value) ?? -1)) bestOf.set(template.value, score);
  }
  const ranked = [...bestOf.entries()].sort((a, b) => b[1] - a[1]);
  const [value, best] = ranked[0] ?? [null, -1];
  const second = ranked[1]?.[1] ?? -1;
  const isAhead =
    best - second >= leadMin || (best - second >= partLeadMin && 1 - second >= unexplainedRatioMin * Math.max(1e-6, 1 - best));
  const isTold = value !== null && best >= correlationMin && isAhead && visibleShare >= visibleShareMin;
  return { value: isTold ? value : null, best, second, confidence: isTold ? Math.min(1, (best - second) / 0.3, best) : 0 };
}

/** Weighted correlation over the visible cells only: the template is normalised again over them. */
function correlation(face: Float32Array, template: Float32Array, visible: Uint8Array, weights: Float32Array): number {
  let sum = 0;
  let sumB = 0;
  let sumG = 0;
  let sumR = 0;
  for (let k = 0, j = 0; k < visible.length; k += 1, j += 3) {
    if (visible[k] === 0) continue;
    const weight = weights[k] as number;
    sum += weight;
    sumB += weight * (template[j] as number);
    sumG += weight * (template[j + 1] as number);
    sumR += weight * (template[j + 2] as number);
  }
  if (sum === 0) return -1;
  const meanB = sumB / sum;
  const meanG = sumG / sum;
  const meanR = sumR / sum;
  let dot = 0;
  let square = 0;
  for (let k = 0, j = 0; k < visible.length; k += 1, j += 3) {
    if (visible[k] === 0) continue;
    const weight = weights[k] as number;
    const tb = (template[j] as number) - meanB;
    const tg = (template[j + 1] as number) - meanG;
    const tr = (template[j + 2] as number) - meanR;
    dot += weight * (tb * (face[j] as number) + tg * (face[j + 1] as number) + tr * (face[j + 2] as number));
    square += weight * (tb * tb + tg * tg + tr * tr);
  }
  return square <= 1e-12 ? -1 : dot / Math.sqrt(square);
}
