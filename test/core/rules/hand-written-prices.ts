/** What each house pays, copied by hand from its rule document and not from the house files. Totals are listed from 4 to 17. */
export interface HandWrittenPrices {
  readonly double: string;
  readonly triple: string;
  readonly anyTriple: string;
  readonly totals: readonly string[];
  readonly pair: string;
  readonly hasAllZones: boolean;
}

const fifty = { hasAllZones: false };

export const handWrittenPrices: Readonly<Record<string, HandWrittenPrices>> = {
  'regulation-ru': {
    double: '10:1',
    triple: '180:1',
    anyTriple: '30:1',
    totals: ['60:1', '30:1', '17:1', '12:1', '8:1', '6:1', '6:1', '6:1', '6:1', '8:1', '12:1', '17:1', '30:1', '60:1'],
    pair: '5:1',
    ...fifty,
  },
  macau: {
    double: '8:1',
    triple: '150:1',
    anyTriple: '24:1',
    totals: ['50:1', '18:1', '14:1', '12:1', '8:1', '6:1', '6:1', '6:1', '6:1', '8:1', '12:1', '14:1', '18:1', '50:1'],
    pair: '5:1',
    ...fifty,
  },
  live: {
    double: '10:1',
    triple: '180:1',
    anyTriple: '30:1',
    totals: ['60:1', '30:1', '18:1', '12:1', '8:1', '7:1', '6:1', '6:1', '7:1', '8:1', '12:1', '18:1', '30:1', '60:1'],
    pair: '5:1',
    hasAllZones: true,
  },
  trainer: {
    double: '11:1',
    triple: '180:1',
    anyTriple: '31:1',
    totals: ['62:1', '31:1', '18:1', '12:1', '8:1', '7:1', '6:1', '6:1', '7:1', '8:1', '12:1', '18:1', '31:1', '62:1'],
    pair: '6:1',
    ...fifty,
  },
  'atlantic-city': {
    double: '10:1',
    triple: '180:1',
    anyTriple: '30:1',
    totals: ['60:1', '30:1', '17:1', '12:1', '8:1', '6:1', '6:1', '6:1', '6:1', '8:1', '12:1', '17:1', '30:1', '60:1'],
    pair: '5:1',
    ...fifty,
  },
};

/** The winners of a roll as "zone pays", sorted as text. Starts from the dice and names what they win, the other way round than the product,
 *  which asks each zone. */
export function handWrittenWins(roll: readonly [number, number, number], prices: HandWrittenPrices): string[] {
  const [low, middle, high] = [...roll].sort((x, y) => x - y) as [number, number, number];
  const total = low + middle + high;
  const wins: string[] = [];
  const odds = (low % 2) + (middle % 2) + (high % 2);

  if (total >= 4 && total <= 17) wins.push(`total-${total} ${prices.totals[total - 4]}`);
  if (low === high) {
    wins.push(
      `single-${low} 3:1`,
      `double-${low} ${prices.double}`,
      `triple-${low} ${prices.triple}`,
      `any-triple ${prices.anyTriple}`,
    );
  } else {
    wins.push(total > 10 ? 'big 1:1' : 'small 1:1');
    if (prices.hasAllZones) wins.push(total % 2 === 0 ? 'even 1:1' : 'odd 1:1');
    if (low === middle || middle === high) {
      const once = low === middle ? high : low;
      wins.push(
        `single-${middle} 2:1`,
        `single-${once} 1:1`,
        `double-${middle} ${prices.double}`,
        `pair-${low}-${high} ${prices.pair}`,
      );
      if (prices.hasAllZones) wins.push(`double-single-${middle}-${middle}-${once} 60:1`);
    } else {
      wins.push(`single-${low} 1:1`, `single-${middle} 1:1`, `single-${high} 1:1`);
      for (const pair of [`${low}-${middle}`, `${low}-${high}`, `${middle}-${high}`]) wins.push(`pair-${pair} ${prices.pair}`);
      if (prices.hasAllZones) {
        wins.push(`three-single-${low}-${middle}-${high} 30:1`);
        for (const four of ['1-2-3-4', '2-3-4-5', '2-3-5-6', '3-4-5-6']) {
          if ([low, middle, high].every((face) => four.includes(String(face)))) wins.push(`four-number-${four} 7:1`);
        }
      }
    }
  }
  if (prices.hasAllZones) wins.push(['all-even 6:1', 'two-even-one-odd 3:2', 'two-odd-one-even 3:2', 'all-odd 6:1'][odds] ?? '');
  return wins.sort();
}
