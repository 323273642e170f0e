import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { firmwareKinds, neverAborted, oneShake, type ShakerBench, shakerBench } from './shaker-bench.ts';

const floodMb = Number(process.env.SHAKER_FLOOD_MB ?? 20);

let bench: ShakerBench;
afterEach(() => bench.close());

const splits = ['lines', 'bytes', 'crlf', 'together'] as const;
/** Strengths of the blows, thousandths of g: as made, and as an ADC of 51.4 thousandths a count measures them. */
const strengths = { model: [1_200, 1_240, 1_280], avr: [1_183, 1_234, 1_285] } as const;

describe.each(firmwareKinds.flatMap((kind) => splits.map((split) => ({ kind, split }))))(
  'a dialogue of the firmware $kind that arrives as $split',
  ({ kind, split }) => {
    it('says the same (SER-05)', async () => {
      const [first, second, third] = strengths[kind];
      bench = await shakerBench({}, {}, kind);
      const { shaker, device } = bench;
      device.inject({ kind: 'wire', split });
      shaker.open();
      await bench.until(() => shaker.status.isOnline);
      const { identity } = shaker.status;
      const outcome = await shaker.shake(oneShake(7), neverAborted());
      expect(identity).toEqual({ deviceId: 'SB-SIM', firmwareVersion: '1.0.0', protocolVersion: 1, bootCount: 1 });
      expect(outcome).toEqual({ kind: 'finished', tumbleCount: 3, activationCount: 1, isSettled: true });
      expect(bench.notices).toEqual([
        { kind: 'online', identity },
        { kind: 'coverSensed', position: 'closed' },
        { kind: 'activationStarted', orderNumber: 7, activationNumber: 1 },
        { kind: 'tumble', orderNumber: 7, tumbleNumber: 1, strengthMilliG: first },
        { kind: 'tumble', orderNumber: 7, tumbleNumber: 2, strengthMilliG: second },
        { kind: 'tumble', orderNumber: 7, tumbleNumber: 3, strengthMilliG: third },
      ]);
      const spoilt = Object.keys(shaker.status.counters).filter((name) => name.startsWith('line.'));
      expect(spoilt.filter((name) => name !== 'line.before-session')).toEqual([]);
    });
  },
);

it(`takes ${floodMb} MB without a line end in bounded memory, shows the link as faulty, and understands the next line (SER-05)`, async () => {
  bench = await shakerBench();
  const { shaker, device } = bench;
  shaker.open();
  await bench.until(() => shaker.status.isOnline);
  // Both ends run in this process: the first megabytes fill the buffer pools of the terminal, the pipe and the compiler, once for all.
  device.inject({ kind: 'flood', byteCount: 10_000_000 });
  await device.flooded;
  device.inject({ kind: 'bytes', hex: '0a' });
  await bench.until(() => shaker.status.counters['line.too-long'] === 1);
  await bench.until(() => shaker.status.isOnline);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const startMs = performance.now();
  const rssStart = process.memoryUsage().rss;
  let rssMax = rssStart;
  // The board babbles instead of answering.
  device.inject({ kind: 'silent', isOn: true });
  device.inject({ kind: 'flood', byteCount: floodMb * 1_000_000 });
  let isOver = false;
  void device.flooded.then(() => {
    isOver = true;
  });
  await bench.until(() => {
    rssMax = Math.max(rssMax, process.memoryUsage().rss);
    return isOver;
  }, 300_000);
  const floodMs = performance.now() - startMs;
  await bench.until(() => bench.kinds().includes('offline'), 5_000);
  device.inject({ kind: 'bytes', hex: '0a' });
  device.inject({ kind: 'silent', isOn: false });
  await bench.until(() => shaker.status.isOnline, 10_000);
  const growthMb = (rssMax - rssStart) / 2 ** 20;
  const lag = loop.max / 1e6;
  console.info(
    `SER-05: ${floodMb} MB in ${Math.round(floodMs)} ms, RSS +${growthMb.toFixed(1)} MB, loop held at most ${lag.toFixed(0)} ms`,
  );
  expect(growthMb).toBeLessThan(20);
  expect(lag).toBeLessThan(500);
  expect(await shaker.shake(oneShake(1), neverAborted())).toMatchObject({ kind: 'finished' });
}, 400_000);
