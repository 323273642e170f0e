import { type DiePose, toFace, toPicture } from './die-pose.ts';
import { type FacePatch, patchEdgePx, patchPx, patchSidePx } from './face-patch.ts';
import { bottomPose, sideWidths, type TrayGeometry } from './tray-geometry.ts';

/** Weights of the logistic decision "this px belongs to a die" from its colour and that of the empty floor there. */
export interface BodyModel {
  readonly weights: readonly number[];
}

/** How far a die's body reaches beyond each edge of its top face. */
export interface SideMeasure {
  /** Seen width in edges for +u, +v, -u, -v; null where glare or another die hides too much. */
  readonly seen: readonly (number | null)[];
  /** Width that a flat die shows there; negative where its top hides the side. */
  readonly expected: readonly number[];
  /** Distance to a neighbouring die or the tray's wall, edges, up to 0.3: what lies behind cannot be seen. */
  readonly room: readonly number[];
}

/** Lines of px probed across each side. */
const probeOffsets: readonly number[] = Array.from({ length: 21 }, (_, i) => (i - 10) * 0.03);
/** Probes start this far inside the edge and end this far outside, px of the patch. */
const insidePx = 8;
const outsidePx = 19;

/** Number of terms of the body model: constant, six values, and their 21 products. */
export const bodyTermCount = 28;

/** Terms of the body model for one px. Colours are brought back into the light of the reference by `gain`. */
export function bodyTerms(
  picture: Uint8Array,
  reference: Uint8Array,
  at: number,
  gain: readonly number[],
  out: Float64Array,
): void {
  out[0] = 1;
  for (let c = 0; c < 3; c += 1) {
    const lit = (picture[at + c] ?? 0) / (gain[c] ?? 1);
    out[1 + c] = (lit - (reference[at + c] ?? 0)) / 50;
    out[4 + c] = lit / 128 - 1;
  }
  let k = 7;
  for (let i = 1; i <= 6; i += 1) {
    for (let j = i; j <= 6; j += 1) {
      out[k] = (out[i] ?? 0) * (out[j] ?? 0);
      k += 1;
    }
  }
}

