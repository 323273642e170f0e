import { type FaceView, patchEdgePx, patchPx, patchSidePx } from './face-patch.ts';

/** First and last place of a profile, px of the patch inwards and outwards of the assumed edge. */
export const profileInsidePx = 11;
export const profileOutsidePx = 19;
const profileLength = profileInsidePx + profileOutsidePx;

/** Mean size of the brightness step along the outward normal of one side, grey levels per px of the patch, from `profileInsidePx` inside the
 *  edge outwards. @param from,to stretch of the side, edges from its middle. @returns null when glare hides a third of it. */
export function stepProfile(patch: FaceView, side: number, from: number, to: number): Float32Array | null {
  const [nx, ny] = [Math.round(Math.cos((side * Math.PI) / 2)), Math.round(Math.sin((side * Math.PI) / 2))];
  const mean = [0, 1, 2].map(() => new Float32Array(profileLength));
  const counts = new Float32Array(profileLength);
  const rowCount = Math.max(2, Math.round((to - from) * patchEdgePx));
  for (let row = 0; row < rowCount; row += 1) {
    const t = from + ((row + 0.5) * (to - from)) / rowCount;
    for (let d = 0; d < profileLength; d += 1) {
      const reach = 0.5 + (d - profileInsidePx + 0.5) / patchEdgePx;
      const index = Math.round(patchPx(ny * reach + nx * t)) * patchSidePx + Math.round(patchPx(nx * reach - ny * t));
      if (patch.hidden[index] === 1) continue;
      counts[d] = (counts[d] ?? 0) + 1;
      for (let c = 0; c < 3; c += 1) {
        const channel = mean[c] as Float32Array;
        channel[d] = (channel[d] ?? 0) + (patch.picture.data[3 * index + c] ?? 0);
      }
    }
  }
  const profile = new Float32Array(profileLength);
  for (let d = 0; d < profileLength; d += 1) if ((counts[d] ?? 0) < rowCount / 2) return null;
  for (let d = 1; d < profileLength - 1; d += 1) {
    let square = 0;
    for (let c = 0; c < 3; c += 1) {
      const channel = mean[c] as Float32Array;
      square += ((channel[d + 1] ?? 0) / (counts[d + 1] ?? 1) - (channel[d - 1] ?? 0) / (counts[d - 1] ?? 1)) ** 2;
    }
    profile[d] = Math.sqrt(square) / 2;
  }
  return profile;
}

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
