import { patchEdgePx } from './face-patch.ts';
import { endVote, type OutlineSteps, stepFromPx } from './outline-steps.ts';
import { columnCount, firstColumn, type SideView } from './side-view.ts';

/** Step of the widths for which costs are kept, edges. */
const widthStep = 0.01;
const widthMin = firstColumn / patchEdgePx;
const widthCount = 43;

/** How badly every width of the visible side agrees with a view, from inside the face to `sideReach`; 0 for the best one.
 *  @param steps null for a calibration that has measured none. */
export function widthCosts(view: SideView, steps: OutlineSteps | null): Float32Array {
  const costs = new Float32Array(widthCount);
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < widthCount; k += 1) {
    const end = (widthMin + k * widthStep) * patchEdgePx;
    let cost = 0;
    for (let d = 0; d < columnCount; d += 1) {
      // The silhouette is blurred over two px: there a column is partly die.
      const floorShare = Math.max(0, Math.min(1, (d + firstColumn + 0.5 - end) / 2 + 0.5));
      cost -= (1 - 2 * floorShare) * (view.evidence[d] ?? 0);
    }
    if (steps !== null && end >= stepFromPx) cost -= endVote(steps, view.steps, Math.round(end) - firstColumn);
    costs[k] = cost;
    least = Math.min(least, cost);
  }
  return costs.map((cost) => cost - least);
}

/** Cost of one width, edges. */
export function costOfWidth(costs: Float32Array, width: number): number {
  const place = Math.max(0, Math.min(widthCount - 1, (width - widthMin) / widthStep));
  const k = Math.min(widthCount - 2, Math.floor(place));
  return (costs[k] ?? 0) * (k + 1 - place) + (costs[k + 1] ?? 0) * (place - k);
}
