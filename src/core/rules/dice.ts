/** Top face of a die, 1 to 6. */
export type Face = 1 | 2 | 3 | 4 | 5 | 6;

/** Three top faces, sorted lowest first, as they are announced. */
export type Dice = readonly [Face, Face, Face];

export const faces: readonly Face[] = [1, 2, 3, 4, 5, 6];

/** True for a whole number from 1 to 6. */
export function isFace(value: unknown): value is Face {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 6;
}

/** Sorts three faces lowest first. */
export function sortedDice(a: Face, b: Face, c: Face): Dice {
  const [low, middle, high] = [a, b, c].sort((x, y) => x - y) as [Face, Face, Face];
  return [low, middle, high];
}

/** Sum of the three faces, 3 to 18. */
export function totalOf(dice: Dice): number {
  return dice[0] + dice[1] + dice[2];
}
