/** A stream of numbers that repeats exactly for the same seed; the only source of chance in the simulator. */
export interface SeededRandom {
  /** Uniform, 0 <= x < 1. */
  next(): number;
  /** Uniform, low <= x < high. */
  between(low: number, high: number): number;
  /** Whole number, 0 <= n < count. */
  index(count: number): number;
  /** Normal distribution, mean 0, deviation 1. */
  gauss(): number;
  /** One of the items, all equally likely. */
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: 32 bits of state, good enough for throws and noise, and the same on every machine. */
export function seededRandom(seed: number): SeededRandom {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  // Neighbouring seeds start in neighbouring states; a few turns pull them apart.
  for (let turn = 0; turn < 4; turn += 1) next();
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    index: (count) => Math.floor(next() * count),
    gauss: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: <T>(items: readonly T[]): T => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('pick from an empty list');
      return item;
    },
  };
}
