import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadHouse } from '../../../src/config/load-house.ts';
import { type Face, faces, sortedDice } from '../../../src/core/rules/dice.ts';
import { labelOf, winningZones } from '../../../src/core/rules/house.ts';
import { formatPrice } from '../../../src/core/rules/price.ts';
import { allZones, announcement, zoneGroups } from '../../../src/core/rules/zones.ts';

const live = loadHouse('live');
const face = fc.constantFrom(...faces);
const wins = (a: Face, b: Face, c: Face) => winningZones([a, b, c], live).map((win) => `${win.zone} ${formatPrice(win.price)}`);

it('knows 110 zones in 17 groups, each id once', () => {
  expect(allZones).toHaveLength(110);
  expect(new Set(allZones.map((zone) => zone.id)).size).toBe(110);
  const sizes = zoneGroups.map((group) => [group, allZones.filter((zone) => zone.group === group).length]);
  expect(Object.fromEntries(sizes)).toEqual({
    small: 1,
    big: 1,
    odd: 1,
    even: 1,
    single: 6,
    double: 6,
    triple: 6,
    'any-triple': 1,
    total: 14,
    pair: 15,
    'all-odd': 1,
    'all-even': 1,
    'two-odd-one-even': 1,
    'two-even-one-odd': 1,
    'three-single': 20,
    'double-single': 30,
    'four-number': 4,
  });
});

it('writes ids with the smaller number first, and the doubled one first in a double with a single', () => {
  const ids = new Set(allZones.map((zone) => zone.id));
  for (const id of ['pair-2-5', 'three-single-1-3-4', 'double-single-6-6-3', 'four-number-2-3-5-6', 'total-17']) {
    expect(ids.has(id), id).toBe(true);
  }
  for (const id of ['pair-5-2', 'double-single-3-3-3', 'four-number-1-2-5-6', 'total-3', 'total-18']) {
    expect(ids.has(id), id).toBe(false);
  }
});

it('pays 2-2-5 on everything it wins, the pair once', () => {
  expect(wins(2, 2, 5)).toEqual([
    'small 1:1',
    'odd 1:1',
    'single-2 2:1',
    'single-5 1:1',
    'double-2 10:1',
    'total-9 7:1',
    'pair-2-5 5:1',
    'two-even-one-odd 3:2',
    'double-single-2-2-5 60:1',
  ]);
});

it('lets a triple lose small, big, odd and even, and count for everything else', () => {
  expect(wins(2, 2, 2)).toEqual([
    'single-2 3:1',
    'double-2 10:1',
    'triple-2 180:1',
    'any-triple 30:1',
    'total-6 18:1',
    'all-even 6:1',
  ]);
  expect(wins(5, 5, 5)).toEqual([
    'single-5 3:1',
    'double-5 10:1',
    'triple-5 180:1',
    'any-triple 30:1',
    'total-15 18:1',
    'all-odd 6:1',
  ]);
});

it('has no total for 3 and 18', () => {
  expect(wins(1, 1, 1).some((win) => win.startsWith('total'))).toBe(false);
  expect(wins(6, 6, 6).some((win) => win.startsWith('total'))).toBe(false);
});

it('pays the same whatever the order of the dice', () => {
  fc.assert(
    fc.property(face, face, face, (a, b, c) => {
      const expected = wins(a, b, c);
      for (const other of [wins(a, c, b), wins(b, a, c), wins(b, c, a), wins(c, a, b), wins(c, b, a)])
        expect(other).toEqual(expected);
    }),
  );
});

it('lists each winning zone once, in the order of the zone list', () => {
  fc.assert(
    fc.property(face, face, face, (a, b, c) => {
      const ids = winningZones([a, b, c], live).map((win) => win.zone);
      expect(ids).toEqual(allZones.map((zone) => zone.id).filter((id) => ids.includes(id)));
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

it('lets exactly one of small, big and any triple win, and exactly one of the four odd-even mixes', () => {
  fc.assert(
    fc.property(face, face, face, (a, b, c) => {
      const ids = winningZones([a, b, c], live).map((win) => win.zone);
      expect(ids.filter((id) => ['small', 'big', 'any-triple'].includes(id))).toHaveLength(1);
      expect(ids.filter((id) => ['all-odd', 'all-even', 'two-odd-one-even', 'two-even-one-odd'].includes(id))).toHaveLength(1);
    }),
  );
});

it('announces the lowest die first, then the total', () => {
  expect(announcement(sortedDice(5, 2, 2))).toBe('2, 2, 5: 9');
});

it('labels a zone in the language asked for, and in the one that holds when there is no such label', () => {
  const pair = live.zones.find(({ zone }) => zone.id === 'pair-2-5');
  expect(pair).toBeDefined();
  if (pair === undefined) return;
  expect(labelOf(pair, live)).toBe('Specific Double 2-5');
  expect(labelOf(pair, live, 'ja')).toBe('スペシフィックダブル 2-5');
  expect(labelOf(pair, live, 'fr')).toBe('Double Spécifique 2-5');
  expect(labelOf(pair, live, 'ru')).toBe('Specific Double 2-5');
});
