import { type Dice, type Face, faces, totalOf } from '../rules/dice.ts';

/** Settled rounds that the statistics board shows (R9: 50). */
export const boardRoundCountMax = 50;

/** Small, big or a triple, which is neither (R8). */
export type Outcome = 'small' | 'big' | 'triple';

/** How often something came in the rounds of the board, and that as a share of them, 0 to 1 (0 on an empty board). */
export interface Tally {
  readonly count: number;
  readonly share: number;
}

/** One total with its place in the run of rounds. */
export interface TotalTally extends Tally {
  /** 3 to 18. */
  readonly total: number;
  /** Rounds since it last came: 0 for the newest round; null when it did not come in the rounds of the board. */
  readonly roundsAgo: number | null;
}

/** The last settled rounds in figures, for people to look at: no judgement and no forecast; dice have no memory. */
export interface StatisticsBoard {
  readonly roundCount: number;
  /** Add up to `roundCount`. */
  readonly small: Tally;
  readonly big: Tally;
  readonly triple: Tally;
  /** As they are paid: a triple is neither odd nor even. With `triple` they add up to `roundCount`. */
  readonly odd: Tally;
  readonly even: Tally;
  /** Dice that showed each face, as a share of all dice of the board. */
  readonly faces: readonly (Tally & { readonly face: Face })[];
  /** Totals 3 to 18, in this order. */
  readonly totals: readonly TotalTally[];
  /** Totals that came most often, at most `standoutCount`: the most frequent first, of equals the one that came last. */
  readonly hot: readonly number[];
  /** Totals from 4 to 17 that have not come for longest, at most `standoutCount`: those that never came first, in the order of their chance,
   *  the likeliest first. Empty on an empty board. */
  readonly cold: readonly number[];
}

/** How many hot and how many cold totals are named. */
export const standoutCount = 3;

/** Small, big or triple by the dice. */
export function outcomeOf(dice: Dice): Outcome {
  if (dice[0] === dice[2]) return 'triple';
  return totalOf(dice) <= 10 ? 'small' : 'big';
}

/** The board over settled results. @param newestFirst dice of settled rounds only, the newest first; all after the 50th are left out. */
export function statisticsBoard(newestFirst: readonly Dice[]): StatisticsBoard {
  const rounds = newestFirst.slice(0, boardRoundCountMax);
  const tally = (count: number, of = rounds.length): Tally => ({ count, share: of === 0 ? 0 : count / of });
  const roundsWith = (test: (dice: Dice) => boolean): Tally => tally(rounds.filter(test).length);
  const isOdd = (dice: Dice): boolean => totalOf(dice) % 2 === 1;
  const isTriple = (dice: Dice): boolean => outcomeOf(dice) === 'triple';
  const shown = rounds.flat();
  const totals = totalTallies(rounds, tally);
  return {
    roundCount: rounds.length,
    small: roundsWith((dice) => outcomeOf(dice) === 'small'),
    big: roundsWith((dice) => outcomeOf(dice) === 'big'),
    triple: roundsWith(isTriple),
    odd: roundsWith((dice) => isOdd(dice) && !isTriple(dice)),
    even: roundsWith((dice) => !isOdd(dice) && !isTriple(dice)),
    faces: faces.map((face) => ({ face, ...tally(shown.filter((value) => value === face).length, shown.length) })),
    totals,
    hot: hotTotals(totals),
    cold: rounds.length === 0 ? [] : coldTotals(totals),
  };
}

function totalTallies(rounds: readonly Dice[], tally: (count: number) => Tally): TotalTally[] {
  const inOrder = rounds.map(totalOf);
  return Array.from({ length: 16 }, (_, index) => {
    const total = 3 + index;
    const newest = inOrder.indexOf(total);
    return { total, ...tally(inOrder.filter((value) => value === total).length), roundsAgo: newest === -1 ? null : newest };
  });
}

function hotTotals(totals: readonly TotalTally[]): number[] {
  const seen = totals.filter(({ count }) => count > 0);
  return seen
    .sort((a, b) => b.count - a.count || (a.roundsAgo ?? 0) - (b.roundsAgo ?? 0))
    .slice(0, standoutCount)
    .map(({ total }) => total);
}

function coldTotals(totals: readonly TotalTally[]): number[] {
  const ago = ({ roundsAgo }: TotalTally): number => roundsAgo ?? boardRoundCountMax;
  // 10 and 11 are the likeliest totals; a total is the less likely the further it is from 10.5.
  const distance = ({ total }: TotalTally): number => Math.abs(total - 10.5);
  return totals
    .filter(({ total }) => total >= 4 && total <= 17)
    .sort((a, b) => ago(b) - ago(a) || distance(a) - distance(b))
    .slice(0, standoutCount)
    .map(({ total }) => total);
}
