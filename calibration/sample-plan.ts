import type { Face } from '../src/core/rules/dice.ts';

/** How many throws a guided calibration asks for. */
export interface SamplePlan {
  /** Throws for the fit, and how often each value must be among their dice. */
  readonly fitThrows: number;
  readonly fitFaceCount: number;
  /** Throws after which a first fit is tried, so that later ones are only confirmed and not typed. */
  readonly firstFitThrows: number;
  /** Valid throws for the validation, and how often each value must be among them. */
  readonly validationThrows: number;
  readonly validationFaceCount: number;
}

/** What `validationLimits` demand, and for the fit about three dice of each value at different places. */
export const usualPlan: SamplePlan = {
  fitThrows: 18,
  fitFaceCount: 3,
  firstFitThrows: 8,
  validationThrows: 30,
  validationFaceCount: 5,
};

/** Values shown too rarely yet, and how many throws are missing at least. */
export interface Missing {
  readonly throwCount: number;
  readonly faces: readonly Face[];
}

/** What is missing of a number of throws. @param throws faces of each throw so far. @returns null when nothing is. */
export function missingOf(throws: readonly (readonly Face[])[], throwCount: number, faceCount: number): Missing | null {
  const faces = ([1, 2, 3, 4, 5, 6] as const).filter(
    (face) => throws.flat().filter((value) => value === face).length < faceCount,
  );
  const missing = Math.max(throwCount - throws.length, faces.length === 0 ? 0 : 1);
  return missing === 0 ? null : { throwCount: missing, faces };
}
