import { afterEach, describe, expect, it } from 'vitest';
import { firmwareKinds, neverAborted, oneShake, type ShakerBench, shakerBench } from './shaker-bench.ts';

let bench: ShakerBench;
afterEach(() => bench.close());

describe.each(firmwareKinds)('with the firmware %s, the shaker', (kind) => {
  it.each([1, 2])(
    'sends no shake to a board that starts deaf and noisy, and makes one session of %i banners (SER-07)',
    async (bannerCount) => {
      bench = await shakerBench({}, {}, kind);
      const { shaker, device } = bench;
      shaker.open();
      device.inject({ kind: 'reboot', deafMs: 2_500, noiseByteCount: 64, bannerCount });
      expect(await shaker.shake(oneShake(1), neverAborted())).toEqual({ kind: 'failed', cause: 'link-lost' });
      await bench.until(() => shaker.status.isOnline);
      expect(bench.kinds()).toEqual(['online']);
      expect(shaker.status.counters).toMatchObject({ 'session.opened': 1 });
      expect(device.firmware.heard.shake).toBeUndefined();
      expect(await shaker.shake(oneShake(2), neverAborted())).toMatchObject({ kind: 'finished', tumbleCount: 3 });
    },
  );

  it('logs noise as hex, so that the log stays valid text, and bounds it (SER-07)', async () => {
    bench = await shakerBench({}, {}, kind);
    const { shaker, device } = bench;
    shaker.open();
    await bench.until(() => shaker.status.isOnline);
    for (let line = 0; line < 200; line += 1) device.inject({ kind: 'bytes', hex: '00fffa0d220a' });
    await bench.until(() => shaker.status.counters['line.not-ascii'] === 200);
    const noise = bench.log.filter(({ message }) => message === 'line discarded');
    expect(noise[0]?.fields).toEqual({ cause: 'not-ascii', byteCount: 5, hex: '00fffa0d22', suppressedCount: 0 });
    expect(noise.length).toBeLessThanOrEqual(20);
    expect(shaker.status.isOnline).toBe(true);
    for (const { fields } of bench.log) expect(JSON.parse(JSON.stringify(fields))).toEqual(fields);
  });

  it('does not take a banner for a restart when it comes again after the handshake (SER-07)', async () => {
    bench = await shakerBench({}, {}, kind);
    const { shaker, device } = bench;
    shaker.open();
    await bench.until(() => shaker.status.isOnline);
    const banner = Buffer.from('!1 s=0000 boot=1 boot fw=1.0.0 protocol=1 cause=reset*357FD9\n').toString('hex');
    device.inject({ kind: 'bytes', hex: banner });
    await bench.until(() => shaker.status.counters['boot.seen'] === 1);
    expect(shaker.status.counters['session.opened']).toBe(1);
    expect(bench.kinds()).toEqual(['online']);
  });

  it('takes nothing for its own that lay in the line from an older session', async () => {
    bench = await shakerBench({}, {}, kind);
    const { shaker, device } = bench;
    // Whole, checked lines of another session: an answer to the number of the next request, and an end of the next order.
    const lines = [
      '<3 s=beef boot=1 status up=1 state=idle lid=open cover=closed supply=low jam=on tamper=on*59C82A',
      '!9 s=beef boot=1 ended order=1 outcome=settled activations=1 tumbles=9*469432',
    ];
    shaker.open();
    await bench.until(() => shaker.status.isOnline);
    const shaking = shaker.shake(oneShake(1), neverAborted());
    for (const line of lines) device.inject({ kind: 'bytes', hex: Buffer.from(`${line}\n`).toString('hex') });
    expect(await shaking).toMatchObject({ kind: 'finished', tumbleCount: 3 });
    expect(shaker.status.counters['line.before-session']).toBe(2);
    expect(bench.kinds()).not.toContain('faultRaised');
  });
});
