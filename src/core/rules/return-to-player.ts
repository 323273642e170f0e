import { type Face, faces } from './dice.ts';
import type { House, HouseZone } from './house.ts';
import { compareFractions, type Fraction, fraction, sumOf } from './price.ts';
import { winningPriceIndex, type Zone } from './zones.ts';

/** The 216 equally likely rolls of three dice told apart, from 1-1-1 to 6-6-6, the last die fastest. */
export const allRolls: readonly (readonly [Face, Face, Face])[] = faces.flatMap((a) =>
  faces.flatMap((b) => faces.map((c): readonly [Face, Face, Face] => [a, b, c])),
);

/** In how many of the 216 rolls each of the zone's prices is paid, e.g. 75, 15 and 1 for a `single`. */
export function waysOf(zone: Zone, priceCount: number): readonly number[] {
  const ways = Array.from({ length: priceCount }, () => 0);
  for (const roll of allRolls) {
    const index = winningPriceIndex(zone, roll);
    if (index !== null) ways[index] = (ways[index] ?? 0) + 1;
  }
  return ways;
}

/** Exact share of the stakes on this zone that comes back over the 216 rolls, stake included. */
export function returnToPlayer({ zone, prices }: HouseZone): Fraction {
  const ways = waysOf(zone, prices.length);
  return prices
    .map((price, index) => fraction((ways[index] ?? 0) * (price.n + price.d), allRolls.length * price.d))
    .reduce(sumOf, fraction(0, 1));
}

/** The highest return of any zone of the house: 35/36 (97.22 %) in every house that comes with the product. 0/1 for a house without zones. */
export function returnToPlayerMax(house: House): Fraction {
  return house.zones.map(returnToPlayer).reduce((max, rtp) => (compareFractions(rtp, max) > 0 ? rtp : max), fraction(0, 1));
}
