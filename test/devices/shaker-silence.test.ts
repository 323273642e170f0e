import { writeSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firmwareKinds, neverAborted, oneShake, type ShakerBench, shakerBench } from './shaker-bench.ts';

const neverReadsMs = Number(process.env.SHAKER_NEVER_READS_MS ?? 4_000);
const cpuWindowMs = Number(process.env.SHAKER_CPU_WINDOW_MS ?? 3_000);

describe.each(firmwareKinds)('with the firmware %s, the shaker', (kind) => {
  let bench: ShakerBench;
  let lastOrderNumber = 0;

  /** A shake that lasts 12 s, so that it is always under way when something happens. */
  const longShake = async () => ({
    tumbles: Array.from({ length: 9 }, (_, index) => ({ atMs: 400 * (index + 1), strengthMilliG: 1_000 })),
    settledAtMs: 9_500,
  });

  beforeEach(async () => {
    lastOrderNumber = 0;
    bench = await shakerBench({}, {}, kind);
    bench.shaker.open();
    await bench.until(() => bench.shaker.status.isOnline);
  });
  afterEach(() => bench.close());

  const shakeOnce = () => {
    lastOrderNumber += 1;
    return bench.shaker.shake(oneShake(lastOrderNumber), neverAborted());
  };

  it('shows a shaker that stays open and says nothing as offline within two heartbeats (SER-02 a)', async () => {
    bench.device.inject({ kind: 'silent', isOn: true });
    const silentMs = performance.now();
    await bench.until(() => bench.kinds().includes('offline'));
    expect(performance.now() - silentMs).toBeLessThan(2_200);
    expect(await shakeOnce()).toEqual({ kind: 'failed', cause: 'link-lost' });
    bench.device.inject({ kind: 'silent', isOn: false });
    await bench.until(() => bench.shaker.status.isOnline);
    expect(bench.device.firmware.motionCount).toBe(0);
  });

  it('loses a shake to silence, and the motor stops by itself (SER-02 a)', async () => {
    await bench.close();
    bench = await shakerBench({ onActivation: longShake }, {}, kind);
    const { shaker, device } = bench;
    shaker.open();
    await bench.until(() => shaker.status.isOnline);
    const shaking = shaker.shake({ orderNumber: 1, activationCount: 1, tumbleCount: 9 }, neverAborted());
    await bench.until(() => bench.kinds().includes('tumble'));
    device.inject({ kind: 'silent', isOn: true });
    const silentMs = performance.now();
    expect(await shaking).toEqual({ kind: 'failed', cause: 'link-lost' });
    expect(performance.now() - silentMs).toBeLessThan(2_200);
    await bench.until(() => device.firmware.model?.isMotorOn === false, 3_000);
    expect(device.firmware.model?.lastOrder).toMatchObject({ order: 1, outcome: 'quiet' });
  });

  it(`stays quick beside a shaker that reads nothing for ${neverReadsMs} ms, and nothing moves late (SER-02 b)`, async () => {
    const { shaker, device } = bench;
    const loop = monitorEventLoopDelay({ resolution: 5 });
    device.pty?.pause();
    const { heldFd } = device.pty ?? {};
    if (heldFd === null || heldFd === undefined) throw new Error('no terminal');
    const startMs = performance.now();
    // An order first, that lies in the kernel's buffer; then the buffer is full and nothing can be written at all.
    const shaking = shakeOnce();
    const filler = Buffer.alloc(1_024, 0x78);
    let filledByteCount = 0;
    const fill = (): void => {
      try {
        for (;;) filledByteCount += writeSync(heldFd, filler);
      } catch {
        // EAGAIN: full.
      }
    };
    setImmediate(fill);
    loop.enable();
    expect(await shaking).toEqual({ kind: 'failed', cause: 'link-lost' });
    expect(performance.now() - startMs).toBeLessThan(2_200);
    await bench.until(() => performance.now() - startMs > neverReadsMs, neverReadsMs + 1_000);
    expect(await shakeOnce()).toEqual({ kind: 'failed', cause: 'link-lost' });
    expect(filledByteCount).toBeGreaterThan(1_000);
    expect(loop.max / 1e6).toBeLessThan(500);
    device.pty?.resume();
    await bench.until(() => shaker.status.isOnline);
    expect(device.firmware.motionCount).toBe(0);
    expect(await shakeOnce()).toMatchObject({ kind: 'finished' });
  }, 120_000);

  it(`takes under a tenth of a core in the ${cpuWindowMs} ms after the terminal was closed (SER-02 c)`, async () => {
    await bench.device.unplug();
    const before = process.cpuUsage();
    const startMs = performance.now();
    await bench.until(() => performance.now() - startMs > cpuWindowMs, cpuWindowMs + 1_000);
    const { user, system } = process.cpuUsage(before);
    const share = (user + system) / 1_000 / (performance.now() - startMs);
    console.info(`SER-02 c: ${(100 * share).toFixed(1)} % of a core`);
    expect(share).toBeLessThan(0.1);
    expect(bench.shaker.status.isOnline).toBe(false);
  }, 60_000);

  it('asks what became of a shake whose acknowledgement was lost, and does not order it again (SER-02 d)', async () => {
    bench.device.inject({ kind: 'drop', from: 'answer', verb: 'shake', count: 1 });
    expect(await shakeOnce()).toEqual({ kind: 'finished', tumbleCount: 3, activationCount: 1, isSettled: true });
    expect(bench.device.firmware.heard.shake).toBe(1);
    expect(bench.device.firmware.heard.last).toBeGreaterThanOrEqual(1);
    expect(bench.device.firmware.motionCount).toBe(1);
  });

  it('asks what became of a shake whose end was lost (SER-02 d)', async () => {
    bench.device.inject({ kind: 'drop', from: 'event', verb: 'ended', count: 1 });
    expect(await shakeOnce()).toEqual({ kind: 'finished', tumbleCount: 3, activationCount: 1, isSettled: true });
    expect(bench.device.firmware.heard.shake).toBe(1);
    expect(bench.device.firmware.motionCount).toBe(1);
  });

  it('orders a shake once more only when the shaker says that it never took it (SER-02 d)', async () => {
    bench.device.inject({ kind: 'drop', from: 'request', verb: 'shake', count: 1 });
    expect(await shakeOnce()).toMatchObject({ kind: 'finished', tumbleCount: 3 });
    expect(bench.device.firmware.heard).toMatchObject({ shake: 2, last: 2 });
    expect(bench.device.firmware.motionCount).toBe(1);
  });

  it('gives a shake up that never arrives (SER-02 d)', async () => {
    bench.device.inject({ kind: 'drop', from: 'request', verb: 'shake', count: 10 });
    expect(await shakeOnce()).toEqual({ kind: 'failed', cause: 'no-answer' });
    expect(bench.device.firmware.heard.shake).toBe(2);
    expect(bench.device.firmware.motionCount).toBe(0);
  });

  it('gives a shake up about which nobody answers (SER-02 d)', async () => {
    bench.device.inject({ kind: 'drop', from: 'answer', verb: 'shake', count: 1 });
    bench.device.inject({ kind: 'drop', from: 'answer', verb: 'last', count: 10 });
    bench.device.inject({ kind: 'drop', from: 'event', verb: 'ended', count: 1 });
    expect(await shakeOnce()).toEqual({ kind: 'failed', cause: 'link-lost' });
    expect(bench.device.firmware.heard.shake).toBe(1);
  });

  it('learns of an opened lid whose event was lost from the next heartbeat', async () => {
    bench.device.inject({ kind: 'drop', from: 'event', verb: 'lid', count: 1 });
    bench.device.inject({ kind: 'lid', state: 'open' });
    await bench.until(() => bench.kinds().includes('faultRaised'), 2_000);
    expect(bench.notices.at(-1)).toMatchObject({ fault: 'shaker.lid-open' });
  });

  it('calls it tamper when the cover opens without an order, also when it happens while the link is down', async () => {
    await bench.shaker.moveCover(1, 'open');
    await bench.shaker.moveCover(2, 'closed');
    expect(bench.kinds()).toEqual(['online']);
    bench.device.inject({ kind: 'silent', isOn: true });
    await bench.until(() => bench.kinds().includes('offline'));
    bench.device.inject({ kind: 'cover', state: 'open' });
    bench.device.inject({ kind: 'silent', isOn: false });
    await bench.until(() => bench.kinds().includes('tamper'));
  });
});
