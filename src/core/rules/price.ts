/** "n to d": a stake of d wins n, and the stake comes back. Whole, positive and reduced; made by `parsePrice` only. */
export interface Price {
  readonly n: number;
  readonly d: number;
}

/** An exact share of one, reduced. Made by `fraction`. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** Largest n and d of a price. They keep every sum over the 216 rolls a safe integer; the dearest price known is 180:1. */
export const priceNMax = 10_000;
export const priceDMax = 100;

/** Reads "3:2" and reduces it. @returns null for anything else, also for a zero, a sign, a space or a part above its maximum. */
export function parsePrice(text: string): Price | null {
  const match = /^([1-9]\d{0,4}):([1-9]\d{0,2})$/.exec(text);
  if (match === null) return null;
  const n = Number(match[1]);
  const d = Number(match[2]);
  if (n > priceNMax || d > priceDMax) return null;
  const divisor = greatestCommonDivisor(n, d);
  return { n: n / divisor, d: d / divisor };
}

/** The price as it is written on a layout, e.g. "3:2". */
export function formatPrice(price: Price): string {
  return `${price.n}:${price.d}`;
}

/** Reduces `numerator`/`denominator`. @param numerator >= 0. @param denominator > 0; both safe integers. */
export function fraction(numerator: number, denominator: number): Fraction {
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

/** Sum of two fractions, reduced. */
export function sumOf(a: Fraction, b: Fraction): Fraction {
  return fraction(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

/** Negative when a < b, 0 when equal, positive when a > b. Exact. */
export function compareFractions(a: Fraction, b: Fraction): number {
  return a.numerator * b.denominator - b.numerator * a.denominator;
}

/** E.g. "35/36". */
export function formatFraction(value: Fraction): string {
  return `${value.numerator}/${value.denominator}`;
}

/** E.g. "97.22 %", rounded to two places for people; compare the fraction itself. */
export function formatPercent(value: Fraction): string {
  return `${((100 * value.numerator) / value.denominator).toFixed(2)} %`;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
