import { describe, expect, it } from 'vitest';
import type { GuideShaker } from '../../calibration/guide-parts.ts';
import { SimShaker, type SimShakerOptions } from '../../hardware-sim/sim-shaker.ts';
import { openGuideShaker } from '../../src/cli/guide-shaker.ts';
import type { ShakerNotice } from '../../src/ports/shaker.ts';
import { VirtualClock } from '../virtual-clock.ts';

const shakes = { activationCount: 1, tumbleCount: 3 };

async function opened(options: Omit<SimShakerOptions, 'clock'>) {
  const clock = new VirtualClock();
  const shaker = new SimShaker({ clock, ...options });
  const notices: ShakerNotice[] = [];
  shaker.onNotice((notice) => notices.push(notice));
  const opening = openGuideShaker(shaker, clock, shakes);
  await clock.advance(10_000);
  const guide = await opening;
  const rolled = async (signal = new AbortController().signal): Promise<string | null> => {
    const roll = (guide as GuideShaker).roll(signal);
    await clock.advance(30_000);
    return roll;
  };
  const orders = (): readonly number[] =>
    notices.flatMap((each) => (each.kind === 'activationStarted' ? [each.orderNumber] : []));
  return { shaker, guide, rolled, orders };
}

describe('rolling the dice of a calibration with the shaker', () => {
  it('shakes as the table does, with order numbers above the last one that the shaker knows', async () => {
    const { rolled, orders } = await opened({ rememberedOrder: 41 });

    expect(await rolled()).toBeNull();
    expect(await rolled()).toBeNull();
    expect(orders()).toEqual([42, 43]);
  });

  it('begins with order 1 at a shaker that has never had one', async () => {
    const { rolled, orders } = await opened({});

    expect(await rolled()).toBeNull();
    expect(orders()).toEqual([1]);
  });

  it('opens the cover before it rolls', async () => {
    const { rolled, shaker } = await opened({ cover: 'closed' });

    expect(await rolled()).toBeNull();
    expect(shaker.cover).toBe('open');
  });

  it('says in words why it did not shake, and shakes again when that is put right', async () => {
    const { rolled } = await opened({ script: [{ fails: 'lid-open' }, { tumbles: 1 }, 'good'] });

    expect(await rolled()).toContain('The lid is open: close it');
    expect(await rolled()).toBe('The dice tumbled 1 times, 3 are needed: look at motor and dice');
    expect(await rolled()).toBeNull();
  });

  it('leaves the dice to the technician when no shaker answers', async () => {
    const clock = new VirtualClock();
    // A shaker that is never opened is never online.
    const shaker = new SimShaker({ clock });
    await shaker.close();
    const opening = openGuideShaker(shaker, clock, shakes);
    await clock.advance(10_000);

    expect(await opening).toBeNull();
  });
});
