import { expect, it, vi } from 'vitest';
import { litOutputs } from '../soak/lamp-check.ts';
import { ProcessBench } from './process-bench.ts';
import { heard, listener, untilTable } from './table-clients.ts';

/** Time in which a table that cannot go on must be gone, ms: 2.5 s for the motor and the lamps, and the process itself. */
const goneMsMax = 4_000;

it.each([
  // Found when the end of the shake is written.
  ['decision', 'a mistake where a record is written', 'settled'],
  ['callback', 'a mistake in a callback', 'stopped'],
  ['promise', 'a mistake that nobody waited for', 'stopped'],
] as const)(
  'stops the motor, darkens the lamps and leaves with code 1 after a mistake in a %s; the next start holds the round',
  async (mistake, words, outcome) => {
    const bench = await ProcessBench.open();
    const lamps = await bench.hangLamps();
    const firmware = await bench.plugInShaker();
    bench.configure({ play: { reviewMs: 60_000 } });
    const table = bench.start({ mistake });
    const client = await listener(await table.ready);
    await heard(client, 'shakeOrdered');
    await vi.waitUntil(() => firmware.firmware.model?.isMotorOn === true, { timeout: 5_000, interval: 2 });

    const fromMs = performance.now();
    table.child.kill('SIGUSR2');

    expect(await table.ended).toEqual({ code: 1, signal: null });
    expect(performance.now() - fromMs).toBeLessThan(goneMsMax);
    // The line may still carry the stop when the process is gone.
    const model = () => ({ isMotorOn: firmware.firmware.model?.isMotorOn, outcome: firmware.firmware.model?.lastOrder?.outcome });
    await expect.poll(model, { timeout: 1_000 }).toEqual({ isMotorOn: false, outcome });
    expect((await lamps.lit()) ?? []).toEqual([]);
    expect(table.output).toContain('table cannot go on');
    expect(table.output).toContain(words);
    const shakes = [...bench.shakes];
    const again = bench.start();
    await again.ready;
    await untilTable(bench.address, ({ phase, hold }) => phase === 'held' && hold?.cause === 'restarted');
    expect(bench.shakes).toEqual(shakes);
  },
  90_000,
);

it('darkens the lamps of a result after a mistake, and the next start lights them again', async () => {
  const bench = await ProcessBench.open();
  const lamps = await bench.hangLamps();
  await bench.plugInShaker();
  bench.configure({ play: { reviewMs: 60_000 } });
  const table = bench.start({ mistake: 'callback' });
  await heard(await listener(await table.ready), 'resultDeclared');
  const winners = litOutputs(bench.records());
  const isSeen = (await lamps.lit()) !== null;
  await expect.poll(async () => (await lamps.lit()) ?? winners).toEqual(winners);

  table.child.kill('SIGUSR2');

  expect(await table.ended).toEqual({ code: 1, signal: null });
  expect(await lamps.lit()).toEqual(isSeen ? [] : null);
  await bench.start().ready;
  await expect.poll(async () => (await lamps.lit()) ?? winners).toEqual(winners);
}, 90_000);
