import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firmwareKinds, neverAborted, oneShake, type ShakerBench, shakerBench } from './shaker-bench.ts';

describe.each(firmwareKinds)('with the firmware %s, the shaker', (kind) => {
  let bench: ShakerBench;
  beforeEach(async () => {
    bench = await shakerBench({}, {}, kind);
    bench.shaker.open();
    await bench.until(() => bench.shaker.status.isOnline);
  });
  afterEach(() => bench.close());

  it.each([
    ['with a banner', 1],
    ['silently, known only by its boot counter', 0],
    ['with two banners', 2],
  ])('voids the shake when the board restarts %s, and the next one is a new full shake (SER-08)', async (_, bannerCount) => {
    const { shaker, device } = bench;
    device.inject({ kind: 'when', said: 'shake', delayMs: 150, fault: { kind: 'reboot', bannerCount } });
    const startMs = performance.now();
    expect(await shaker.shake(oneShake(1), neverAborted())).toEqual({ kind: 'failed', cause: 'rebooted' });
    expect(performance.now() - startMs).toBeLessThan(2_200);
    expect(device.firmware.model?.lastOrder).toMatchObject({ order: 1, outcome: 'lost' });
    await bench.until(() => shaker.status.isOnline);
    expect(shaker.status.identity?.bootCount).toBe(2);
    expect(bench.kinds().filter((kind) => kind === 'offline')).toHaveLength(1);
    // The table does not ask for it, but even the same order again is no second shake.
    expect(await shaker.shake(oneShake(1), neverAborted())).toEqual({ kind: 'failed', cause: 'rebooted' });
    expect(device.firmware.motionCount).toBe(1);
    expect(await shaker.shake(oneShake(2), neverAborted())).toMatchObject({
      kind: 'finished',
      tumbleCount: 3,
      activationCount: 1,
    });
    expect(device.firmware.motionCount).toBe(2);
  });

  it('takes no result from a board that restarts right after its last tumble (SER-08)', async () => {
    bench.device.inject({ kind: 'when', said: 'settled', delayMs: 0, fault: { kind: 'reboot', bannerCount: 0 } });
    bench.device.inject({ kind: 'drop', from: 'event', verb: 'ended', count: 1 });
    const outcome = await bench.shaker.shake(oneShake(1), neverAborted());
    // The end was lost and so was the board; only its memory knows that the shake was done, and the host does not rely on it.
    // A board that is a process of its own may take so long to start that the host has given the link up before.
    const causes = kind === 'avr' ? ['rebooted', 'link-lost'] : ['rebooted'];
    expect(causes.map((cause) => ({ kind: 'failed', cause }))).toContainEqual(outcome);
  });

  it('notices a restart between two shakes (SER-08)', async () => {
    bench.device.inject({ kind: 'reboot', bannerCount: 0 });
    await bench.until(() => bench.kinds().includes('offline'), 2_200);
    await bench.until(() => bench.shaker.status.isOnline);
    expect(bench.shaker.status.identity?.bootCount).toBe(2);
  });
});
