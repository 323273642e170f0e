import type { Face } from '../src/core/rules/dice.ts';
import type { ValidatedThrow } from './validate.ts';

/** What became of the dice of valid throws. `[true value - 1][column]`: columns 0 to 5 are the values read, column 6 counts dice of refused throws. */
export interface FaceCounts {
  readonly confusion: readonly (readonly number[])[];
  /** Votes of each reader by itself over all dice found in valid throws: the value that lies there, none, or another. */
  readonly geometric: ReaderVotes;
  readonly appearance: ReaderVotes;
}

export interface ReaderVotes {
  readonly right: number;
  readonly none: number;
  readonly wrong: number;
}

/** Counts dice by true and read value. Labels name the values of a throw and not which die has which, so what fits is taken as read right, and
 *  what is left over on both sides is paired in order. */
export function faceCounts(throws: readonly ValidatedThrow[]): FaceCounts {
  const confusion = Array.from({ length: 6 }, () => new Array<number>(7).fill(0));
  const votes = { geometric: { right: 0, none: 0, wrong: 0 }, appearance: { right: 0, none: 0, wrong: 0 } };
  for (const { labelled, explained } of throws) {
    const { truth } = labelled;
    if (truth === null) continue;
    const { reading } = explained;
    for (const [face, column] of pairs(truth, reading.values)) {
      const row = confusion[face - 1] as number[];
      row[column] = (row[column] as number) + 1;
    }
    if (reading.dice.length !== 3) continue;
    for (const reader of ['geometric', 'appearance'] as const) {
      const cast = reading.dice.flatMap((die) => die.votes[reader] ?? []);
      const fitting = matched(truth, cast);
      votes[reader].right += fitting;
      votes[reader].wrong += cast.length - fitting;
      votes[reader].none += 3 - cast.length;
    }
  }
  return { confusion, ...votes };
}

const refusedColumn = 6;

function pairs(truth: readonly Face[], values: readonly Face[] | null): (readonly [Face, number])[] {
  if (values === null) return truth.map((face) => [face, refusedColumn] as const);
  const left = [...values];
  const missed: Face[] = [];
  const found: (readonly [Face, number])[] = [];
  for (const face of truth) {
    const place = left.indexOf(face);
    if (place < 0) missed.push(face);
    else {
      left.splice(place, 1);
      found.push([face, face - 1]);
    }
  }
  return [...found, ...missed.map((face, k) => [face, (left[k] ?? face) - 1] as const)];
}

/** How many of the votes are among the true values, each of them used once. */
function matched(truth: readonly Face[], cast: readonly Face[]): number {
  const left = [...truth];
  return cast.filter((face) => {
    const place = left.indexOf(face);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  }).length;
}
