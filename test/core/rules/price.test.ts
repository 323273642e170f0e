import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadHouse } from '../../../src/config/load-house.ts';
import {
  compareFractions,
  formatFraction,
  formatPrice,
  fraction,
  parsePrice,
  priceDMax,
  priceNMax,
  sumOf,
} from '../../../src/core/rules/price.ts';
import { allRolls, returnToPlayer, waysOf } from '../../../src/core/rules/return-to-player.ts';

describe('prices', () => {
  it('are read and written as n to d, reduced', () => {
    expect(parsePrice('3:2')).toEqual({ n: 3, d: 2 });
    expect(parsePrice('6:4')).toEqual({ n: 3, d: 2 });
    expect(formatPrice({ n: 180, d: 1 })).toBe('180:1');
  });

  it.each(['', '5', '5:0', '0:1', '-5:1', '1.5:1', ' 5:1', '5:1 ', '5/1', '5։1', '05:1', '10001:1', '1:101', '5:1:1'])(
    'refuse %j',
    (text) => {
      expect(parsePrice(text)).toBeNull();
    },
  );

  it('survive writing and reading', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: priceNMax }), fc.integer({ min: 1, max: priceDMax }), (n, d) => {
        const price = parsePrice(`${n}:${d}`);
        expect(price).not.toBeNull();
        if (price === null) return;
        expect(parsePrice(formatPrice(price))).toEqual(price);
        expect(price.n * d).toBe(n * price.d);
      }),
    );
  });
});

describe('fractions', () => {
  it('add, reduce and compare exactly', () => {
    expect(formatFraction(sumOf(fraction(1, 6), fraction(1, 3)))).toBe('1/2');
    expect(compareFractions(fraction(35, 36), fraction(70, 72))).toBe(0);
    expect(compareFractions(fraction(35, 36), fraction(1, 1))).toBeLessThan(0);
    expect(formatFraction(fraction(0, 216))).toBe('0/1');
  });

  it('stay exact at the largest prices a house file may give', () => {
    const worst = [
      fraction(216 * (priceNMax + 99), 216 * 99),
      fraction(216 * (priceNMax + 98), 216 * 98),
      fraction(216 * (priceNMax + 97), 216 * 97),
    ];
    const sum = worst.reduce(sumOf);
    expect(Number.isSafeInteger(sum.numerator) && Number.isSafeInteger(sum.denominator)).toBe(true);
  });
});

describe('return to player', () => {
  const returnsOf = (id: string) =>
    Object.fromEntries(loadHouse(id).zones.map((zone) => [zone.zone.id, formatFraction(returnToPlayer(zone))]));

  it('counts 216 rolls, all different', () => {
    expect(allRolls).toHaveLength(216);
    expect(new Set(allRolls.map((roll) => roll.join('-'))).size).toBe(216);
  });

  it('counts the ways of each price', () => {
    const ways = Object.fromEntries(loadHouse('live').zones.map(({ zone, prices }) => [zone.id, waysOf(zone, prices.length)]));
    expect(ways).toMatchObject({
      small: [105],
      odd: [105],
      'single-4': [75, 15, 1],
      'double-4': [16],
      'triple-4': [1],
      'any-triple': [6],
      'total-10': [27],
      'pair-1-2': [30],
      'all-odd': [27],
      'two-even-one-odd': [81],
      'three-single-1-3-4': [6],
      'double-single-2-2-3': [3],
      'four-number-1-2-3-4': [24],
    });
  });

  it('is exact for each kind of zone', () => {
    expect(returnsOf('live')).toMatchObject({
      small: '35/36',
      'single-1': '199/216',
      'double-1': '22/27',
      'triple-1': '181/216',
      'any-triple': '31/36',
      'total-4': '61/72',
      'total-9': '25/27',
      'pair-1-2': '5/6',
      'all-odd': '7/8',
      'two-odd-one-even': '15/16',
      'three-single-1-2-3': '31/36',
      'double-single-1-1-2': '61/72',
      'four-number-3-4-5-6': '8/9',
    });
    expect(returnsOf('trainer')['pair-1-2']).toBe('35/36');
    expect(returnsOf('macau')['total-5']).toBe('19/36');
  });
});
