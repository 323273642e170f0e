/** Weights of the logistic decision "this px belongs to a die" from its colour and that of the empty floor there. */
export interface BodyModel {
  readonly weights: readonly number[];
  /** How far colour alone tells die from floor on this rig, 0 to 1: what it decides, texture cannot overrule there. */
  readonly trust: number;
}

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
    const lit = (picture[at + c] as number) / (gain[c] as number);
    out[1 + c] = (lit - (reference[at + c] as number)) / 50;
    out[4 + c] = lit / 128 - 1;
  }
  let k = 7;
  for (let i = 1; i <= 6; i += 1) {
    for (let j = i; j <= 6; j += 1) {
      out[k] = (out[i] as number) * (out[j] as number);
      k += 1;
    }
  }
}

/** Logarithm of the odds that the px belongs to a die; above 0 it rather does. */
export function bodyLogit(model: Pick<BodyModel, 'weights'>, terms: Float64Array): number {
  const { weights } = model;
  let sum = 0;
  for (let k = 0; k < bodyTermCount; k += 1) sum += (weights[k] as number) * (terms[k] as number);
  return sum;
}

/** Probability, 0 to 1, that the px belongs to a die. */
export function bodyProbability(model: Pick<BodyModel, 'weights'>, terms: Float64Array): number {
  return 1 / (1 + Math.exp(-bodyLogit(model, terms)));
}
