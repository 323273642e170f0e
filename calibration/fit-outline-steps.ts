import { patchEdgePx } from '../src/vision/face-patch.ts';
import { type OutlineSteps, stepFromPx, stepNear } from '../src/vision/outline-steps.ts';
import { columnCount, firstColumn, type SideView } from '../src/vision/side-view.ts';

/** Fewest side faces whose end is in view. */
const endCountMin = 8;
/** Distance from an expected end, px of the patch, from which a step belongs to the floor or to the side face. */
const apartPx = 4;
/** Least scatter of the logarithm: fewer than a hundred sides do not tell the tails. */
const scatterMin = 0.35;

/** Measures the steps of colour at the ends of the side faces of flat dice, and those elsewhere beyond their top faces: shadows, texture, pips of the sides.
 *  @param sides views with the place at which a flat die's outline ends, edges beyond its top face. @returns null when too few ends are in view. */
export function fitOutlineSteps(sides: readonly { readonly view: SideView; readonly endEdges: number }[]): OutlineSteps | null {
  const [ends, rest]: [number[], number[]] = [[], []];
  for (const { view, endEdges } of sides) {
    const endPx = endEdges * patchEdgePx;
    const endStep = stepNear(view.steps, Math.round(endPx) - firstColumn);
    if (endPx >= stepFromPx && endStep !== null) ends.push(endStep);
    for (let at = stepFromPx - firstColumn; at < columnCount; at += 1) {
      const step = stepNear(view.steps, at);
      if (step !== null && Math.abs(at + firstColumn - endPx) >= apartPx) rest.push(step);
    }
  }
  if (ends.length < endCountMin || rest.length < endCountMin) return null;
  const [end, other] = [spreadOf(ends), spreadOf(rest)];
  return { endMean: end.mean, endScatter: end.scatter, restMean: other.mean, restScatter: other.scatter };
}

function spreadOf(values: readonly number[]): { mean: number; scatter: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, scatter: Math.max(scatterMin, Math.sqrt(variance)) };
}
