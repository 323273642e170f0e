import { profileInsidePx, stepProfile } from './edge-profile.ts';
import { type FacePatch, patchEdgePx } from './face-patch.ts';

/** Steps of brightness beyond the four edges of a top face, each above its texture and summing to 1; null where glare hides the side or
 *  nothing stands out. */
export function sideSteps(patch: FacePatch): (Float32Array | null)[] {
  return [0, 1, 2, 3].map((side) => {
    const profile = stepProfile(patch, side, -0.3, 0.3);
    if (profile === null) return null;
    const texture = [...profile].sort((a, b) => a - b)[profile.length >> 1] ?? 0;
    const above = profile.map((value) => Math.max(0, value - texture));
    const sum = above.reduce((total, value) => total + value, 0);
    return sum < 2 ? null : above.map((value) => value / sum);
  });
}

/** Share of a side's steps that lie at two expected outlines, 0 to 1; where both fall together they count once.
 *  @param top,silhouette distance beyond the patch's own edge, in edges of the patch. */
export function explainedShare(steps: Float32Array, top: number, silhouette: number): number {
  const [first, second] = [placeOf(top), placeOf(silhouette)];
  let sum = 0;
  for (let d = 1; d < steps.length - 1; d += 1) {
    const near = Math.min((d - first) ** 2, (d - second) ** 2);
    if (near < 16) sum += (steps[d] ?? 0) * Math.exp(-near / 3);
  }
  return sum;
}

/** Index in a profile for a distance beyond the edge. */
function placeOf(beyond: number): number {
  return beyond * patchEdgePx + profileInsidePx - 0.5;
}
