import { type FaceView, patchEdgePx, patchPx, patchSidePx } from './face-patch.ts';

/** First and last place of a profile, px of the patch inwards and outwards of the assumed edge. */
export const profileInsidePx = 11;
export const profileOutsidePx = 19;
const profileLength = profileInsidePx + profileOutsidePx;

/** Mean size of the brightness step along the outward normal of one side, grey levels per px of the patch, from `profileInsidePx` inside the
 *  edge outwards. @param from,to stretch of the side, edges from its middle. @returns null when glare hides a third of it. */
export function stepProfile(patch: FaceView, side: number, from: number, to: number): Float32Array | null {
  const [nx, ny] = [Math.round(Math.cos((side * Math.PI) / 2)), Math.round(Math.sin((side * Math.PI) / 2))];
  const { picture, hidden } = patch;
  const { data } = picture;
  sums.fill(0);
  counts.fill(0);
  const rowCount = Math.max(2, Math.round((to - from) * patchEdgePx));
  const reach = 0.5 - (profileInsidePx - 0.5) / patchEdgePx;
  // The places of a profile are whole px apart, so that one step leads from each to the next.
  const step = ny * patchSidePx + nx;
  for (let row = 0; row < rowCount; row += 1) {
    const t = from + ((row + 0.5) * (to - from)) / rowCount;
    let index = Math.round(patchPx(ny * reach + nx * t)) * patchSidePx + Math.round(patchPx(nx * reach - ny * t));
    for (let d = 0; d < profileLength; d += 1, index += step) {
      if (hidden[index] === 1) continue;
      counts[d] = (counts[d] as number) + 1;
      for (let c = 0; c < 3; c += 1) sums[3 * d + c] = (sums[3 * d + c] as number) + (data[3 * index + c] as number);
    }
  }
  for (const count of counts) if (count < rowCount / 2) return null;
  const profile = new Float32Array(profileLength);
  for (let d = 1; d < profileLength - 1; d += 1) {
    const after = counts[d + 1] as number;
    const before = counts[d - 1] as number;
    let square = 0;
    for (let c = 0; c < 3; c += 1)
      square += ((sums[3 * (d + 1) + c] as number) / after - (sums[3 * (d - 1) + c] as number) / before) ** 2;
    profile[d] = Math.sqrt(square) / 2;
  }
  return profile;
}

/** Memory of the profile at hand: how many px are in view at each place, and the sums of their blue, green and red. */
const counts = new Int32Array(profileLength);
const sums = new Int32Array(3 * profileLength);

/** Turn in radians that brings the square's sides onto the steps in the picture; for a face with a single pip, whose angle its pip cannot tell.
 *  Sides are weighted by how clear they are. */
export function turnBySides(patch: FaceView): number {
  let [sum, weight] = [0, 0];
  for (let side = 0; side < 4; side += 1) {
    const first = stepProfile(patch, side, -0.34, -0.04);
    const second = stepProfile(patch, side, 0.04, 0.34);
    if (first === null || second === null) continue;
    const shift = bestShift(first, second);
    if (shift === null) continue;
    sum -= shift.weight * Math.atan2(shift.px / patchEdgePx, 0.38);
    weight += shift.weight;
  }
  return weight === 0 ? 0 : sum / weight;
}

/** How far the second half's profile lies outwards of the first half's, px, by the shift with the largest product. */
function bestShift(first: Float32Array, second: Float32Array): { readonly px: number; readonly weight: number } | null {
  const scores: number[] = [];
  for (let shift = -7; shift <= 7; shift += 1) {
    let sum = 0;
    for (let d = 4; d < profileLength - 4; d += 1) sum += (first[d] ?? 0) * (second[d + shift] ?? 0);
    scores.push(sum);
  }
  const k = scores.indexOf(Math.max(...scores));
  if (k <= 0 || k >= 14) return null;
  const [a, b, c] = [scores[k - 1] ?? 0, scores[k] ?? 0, scores[k + 1] ?? 0];
  const fraction = a - 2 * b + c === 0 ? 0 : (0.5 * (a - c)) / (a - 2 * b + c);
  return { px: k - 7 + fraction, weight: Math.sqrt(b) };
}
