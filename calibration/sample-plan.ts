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
  /** Scenes for the validation that must not be taken. */
  readonly invalidScenes: readonly InvalidScene[];
}

/** A scene that a table must never take as a result, as the technician is asked to lay it. */
export interface InvalidScene {
  /** Word of the report. */
  readonly className: string;
  readonly order: string;
  /** False where something that moves a little is part of it. */
  readonly isStill: boolean;
}

/** One scene of each kind in which money is lost when it is taken; `validationLimits.invalidCountMin` demands as many. */
export const invalidScenes: readonly InvalidScene[] = [
  { className: 'a die missing', order: 'Take one die out, so that two lie flat', isStill: true },
  { className: 'leaning die', order: 'Lean one die against another one, or against the wall', isStill: true },
  { className: 'stacked dice', order: 'Lay one die on top of another one', isStill: true },
  { className: 'die outside', order: 'Lay one die on the rim of the tray or outside it', isStill: true },
  { className: 'foreign object', order: 'Lay three dice flat and a coin or a chip beside them', isStill: true },
  { className: 'hand', order: 'Lay three dice flat and hold a hand over a part of the tray', isStill: false },
];

/** What `validationLimits` demand, and for the fit about three dice of each value at different places. */
export const usualPlan: SamplePlan = {
  fitThrows: 18,
  fitFaceCount: 3,
  firstFitThrows: 8,
  validationThrows: 30,
  validationFaceCount: 5,
  invalidScenes,
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
