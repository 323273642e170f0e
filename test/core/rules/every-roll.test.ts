import { describe, expect, it } from 'vitest';
import { houseIds, loadHouse } from '../../../src/config/load-house.ts';
import type { Face } from '../../../src/core/rules/dice.ts';
import { winningZones } from '../../../src/core/rules/house.ts';
import { formatFraction, formatPercent, formatPrice } from '../../../src/core/rules/price.ts';
import { returnToPlayerMax } from '../../../src/core/rules/return-to-player.ts';
import { handWrittenPrices, handWrittenWins } from './hand-written-prices.ts';

const zoneCounts: Record<string, number> = { 'regulation-ru': 50, macau: 50, live: 110, trainer: 50, 'atlantic-city': 50 };

it('comes with the five houses and no other', () => {
  expect(houseIds()).toEqual(['atlantic-city', 'live', 'macau', 'regulation-ru', 'trainer']);
  expect(houseIds().map((id) => loadHouse(id).id)).toEqual(houseIds());
});

describe.each(Object.entries(handWrittenPrices))('house %s', (id, prices) => {
  const house = loadHouse(id);

  it('pays on each of the 216 rolls what its document says, and nothing else', () => {
    let rollCount = 0;
    for (let a = 1; a <= 6; a += 1) {
      for (let b = 1; b <= 6; b += 1) {
        for (let c = 1; c <= 6; c += 1) {
          const wins = winningZones([a as Face, b as Face, c as Face], house).map(
            (win) => `${win.zone} ${formatPrice(win.price)}`,
          );
          expect(wins.sort(), `roll ${a}-${b}-${c}`).toEqual(handWrittenWins([a, b, c], prices));
          rollCount += 1;
        }
      }
    }
    expect(rollCount).toBe(216);
  });

  it('offers its zones and returns at most 35/36', () => {
    expect(house.zones).toHaveLength(zoneCounts[id] ?? 0);
    expect(formatFraction(returnToPlayerMax(house))).toBe('35/36');
    expect(formatPercent(returnToPlayerMax(house))).toBe('97.22 %');
  });
});

it('marks the prices that a document does not state, and says where they come from', () => {
  const unstated = (id: string) =>
    loadHouse(id)
      .zones.filter((zone) => !zone.isFromDocument)
      .map(({ zone }) => zone.group);

  expect(unstated('regulation-ru')).toEqual([]);
  expect(unstated('macau')).toEqual([]);
  expect(unstated('live')).toEqual([]);
  expect(new Set(unstated('trainer'))).toEqual(new Set(['small', 'big', 'double', 'triple', 'any-triple', 'total']));
  expect(new Set(unstated('atlantic-city'))).toEqual(new Set(['small', 'big', 'triple', 'any-triple', 'total']));
  expect(loadHouse('trainer').otherPriceSource).toMatch(/Australian/);
  expect(loadHouse('live').otherPriceSource).toBeNull();
});

it('shakes again three times in macau and once elsewhere, and wants three tumbles everywhere', () => {
  const reshakes = houseIds().map((id) => [id, loadHouse(id).play.reshakeActivations, loadHouse(id).play.tumblesMin]);

  expect(reshakes).toEqual([
    ['atlantic-city', 1, 3],
    ['live', 1, 3],
    ['macau', 3, 3],
    ['regulation-ru', 1, 3],
    ['trainer', 1, 3],
  ]);
});
