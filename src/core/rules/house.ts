import type { PlaySettings } from '../round/settings.ts';
import type { Face } from './dice.ts';
import type { Price } from './price.ts';
import { winningPriceIndex, type Zone } from './zones.ts';

/** A zone as one house offers it. */
export interface HouseZone {
  readonly zone: Zone;
  /** What the layout says, by language; has every language of the house. */
  readonly labels: Readonly<Record<string, string>>;
  /** One price, or three for `single` (on one, two, three dice). */
  readonly prices: readonly Price[];
  /** False where the house's own document does not state the price; `House.otherPriceSource` says where it comes from then. */
  readonly isFromDocument: boolean;
}

/** A rule document that a table can play: what may be bet, what it pays, and how the house plays. Read from a data file by `loadHouse`,
 *  which refuses one that is wrong or returns more than it takes. */
export interface House {
  readonly id: string;
  /** Of the bytes of its file, 64 hex digits: two houses with one id and different prices differ here. */
  readonly sha256: string;
  /** By language. */
  readonly titles: Readonly<Record<string, string>>;
  /** The document or documents it follows, for people. */
  readonly documents: readonly string[];
  /** Languages of labels and titles; the first is the one that holds. */
  readonly languages: readonly [string, ...string[]];
  /** ISO 4217 code that amounts are shown with unless the table's file names another. */
  readonly currency: string;
  /** BCP 47 locale by which numbers are written for players (R12: en-US for `live`). */
  readonly numberLocale: string;
  /** Where outcomes come from. Only thrown dice are built; nothing may be claimed of numbers fixed beforehand (R13). */
  readonly draw: 'thrown';
  /** Source of the prices that the document does not state, or null. */
  readonly otherPriceSource: string | null;
  /** What this house fixes of the play; the product's defaults stand for the rest. */
  readonly play: Partial<PlaySettings>;
  /** The zones offered, in the order of `allZones`. */
  readonly zones: readonly HouseZone[];
}

/** A zone that won and what it pays. */
export interface Win {
  readonly zone: string;
  readonly price: Price;
}

/** All zones of the house that win on these dice, in the order of the zone list, each once with its price. Wins add up; the stake comes back. */
export function winningZones(dice: readonly [Face, Face, Face], house: House): readonly Win[] {
  return house.zones.flatMap(({ zone, prices }) => {
    const index = winningPriceIndex(zone, dice);
    const price = index === null ? undefined : prices[index];
    return price === undefined ? [] : [{ zone: zone.id, price }];
  });
}

/** The label in `language`, or in the language that holds when the house has no such labels. */
export function labelOf(zone: HouseZone, house: House, language?: string): string {
  return zone.labels[language ?? house.languages[0]] ?? zone.labels[house.languages[0]] ?? zone.zone.id;
}
