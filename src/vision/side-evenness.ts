import { profileInsidePx, stepProfile } from './edge-profile.ts';
import type { FaceView } from './face-patch.ts';

/** Stretches of a side, edges from its middle: the middle, which a turn in place leaves sharp, and the two ends, which it smears. */
const middle: readonly [number, number] = [-0.12, 0.12];
const ends: readonly (readonly [number, number])[] = [
  [0.2, 0.36],
  [-0.36, -0.2],
];
/** How far from the assumed edge its step is looked for, px of the patch. */
const reachPx = 7;
/** Step, grey levels per px of the patch, below which a side shows nothing, and how many ends must be seen. */
const stepMin = 2;
const endCountMin = 4;

/** Sharpness of the ends of a face's sides over that of their middles, the median over all ends in view: about 1 for a die at rest, less for one that
 *  turns in place while the picture is taken, which a single pip in the centre cannot show. Null where too little of the sides is in view. */
export function sideEvenness(patch: FaceView): number | null {
  const ratios: number[] = [];
  for (let side = 0; side < 4; side += 1) {
    const centre = peakOf(stepProfile(patch, side, ...middle));
    if (centre < stepMin) continue;
    for (const end of ends) {
      const profile = stepProfile(patch, side, ...end);
      if (profile !== null) ratios.push(peakOf(profile) / centre);
    }
  }
  ratios.sort((a, b) => a - b);
  return ratios.length < endCountMin ? null : (ratios[ratios.length >> 1] ?? null);
}

function peakOf(profile: Float32Array | null): number {
  let peak = 0;
  if (profile === null) return peak;
  for (let d = profileInsidePx - reachPx; d <= profileInsidePx + reachPx; d += 1) peak = Math.max(peak, profile[d] ?? 0);
  return peak;
}
