import type { Face } from '../core/rules/dice.ts';
import type { PipSpread } from './pip-layouts.ts';

/** What the dice of one rig look like from above, measured on calibration pictures. Lengths in edges of the die. */
export interface FaceModel {
  /** Distance of the outer pips from the centre line of the face, for values as a whole. */
  readonly pipOffset: number;
  /** Distances of each value's own outer pips; see `pipPlace`. */
  readonly pipSpread: Readonly<Record<Face, PipSpread>>;
  /** Radius of the pips of each value (the large red 1 of Macau dice is its own kind). */
  readonly pipRadius: Readonly<Record<Face, number>>;
  /** Body colour, blue, green, red, in the light of the empty reference. */
  readonly body: readonly [number, number, number];
  /** Pip colour of each value in the same light. */
  readonly pipColour: Readonly<Record<Face, readonly [number, number, number]>>;
}

/** Distinct pip kinds of a model: values whose pips have about the same colour and size share one. */
export function pipKinds(model: FaceModel): { readonly colour: readonly [number, number, number]; readonly radius: number }[] {
  const kinds: { colour: readonly [number, number, number]; radius: number }[] = [];
  for (const value of [2, 3, 5, 6, 4, 1] as const) {
    const [colour, radius] = [model.pipColour[value], model.pipRadius[value]];
    const isKnown = kinds.some(
      (kind) =>
        Math.hypot(...kind.colour.map((part, c) => part - (colour[c] ?? 0))) < 30 &&
        Math.abs(kind.radius - radius) < 0.25 * kind.radius,
    );
    if (!isKnown) kinds.push({ colour, radius });
  }
  return kinds;
}
