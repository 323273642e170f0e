import { describe, expect, it } from 'vitest';
import { SimShaker } from '../../hardware-sim/sim-shaker.ts';
import { shakerContract } from '../contracts/shaker-contract.ts';
import { VirtualClock } from '../virtual-clock.ts';

shakerContract('SimShaker', async () => {
  const clock = new VirtualClock();
  const shaker = new SimShaker({ clock });
  return {
    shaker,
    until: (isReached, msMax = 20_000) => clock.advanceUntil(isReached, msMax),
    limitTumbles: (tumbles) => shaker.queue({ tumbles }),
    befall: (what) => shaker.befall(what),
    pushCover: (position) => shaker.pushCover(position),
    unplug: async () => shaker.plug(false),
    plugIn: async () => shaker.plug(true),
    motionCount: () => shaker.motionCount,
    close: () => shaker.close(),
  };
});

describe('the script of a simulated shaker', () => {
  it('is played shake by shake, and good shakes follow it', async () => {
    const clock = new VirtualClock();
    const shaker = new SimShaker({ clock, script: [{ tumbles: 2 }, 'good', { isSettled: false }, { fails: 'jammed' }] });
    shaker.open();
    const outcomes: unknown[] = [];
    for (const orderNumber of [1, 2, 3, 4, 5]) {
      await clock.advance(1);
      if (orderNumber === 5) await shaker.clearFaults();
      const shaking = shaker.shake({ orderNumber, activationCount: 1, tumbleCount: 3 }, new AbortController().signal);
      await clock.advance(1_000);
      outcomes.push(await shaking);
    }
    expect(outcomes).toEqual([
      { kind: 'finished', tumbleCount: 2, activationCount: 1, isSettled: true },
      { kind: 'finished', tumbleCount: 3, activationCount: 1, isSettled: true },
      { kind: 'finished', tumbleCount: 3, activationCount: 1, isSettled: false },
      { kind: 'failed', cause: 'jammed' },
      { kind: 'finished', tumbleCount: 3, activationCount: 1, isSettled: true },
    ]);
  });
});
