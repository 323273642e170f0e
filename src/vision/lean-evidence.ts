import type { OutlineSteps } from './outline-steps.ts';
import { type SideView, sideReach } from './side-view.ts';
import { costOfWidth, widthCosts } from './side-widths.ts';

/** Estimated lean of a die. */
export interface LeanEstimate {
  /** Degrees that explain the seen sides best. */
  readonly leanDeg: number;
  /** How much better "flat" explains the sides than the best lean of 8° or more towards or away from something that the die could lean on, as
   *  logarithm of the odds; below 0 the lean is the better explanation. Null when it has nothing to lean on. */
  readonly supported: number | null;
  /** The same over leans in every direction, whether or not anything supports them. */
  readonly anywhere: number;
}

const degree = Math.PI / 180;
const flatDegrees: readonly number[] = [-3, -2, -1, 0, 1, 2, 3];
const leaningDegrees: readonly number[] = [8, 9, 10, 11, 12, 14, 16, 18, 20, 23, 26, 30, 35, 40];
/** Radius of a die's edges over the rim between its top face and its outline. */
const roundingOverRim = 2;
/** Distance to a neighbour, edges, up to which its shadow fills the gap: a dark floor passes for the side of a dark die there, and would speak
 *  against the very lean that closes the gap. */
const gapReach = 0.2;
/** Error of distances between dice, and of a die from the wall, whose circle is known less well and which has a rounded foot; edges. */
const contactErrorDie = 0.08;
const contactErrorWall = 0.2;

/** Weighs "flat" against leans about each of the four bottom edges. A leaning die shows the side above its raised edge by the sine of the lean
 *  wider, and the opposite side narrower; the top face itself shrinks by one per cent only at 8°, so the sides are the evidence.
 *  @param widths what a flat die shows beyond each edge, negative where its top hides the side. @param rimEdges from a top face's edge to the
 *  outline of the die. @param grown measured size of the top face over the assumed one. @param steps what silhouettes look like on this rig. */
export function estimateLean(
  views: readonly SideView[],
  widths: readonly number[],
  rimEdges: number,
  grown: number,
  steps: OutlineSteps | null,
): LeanEstimate {
  const costs = views.map((view) => (view.isSeen ? widthCosts(view, steps) : null));
  const costOf = (side: number, raisedDeg: number): number =>
    sideCost(costs[side] ?? null, views[side] as SideView, widths[side] ?? 0, rimEdges, grown, raisedDeg * degree);
  let supported: number | null = null;
  let anywhere = Number.POSITIVE_INFINITY;
  let best = { deg: 0, cost: Number.POSITIVE_INFINITY };
  for (let raised = 0; raised < 4; raised += 1) {
    const opposite = (raised + 2) % 4;
    const other = [0, 1, 2, 3].filter((side) => side !== raised && side !== opposite);
    const unmoved = other.reduce((sum, side) => sum + costOf(side, 0), 0);
    const isGap = (views[opposite] as SideView).nearestDie < gapReach;
    const cost = (deg: number): number => costOf(raised, deg) + (isGap ? 0 : costOf(opposite, -deg));
    const flat = Math.min(...flatDegrees.map(cost));
    const leaning = leaningDegrees.map(cost);
    const advantage = Math.min(...leaning) - flat;
    if (isBlocked(views[raised] as SideView, widths[raised] ?? 0, rimEdges)) continue;
    for (const [deg, value] of [
      ...[0, 1, 2, 3, 4, 5, 6, 7].map((d) => [d, cost(d)] as const),
      ...leaningDegrees.map((d, k) => [d, leaning[k] ?? 0] as const),
    ]) {
      if (value + unmoved < best.cost - 1e-6) best = { deg, cost: value + unmoved };
    }
    anywhere = Math.min(anywhere, advantage);
    if (hasSupport(views[raised] as SideView, views[opposite] as SideView, widths[raised] ?? 0, widths[opposite] ?? 0, rimEdges))
      supported = Math.min(supported ?? Number.POSITIVE_INFINITY, advantage);
  }
  return { leanDeg: best.deg, supported, anywhere };
}

/** Whether a neighbour stands where the raised side of a die that leans by 8° or more would be. Of two dice of one size neither can stand on the
 *  other's edge at such an angle, so that lean is impossible, whatever the dark gap between them looks like. */
function isBlocked(raised: SideView, raisedWidth: number, rimEdges: number): boolean {
  return raised.nearestDie < rimEdges + Math.max(0, raisedWidth + Math.sin(8 * degree)) - contactErrorDie;
}

/** Whether a die whose edge is raised on one side touches a neighbour or the wall: with its raised side, whose silhouette must then reach just
 *  there (nothing solid can lie within it), or with the top of the opposite side. */
function hasSupport(raised: SideView, opposite: SideView, raisedWidth: number, oppositeWidth: number, rimEdges: number): boolean {
  const outline = rimEdges + Math.max(0, raisedWidth + Math.sin(8 * degree));
  const top = rimEdges + Math.max(0, oppositeWidth);
  return (
    (raised.nearestDie < sideReach && raised.nearestDie > outline - contactErrorDie) ||
    (raised.nearestWall < sideReach && raised.nearestWall > outline - contactErrorWall) ||
    opposite.nearestDie < top + contactErrorDie ||
    opposite.nearestWall < top + contactErrorWall
  );
}

/** Cost of one side when the die is turned by an angle that raises it (above 0) or lowers it. */
function sideCost(
  costs: Float32Array | null,
  view: SideView,
  width: number,
  rimEdges: number,
  grown: number,
  angle: number,
): number {
  if (costs === null) return 0;
  const shortened = (Math.cos(angle) - 1) / 2;
  // Rounded edges take something from what turns into view and out of it.
  const rounded = roundingOverRim * rimEdges * Math.abs(Math.sin(angle));
  const shown = rimEdges + shortened - rounded + Math.max(0, width + Math.sin(angle));
  return costOfWidth(costs, Math.min(shown + (grown - 1) / 2, view.room + 0.02));
}
