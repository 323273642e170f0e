import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Dice, faces, sortedDice } from '../../../src/core/rules/dice.ts';
import { outcomeOf, statisticsBoard } from '../../../src/core/statistics/board.ts';

const anyDice = fc
  .tuple(fc.constantFrom(...faces), fc.constantFrom(...faces), fc.constantFrom(...faces))
  .map((roll) => sortedDice(...roll));

it('counts small, big and triples, odd and even as they are paid, faces and totals', () => {
  const board = statisticsBoard([
    [1, 2, 3],
    [4, 5, 6],
    [2, 2, 2],
    [2, 2, 5],
  ]);

  expect(board).toMatchObject({
    roundCount: 4,
    small: { count: 2, share: 0.5 },
    big: { count: 1, share: 0.25 },
    triple: { count: 1, share: 0.25 },
    odd: { count: 2, share: 0.5 },
    even: { count: 1, share: 0.25 },
  });
  expect(board.faces.map(({ count }) => count)).toEqual([1, 6, 1, 1, 2, 1]);
  expect(board.faces[1]).toEqual({ face: 2, count: 6, share: 0.5 });
  expect(board.totals.find(({ total }) => total === 6)).toEqual({ total: 6, count: 2, share: 0.5, roundsAgo: 0 });
  expect(board.totals.find(({ total }) => total === 9)).toEqual({ total: 9, count: 1, share: 0.25, roundsAgo: 3 });
  expect(board.totals.find(({ total }) => total === 10)).toEqual({ total: 10, count: 0, share: 0, roundsAgo: null });
});

it('names the totals that came most often, and those that have not come for longest', () => {
  const rounds: Dice[] = [
    [1, 1, 2],
    [3, 3, 4],
    [3, 3, 4],
    [2, 2, 5],
    [1, 1, 2],
    [4, 4, 4],
  ];

  expect(statisticsBoard(rounds).hot).toEqual([4, 10, 9]);
  expect(statisticsBoard(rounds).cold).toEqual([11, 8, 13]);
});

it('shows the last 50 rounds and nothing older', () => {
  const old: Dice[] = Array.from({ length: 30 }, () => [6, 6, 6]);
  const recent: Dice[] = Array.from({ length: 50 }, () => [1, 2, 3]);

  expect(statisticsBoard([...recent, ...old])).toEqual(statisticsBoard(recent));
  expect(statisticsBoard([...recent, ...old])).toMatchObject({
    roundCount: 50,
    small: { count: 50, share: 1 },
    triple: { count: 0 },
  });
  expect(statisticsBoard([...recent.slice(1), ...old]).triple.count).toBe(1);
});

it('is empty without rounds', () => {
  const board = statisticsBoard([]);
  expect(board).toMatchObject({ roundCount: 0, small: { count: 0, share: 0 }, hot: [], cold: [] });
  expect(board.totals).toHaveLength(16);
});

it('has sums that agree for any rounds', () => {
  fc.assert(
    fc.property(fc.array(anyDice, { maxLength: 70 }), (rounds) => {
      const board = statisticsBoard(rounds);
      const { roundCount } = board;
      expect(roundCount).toBe(Math.min(50, rounds.length));
      expect(board.small.count + board.big.count + board.triple.count).toBe(roundCount);
      expect(board.odd.count + board.even.count + board.triple.count).toBe(roundCount);
      expect(board.faces.reduce((sum, { count }) => sum + count, 0)).toBe(3 * roundCount);
      expect(board.totals.reduce((sum, { count }) => sum + count, 0)).toBe(roundCount);
    }),
  );
});

it('calls a triple neither small nor big', () => {
  expect(outcomeOf([1, 1, 1])).toBe('triple');
  expect(outcomeOf([6, 6, 6])).toBe('triple');
  expect(outcomeOf([4, 4, 5])).toBe('big');
  expect(outcomeOf([1, 4, 5])).toBe('small');
  expect(outcomeOf([1, 4, 6])).toBe('big');
});
