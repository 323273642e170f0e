import { describe, expect, it } from 'vitest';
import type { PlaySettings } from '../../src/core/round/settings.ts';
import { playStorm } from './table-storm.ts';

const seeds = (process.env.STORM_SEEDS ?? '1 2').split(' ').map(Number);
const roundCount = Number(process.env.STORM_ROUNDS ?? 100);

/** Target of the design: 1,000 rounds a minute. */
const roundsPerMinuteMin = 1_000;

const plays: readonly (readonly [string, Partial<PlaySettings>])[] = [
  ['bets-first', {}],
  ['bets-first with three activations, unreadable throws void the round', { shakeActivations: 3, unreadableThrow: 'void' }],
  ['shake-first', { orderOfPlay: 'shake-first' }],
];

describe.each(plays)('a table in a storm of faults and acts, %s', (_name, play) => {
  it.each(seeds)('keeps every rule, never declares what does not lie there, and plays on afterwards (seed %i)', async (seed) => {
    const report = await playStorm(seed, roundCount, play);
    expect(report.problems).toEqual([]);
    expect(report.settledCount).toBeGreaterThan(roundCount / 20);
    expect(report.voidedCount).toBeGreaterThan(0);
    expect(report.restartCount).toBeGreaterThan(0);
  });
});

it('plays the same rounds for the same seed', async () => {
  const [first, second] = [await playStorm(7, 20), await playStorm(7, 20)];
  expect(second).toEqual(first);
});

it('plays at least 1,000 rounds a minute', async () => {
  const startMs = performance.now();
  const report = await playStorm(1, 200, {}, true);
  const roundsPerMinute = (report.settledCount / (performance.now() - startMs)) * 60_000;
  console.info(`${Math.round(roundsPerMinute)} simulated rounds a minute of wall time`);
  expect(report.voidedCount).toBe(0);
  expect(roundsPerMinute).toBeGreaterThan(roundsPerMinuteMin);
});