/** Probability, 0 to 1, that the px at byte offset `at` belongs to a die. */
export function bodyProbability(model: BodyModel, terms: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < bodyTermCount; k += 1) sum += (model.weights[k] ?? 0) * (terms[k] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

/** Measures the width of all four side faces. @param others poses of the other dice, whose bodies end the view.
 *  @param gain factor of the light at this die. */
export function measureSides(
  patch: FacePatch,
  geometry: TrayGeometry,
  model: BodyModel,
  others: readonly DiePose[],
  gain: readonly number[],
): SideMeasure {
  const bodies = others.flatMap((other) => {
    const bottom = bottomPose(geometry, other);
    return [0, 0.33, 0.67, 1].map((share) => ({
      x: other.x + share * (bottom.x - other.x),
      y: other.y + share * (bottom.y - other.y),
      angle: other.angle,
      edgePx: (other.edgePx + share * (bottom.edgePx - other.edgePx)) * 1.03,
    }));
  });
  const near = bodies.filter((body) => Math.hypot(body.x - patch.pose.x, body.y - patch.pose.y) < 2 * patch.pose.edgePx);
  const expected = sideWidths(geometry, patch.pose);
  const terms = new Float64Array(bodyTermCount);
  const seen: (number | null)[] = [];
  const room: number[] = [];
  for (let side = 0; side < 4; side += 1) {
    const widths: number[] = [];
    let roomSum = 0;
    for (const t of probeOffsets) {
      const probe = probeSide(patch, geometry, model, near, gain, side, t, terms);
      if (probe === null) continue;
      widths.push(probe.width);
      roomSum += probe.room;
    }
    widths.sort((a, b) => a - b);
    if (widths.length < probeOffsets.length * 0.35) {
      seen.push(null);
      room.push(0.3);
      continue;
    }
    const middle = widths.slice(Math.floor(widths.length * 0.25), Math.ceil(widths.length * 0.75));
    seen.push(middle.reduce((sum, w) => sum + w, 0) / middle.length);
    room.push(roomSum / widths.length);
  }
  return { seen, expected, room };
}

/** One line of px across a side: how far the body reaches beyond the edge, in edges; null when glare hides much of it. */
function probeSide(
  patch: FacePatch,
  geometry: TrayGeometry,
  model: BodyModel,
  near: readonly DiePose[],
  gain: readonly number[],
  side: number,
  t: number,
  terms: Float64Array,
): { readonly width: number; readonly room: number } | null {
  const [nx, ny] = [Math.round(Math.cos((side * Math.PI) / 2)), Math.round(Math.sin((side * Math.PI) / 2))];
  let [body, hiddenCount, roomPx] = [0, 0, outsidePx];
  for (let d = -insidePx; d < outsidePx; d += 1) {
    const reach = 0.5 + (d + 0.5) / patchEdgePx;
    const [u, v] = [nx * reach - ny * t, ny * reach + nx * t];
    const [x, y] = [Math.round(patchPx(u)), Math.round(patchPx(v))];
    if (d >= 0) {
      const [px, py] = toPicture(patch.pose, u, v);
      const isBlocked =
        Math.hypot(px - geometry.centrePx[0], py - geometry.centrePx[1]) > geometry.radiusPx ||
        near.some((other) => isInside(other, px, py));
      if (isBlocked) {
        roomPx = d;
        break;
      }
    }
    const index = y * patchSidePx + x;
    if (patch.hidden[index] === 1) {
      hiddenCount += 1;
      continue;
    }
    bodyTerms(patch.picture.data, patch.reference.data, 3 * index, gain, terms);
    body += bodyProbability(model, terms);
  }
  if (hiddenCount > 2) return null;
  return { width: (body - insidePx) / patchEdgePx, room: roomPx / patchEdgePx };
}

function isInside(pose: DiePose, x: number, y: number): boolean {
  const [u, v] = toFace(pose, x, y);
  return Math.abs(u) < 0.5 && Math.abs(v) < 0.5;
}

/** Estimated lean of a die. */
export interface LeanEstimate {
  /** Degrees from the horizontal that explain the seen sides best. */
  readonly leanDeg: number;
  /** How much worse the best explanation with 8° or more fits than the best one below 3°, in units of the measuring noise; small or negative
   *  when a lean cannot be excluded. */
  readonly flatMargin: number;
  /** Mismatch of the best flat explanation, edges (root mean square over the sides that are seen). */
  readonly flatResidual: number;
}

/** Scatter of a seen width on flat dice, edges, below which a rig's own figure is not trusted: half a px of the patch. */
const widthNoiseMin = 0.012;

/** Finds the lean that explains the seen widths of the side faces. A die that leans shows its raised side by the sine of the lean and hides
 *  the opposite one; the top face itself shrinks by one per cent only at 8°, so the sides are the evidence.
 *  @param bias,noise mean and scatter of (seen - expected) on the rig's flat dice, edges. */
export function estimateLean(sides: SideMeasure, bias: number, noise: number): LeanEstimate {
  const sigma = Math.max(widthNoiseMin, noise);
  let [leanSquare, residualSquare, seenCount] = [0, 0, 0];
  let flatMargin = Number.POSITIVE_INFINITY;
  for (const axis of [0, 1]) {
    const costs = new Map<number, number>();
    for (let deg = -30; deg <= 30; deg += 1) costs.set(deg, axisCost(sides, axis, deg, bias));
    const best = [...costs.entries()].reduce((a, b) =>
      b[1] < a[1] - 1e-9 || (Math.abs(b[1] - a[1]) <= 1e-9 && Math.abs(b[0]) < Math.abs(a[0])) ? b : a,
    );
    const flat = Math.min(...[-2, -1, 0, 1, 2].map((deg) => costs.get(deg) ?? 0));
    const leaning = Math.min(...[...costs.entries()].filter(([deg]) => Math.abs(deg) >= 8).map(([, cost]) => cost));
    leanSquare += best[0] ** 2;
    residualSquare += flat;
    seenCount += [axis, axis + 2].filter((side) => sides.seen[side] !== null).length;
    flatMargin = Math.min(flatMargin, (Math.sqrt(leaning) - Math.sqrt(flat)) / sigma);
  }
  return { leanDeg: Math.sqrt(leanSquare), flatMargin, flatResidual: Math.sqrt(residualSquare / Math.max(1, seenCount)) };
}

/** Sum of squared differences between seen and expected widths of two opposite sides if the die leaned by `deg` about that axis. */
function axisCost(sides: SideMeasure, axis: number, deg: number, bias: number): number {
  const sine = Math.sin((deg * Math.PI) / 180);
  const shrink = (1 - Math.cos((deg * Math.PI) / 180)) / 2;
  let cost = 0;
  for (const [side, raise] of [
    [axis, sine],
    [axis + 2, -sine],
  ] as const) {
    const seen = sides.seen[side];
    if (seen === null || seen === undefined) continue;
    const room = sides.room[side] ?? 0.3;
    const width = Math.min(room, Math.max(0, (sides.expected[side] ?? 0) + raise) - shrink);
    cost += (seen - bias - width) ** 2;
  }
  return cost;
}
