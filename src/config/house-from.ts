import type { House, HouseZone } from '../core/rules/house.ts';
import { parsePrice } from '../core/rules/price.ts';
import { allZones, type Zone } from '../core/rules/zones.ts';
import type { HouseFile, ZoneSection } from './house-schema.ts';

/** The sections of a house file by their key; null for one that its schema refused. */
export type ZoneSections = Readonly<Record<string, ZoneSection | null | undefined>>;

/** Makes the house that a faultless file describes: one with no `houseProblems`. @param sha256 of the file's bytes. */
export function houseFrom(file: HouseFile, sha256: string): House {
  const [first = '', ...others] = file.languages;
  return {
    id: file.id,
    sha256,
    titles: file.title,
    documents: file.documents,
    languages: [first, ...others],
    currency: file.currency,
    numberLocale: file.numberLocale,
    draw: file.draw,
    otherPriceSource: file.otherPriceSource ?? null,
    play: file.play,
    zones: offeredZones(file.zone).map(({ zone, section }) => houseZoneFrom(zone, section)),
  };
}

/** The zones that have a section of their own or by their group, each with what both say together: its own words go first.
 *  Zones that need a refused section are left out. */
export function offeredZones(sections: ZoneSections): readonly { readonly zone: Zone; readonly section: ZoneSection }[] {
  return allZones.flatMap((zone) => {
    const group = sections[zone.group];
    const own = sections[zone.id];
    if (group === null || own === null || (group === undefined && own === undefined)) return [];
    return [{ zone, section: { ...group, ...own } }];
  });
}

/** One zone of the house with its texts and prices filled in. */
export function houseZoneFrom(zone: Zone, section: ZoneSection): HouseZone {
  const numbers = zone.numbers.join('-');
  const labels = Object.entries(section.label ?? {}).map(([language, label]) => [language, label.replaceAll('{n}', numbers)]);
  return {
    zone,
    labels: Object.fromEntries(labels),
    prices: pricesOf(section).flatMap((text) => parsePrice(text) ?? []),
    isFromDocument: section.isFromDocument ?? true,
  };
}

/** The prices as written, none when the section gives none. */
export function pricesOf(section: ZoneSection): readonly string[] {
  return section.pays === undefined ? [] : [section.pays].flat();
}
