import { describe, expect, it } from 'vitest';
import { GpioLamps } from '../../src/devices/gpio-lamps.ts';
import { InputError } from '../../src/errors.ts';
import type { Clock } from '../../src/ports/clock.ts';

const stoppedClock: Clock = { now: () => ({ wallMs: 0, monoMs: 0 }), after: () => () => {} };

function problemsOf(make: () => unknown): readonly string[] {
  try {
    make();
  } catch (error) {
    if (error instanceof InputError && error.code === 'config.lamps') return error.problems;
    throw error;
  }
  return [];
}

describe('the wiring of the lamps', () => {
  it('is refused with all its problems at once', () => {
    const zones = new Map([
      ['big', 3],
      ['small', 3],
      ['total-4', 16],
    ]);
    const lines = { data: 5, clock: 5, latch: 13, outputEnable: -1 };
    const options = {
      chipLabel: 'x',
      isActiveLow: false,
      refreshMs: 1_000,
      wiring: { kind: 'chain', lines, registerCount: 2, zones },
    } as const;
    expect(problemsOf(() => new GpioLamps(options, stoppedClock))).toEqual([
      'refreshMs is 1000, allowed are 50 to 900',
      'line offset 5 is given to both data and clock',
      'line offset -1 of outputEnable is not 0 or more',
      'output 3 is given to both big and small',
      'output 16 of total-4 is not 0 to 15',
    ]);
  });

  it('is accepted when every zone has a place of its own', () => {
    const options = {
      chipLabel: 'x',
      isActiveLow: true,
      wiring: {
        kind: 'direct',
        zones: new Map([
          ['big', 0],
          ['small', 27],
        ]),
      },
    } as const;
    expect(problemsOf(() => new GpioLamps(options, stoppedClock))).toEqual([]);
  });
});
