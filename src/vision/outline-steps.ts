/** Steps of colour along a side's columns, as flat dice of the calibration show them: at the end of a side face, and everywhere else beyond the top face.
 *  Both as mean and scatter of the logarithm of `step + 1`. */
export interface OutlineSteps {
  readonly endMean: number;
  readonly endScatter: number;
  readonly restMean: number;
  readonly restScatter: number;
}

/** Distance from the edge of the top face, px of the patch, from which a step tells anything: nearer, the edge itself makes one however the die lies. */
export const stepFromPx = 5;
/** A silhouette is known to one px of the patch on either side. */
const slackPx = 1;
/** Px on either side of a step that its blur covers, and px beyond them whose mean is taken. */
const blurPx = 1;
const meanPx = 2;
/** A step's vote is limited, as logarithm of the odds: shadows make steps too. */
const voteMax = 3;

/** Step of colour between the columns before and after each column's near border: length over the channels of the difference of their means, grey levels of
 *  the empty picture's light. -1 where too little is seen. @param means blue, green, red of each column; NaN where nothing is seen. */
export function stepsOf(means: Float64Array): Float32Array {
  const count = means.length / 3;
  const steps = new Float32Array(count).fill(-1);
  for (let d = blurPx + meanPx; d + blurPx + meanPx <= count; d += 1) {
    let square = 0;
    for (let c = 0; c < 3; c += 1) {
      let difference = 0;
      for (let k = blurPx; k < blurPx + meanPx; k += 1)
        difference += ((means[3 * (d + k) + c] as number) - (means[3 * (d - 1 - k) + c] as number)) / meanPx;
      square += difference * difference;
    }
    if (!Number.isNaN(square)) steps[d] = Math.sqrt(square);
  }
  return steps;
}

/** Logarithm of the largest step near a column's border, plus one; null where none is seen. */
export function stepNear(steps: Float32Array, at: number): number | null {
  let largest = -1;
  for (let d = Math.max(0, at - slackPx); d <= Math.min(steps.length - 1, at + slackPx); d += 1)
    largest = Math.max(largest, steps[d] as number);
  return largest < 0 ? null : Math.log(largest + 1);
}

/** How much the step near a column's border speaks for the end of a side face there (above 0) or against it, as logarithm of the odds. */
export function endVote(model: OutlineSteps, steps: Float32Array, at: number): number {
  const size = stepNear(steps, at);
  if (size === null) return 0;
  const vote = logDensity(size, model.endMean, model.endScatter) - logDensity(size, model.restMean, model.restScatter);
  // A step larger than those of the calibration's silhouettes is no less of a silhouette.
  const least = size > model.endMean && model.endMean > model.restMean ? 0 : -voteMax;
  return Math.max(least, Math.min(voteMax, vote));
}

/** Heavier tails than a normal distribution: what was never seen in a calibration is not impossible. */
function logDensity(value: number, mean: number, scatter: number): number {
  return -Math.log(scatter) - 2.5 * Math.log(1 + ((value - mean) / scatter) ** 2 / 4);
}
