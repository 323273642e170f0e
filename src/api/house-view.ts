import { type House, labelOf } from '../core/rules/house.ts';
import { formatFraction, formatPrice } from '../core/rules/price.ts';
import { returnToPlayer, returnToPlayerMax, waysOf } from '../core/rules/return-to-player.ts';
import type { HouseView } from './views.ts';

/** A house as listeners see it, with labels in `language` or in the one that holds. Pure. */
export function houseView(house: House, language: string = house.languages[0]): HouseView {
  return {
    houseId: house.id,
    name: house.titles[language] ?? house.titles[house.languages[0]] ?? house.id,
    language: house.languages.includes(language) ? language : house.languages[0],
    rtpMax: formatFraction(returnToPlayerMax(house)),
    zones: house.zones.map((zone) => ({
      id: zone.zone.id,
      label: labelOf(zone, house, language),
      pays: zone.prices.map(formatPrice),
      ways: [...waysOf(zone.zone, zone.prices.length)],
      rtp: formatFraction(returnToPlayer(zone)),
    })),
  };
}
