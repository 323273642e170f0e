import { type Dice, type Face, faces } from './dice.ts';

/** Zones that go by one section of a house file and by one rule of winning. */
export type ZoneGroup =
  | 'small'
  | 'big'
  | 'odd'
  | 'even'
  | 'single'
  | 'double'
  | 'triple'
  | 'any-triple'
  | 'total'
  | 'pair'
  | 'all-odd'
  | 'all-even'
  | 'two-odd-one-even'
  | 'two-even-one-odd'
  | 'three-single'
  | 'double-single'
  | 'four-number';

/** A field of the layout that can be bet on and lit. */
export interface Zone {
  /** Unique and fixed for ever: the journal, the lamps and the feed carry it. */
  readonly id: string;
  readonly group: ZoneGroup;
  /** The numbers in the id: faces, or the one total; empty for `small` and the like. */
  readonly numbers: readonly number[];
}

const faceSets = (size: number): number[][] => {
  if (size === 0) return [[]];
  return faceSets(size - 1).flatMap((set) => faces.filter((face) => face > (set.at(-1) ?? 0)).map((face) => [...set, face]));
};

const totals = Array.from({ length: 14 }, (_, index) => 4 + index);
const doublesWithSingle = faces.flatMap((twice) => faces.filter((once) => once !== twice).map((once) => [twice, twice, once]));

function zonesOf(group: ZoneGroup, numberLists: readonly (readonly number[])[] = [[]]): Zone[] {
  return numberLists.map((numbers) => ({ id: [group, ...numbers].join('-'), group, numbers }));
}

/** All 110 zones that any house can offer, in the order of every list the product makes (winners, lamps, tables). */
export const allZones: readonly Zone[] = [
  ...zonesOf('small'),
  ...zonesOf('big'),
  ...zonesOf('odd'),
  ...zonesOf('even'),
  ...zonesOf('single', faceSets(1)),
  ...zonesOf('double', faceSets(1)),
  ...zonesOf('triple', faceSets(1)),
  ...zonesOf('any-triple'),
  ...zonesOf(
    'total',
    totals.map((total) => [total]),
  ),
  ...zonesOf('pair', faceSets(2)),
  ...zonesOf('all-odd'),
  ...zonesOf('all-even'),
  ...zonesOf('two-odd-one-even'),
  ...zonesOf('two-even-one-odd'),
  ...zonesOf('three-single', faceSets(3)),
  ...zonesOf('double-single', doublesWithSingle),
  // The only four sets that the document offers (live, "4 numbers"); 1-2-5-6 and the rest do not exist.
  ...zonesOf('four-number', [
    [1, 2, 3, 4],
    [2, 3, 4, 5],
    [2, 3, 5, 6],
    [3, 4, 5, 6],
  ]),
];

/** Every group once, in the order of `allZones`. */
export const zoneGroups: readonly ZoneGroup[] = [...new Set(allZones.map((zone) => zone.group))];

/** How many prices a zone has: `single` pays by the number of dice that show its face (one, two, three), every other zone has one. */
export function priceCountOf(group: ZoneGroup): 1 | 3 {
  return group === 'single' ? 3 : 1;
}

/** Which of its prices a zone wins on these dice, from 0, or null when it loses. The order of the dice does not matter.
 *  A triple makes small, big, odd and even lose (R8) and counts as it stands for every other zone. */
export function winningPriceIndex(zone: Zone, dice: readonly [Face, Face, Face]): number | null {
  const [a, b, c] = dice;
  const total = a + b + c;
  const isTriple = a === b && b === c;
  const distinctCount = new Set(dice).size;
  const oddCount = dice.filter((face) => face % 2 === 1).length;
  const first = zone.numbers[0] ?? 0;
  const firstCount = dice.filter((face) => face === first).length;
  const shows = (face: number): boolean => dice.some((shown) => shown === face);
  const flat = (isWon: boolean): number | null => (isWon ? 0 : null);
  switch (zone.group) {
    case 'small':
      return flat(total <= 10 && !isTriple);
    case 'big':
      return flat(total >= 11 && !isTriple);
    case 'odd':
      return flat(total % 2 === 1 && !isTriple);
    case 'even':
      return flat(total % 2 === 0 && !isTriple);
    case 'single':
      return firstCount === 0 ? null : firstCount - 1;
    case 'double':
      return flat(firstCount >= 2);
    case 'triple':
      return flat(firstCount === 3);
    case 'any-triple':
      return flat(isTriple);
    case 'total':
      return flat(total === first);
    case 'pair':
      return flat(zone.numbers.every(shows));
    case 'all-odd':
      return flat(oddCount === 3);
    case 'all-even':
      return flat(oddCount === 0);
    case 'two-odd-one-even':
      return flat(oddCount === 2);
    case 'two-even-one-odd':
      return flat(oddCount === 1);
    case 'three-single':
      return flat(distinctCount === 3 && zone.numbers.every(shows));
    case 'double-single':
      return flat(firstCount === 2 && zone.numbers.every(shows));
    case 'four-number':
      return flat(distinctCount === 3 && dice.every((face) => zone.numbers.includes(face)));
    default:
      return zone.group satisfies never;
  }
}

/** The same three dice as they are announced: lowest first, then the total, e.g. "2, 2, 5: 9". @param dice sorted, as `Dice` always is. */
export function announcement(dice: Dice): string {
  return `${dice.join(', ')}: ${dice[0] + dice[1] + dice[2]}`;
}
