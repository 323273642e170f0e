import { profileInsidePx, stepProfile } from './edge-profile.ts';
import { type FacePatch, patchEdgePx } from './face-patch.ts';
import { sideWidths, type TrayGeometry } from './tray-geometry.ts';

/** Leans that are compared, degrees: flat ones, and from below the product's limit of 8° to where the top face itself is out of shape. */
const flatDegrees: readonly number[] = [-2, -1, 0, 1, 2];
const leaningDegrees: readonly number[] = [6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 23, 26, 30];

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

/** How much better the outlines of a leaning die explain the steps around a face than those of a flat one; above 0 the die leans as far as
 *  brightness can tell. The worse of both axes counts. Null when no side can be judged. */
export function leanAdvantage(patch: FacePatch, geometry: TrayGeometry): number | null {
  const steps = sideSteps(patch);
  const widths = sideWidths(geometry, patch.pose);
  let worst: number | null = null;
  for (const axis of [0, 1]) {
    const score = (deg: number): number | null => axisScore(steps, widths, geometry.bevelEdges, axis, deg);
    const flat = Math.max(...flatDegrees.map((deg) => score(deg) ?? Number.NEGATIVE_INFINITY));
    const leaning = Math.max(
      ...leaningDegrees.flatMap((deg) => [score(deg), score(-deg)]).map((value) => value ?? Number.NEGATIVE_INFINITY),
    );
    if (!Number.isFinite(flat)) continue;
    worst = Math.max(worst ?? Number.NEGATIVE_INFINITY, leaning - flat);
  }
  return worst;
}

/** Mean explained share of two opposite sides for one lean. */
function axisScore(
  steps: readonly (Float32Array | null)[],
  widths: readonly number[],
  bevelEdges: number,
  axis: number,
  deg: number,
): number | null {
  const angle = (deg * Math.PI) / 180;
  const top = (Math.cos(angle) - 1) / 2;
  let [sum, count] = [0, 0];
  for (const [side, raise] of [
    [axis, Math.sin(angle)],
    [axis + 2, -Math.sin(angle)],
  ] as const) {
    const profile = steps[side];
    if (profile === null || profile === undefined) continue;
    sum += explainedShare(profile, top, top + bevelEdges + Math.max(0, (widths[side] ?? 0) + raise));
    count += 1;
  }
  return count === 0 ? null : sum / count;
}

/** Index in a profile for a distance beyond the edge. */
function placeOf(beyond: number): number {
  return beyond * patchEdgePx + profileInsidePx - 0.5;
}
