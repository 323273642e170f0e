import { afterEach, describe, expect, it } from 'vitest';
import { firmwareKinds, neverAborted, oneShake, type ShakerBench, shakerBench } from './shaker-bench.ts';

let bench: ShakerBench;
afterEach(() => bench.close());

const wrongDevice = () => bench.notices.find((notice) => notice.kind === 'faultRaised');

describe.each(['gps', 'ok-to-all', 'echo', 'printer'] as const)('%s behind the configured name', (persona) => {
  it('is a fault and gets no motion byte; the right shaker ends the fault (SER-11)', async () => {
    bench = await shakerBench();
    const { shaker, device } = bench;
    device.inject({ kind: 'persona', persona });
    shaker.open();
    await bench.until(() => wrongDevice() !== undefined);
    expect(wrongDevice()).toMatchObject({ kind: 'faultRaised', fault: 'shaker.wrong-device' });
    expect(await shaker.shake(oneShake(1), neverAborted())).toEqual({ kind: 'failed', cause: 'link-lost' });
    await shaker.stop();
    const { 'not-understood': _, ...asked } = device.firmware.heard;
    expect(Object.keys(asked)).toEqual(['hello']);
    device.inject({ kind: 'persona', persona: 'shaker' });
    await bench.until(() => shaker.status.isOnline);
    expect(bench.notices).toContainEqual({ kind: 'faultCleared', fault: 'shaker.wrong-device' });
  });
});

it.each(firmwareKinds)('refuses another shaker than the configured one (SER-11), with the firmware %s', async (kind) => {
  bench = await shakerBench({ deviceId: 'SB-0002' }, { deviceId: 'SB-0001' }, kind);
  bench.shaker.open();
  await bench.until(() => wrongDevice() !== undefined);
  expect(wrongDevice()).toMatchObject({ fault: 'shaker.wrong-device', detail: 'shaker "SB-0002" instead of "SB-0001"' });
  expect(Object.keys(bench.device.firmware.heard)).toEqual(['hello']);
});

it.each(firmwareKinds)(
  'is not disturbed by a line that some other program provoked (SER-11), with the firmware %s',
  async (kind) => {
    bench = await shakerBench({}, {}, kind);
    const { shaker, device } = bench;
    shaker.open();
    await bench.until(() => shaker.status.isOnline);
    const chatter = Buffer.from('ERR unknown AT\r\n').toString('hex');
    device.inject({ kind: 'bytes', hex: chatter });
    device.inject({ kind: 'when', said: 'tumble', fault: { kind: 'bytes', hex: chatter } });
    expect(await shaker.shake(oneShake(1), neverAborted())).toMatchObject({ kind: 'finished', tumbleCount: 3 });
    expect(shaker.status.counters['line.malformed']).toBe(2);
    expect(bench.kinds()).not.toContain('offline');
  },
);
