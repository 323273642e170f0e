import type { HouseView } from '../../api/views.ts';

export type ZoneView = HouseView['zones'][number];

/** A zone with what its id says about its place on the felt. */
export interface PlacedZone {
  readonly zone: ZoneView;
  /** The id without its numbers, e.g. `pair` of `pair-2-5`. */
  readonly group: string;
  readonly numbers: readonly number[];
}

/** Groups that have a place of their own on the layout; any other goes into the last block, so no zone of a house is ever left out. */
const knownGroups: ReadonlySet<string> = new Set([
  'small',
  'big',
  'odd',
  'even',
  'single',
  'double',
  'triple',
  'any-triple',
  'total',
  'pair',
  'all-odd',
  'all-even',
  'two-odd-one-even',
  'two-even-one-odd',
  'three-single',
  'double-single',
  'four-number',
]);

/** Zones of a house by group, in the house's order; those of no known group under `other`. Pure. */
export function zonesByGroup(house: HouseView): ReadonlyMap<string, readonly PlacedZone[]> {
  const groups = new Map<string, PlacedZone[]>();
  for (const zone of house.zones) {
    const match = /^([a-z-]*[a-z])((?:-\d+)*)$/.exec(zone.id);
    const group = match?.[1] ?? zone.id;
    const numbers = (match?.[2] ?? '').split('-').filter(Boolean).map(Number);
    const key = knownGroups.has(group) ? group : 'other';
    groups.set(key, [...(groups.get(key) ?? []), { zone, group, numbers }]);
  }
  return groups;
}

/** The one price of all zones of a block, or null when they differ. Pure. */
export function commonPrice(zones: readonly PlacedZone[]): string | null {
  const prices = new Set(zones.map(({ zone }) => zone.pays.join(' / ')));
  return prices.size === 1 ? ([...prices][0] ?? null) : null;
}
