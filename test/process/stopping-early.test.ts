import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startGpioTree } from '../../hardware-sim/gpio-tree.ts';
import { gpioSimulationObstacle } from '../../hardware-sim/in-gpio-namespace.ts';
import { ProcessBench } from './process-bench.ts';

const lines = { data: 529, clock: 539, latch: 534, outputEnable: 535 };
const lampKeys = `kind = "chain-74hc595"
chipLabel = "sim-gpio"
dataLine = 17
clockLine = 27
latchLine = 22
outputEnableLine = 23`;

/** True once the daemon handles its signals: SIGXFSZ is taken in the same breath as SIGTERM, which Node catches for itself from the beginning.
 *  Signal 25 is bit 24 of the caught signals. */
function handlesSignals(pid: number): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${caught}`) >> 24n) & 1n) === 1n;
}

it.runIf(gpioSimulationObstacle() === null)(
  'ends in order when it is told to stop while it still waits for its lamps',
  async () => {
    const bench = await ProcessBench.open();
    // udev hands the line over only after a while, so the start takes as long.
    const tree = await startGpioTree({
      chips: [{ label: 'sim-gpio', base: 512, lineCount: 64 }],
      wiring: { kind: 'chain', ...lines, registerCount: 14, isActiveLow: false },
      faults: { unwritableMs: { [lines.clock]: 1_200 } },
    });
    onTestFinished(() => tree.close());
    await bench.plugInShaker();
    bench.configure({ lamps: lampKeys });
    const table = bench.start({ spawn: (...args) => tree.spawn(...args) });
    await vi.waitUntil(() => handlesSignals(table.child.pid ?? 0), { timeout: 15_000, interval: 5 });

    const ended = await table.end('SIGTERM');

    expect(ended).toEqual({ code: 0, signal: null });
    expect(bench.kinds()).toEqual(['journalCreated']);
    expect(await tree.lit()).toEqual([]);
    const again = bench.start({ spawn: (...args) => tree.spawn(...args) });
    await again.ready;
    expect(await again.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(bench.kinds().slice(0, 2)).toEqual(['journalCreated', 'tableStarted']);
    expect(bench.kinds().at(-1)).toBe('tableStopped');
  },
  90_000,
);
