import { execFileSync, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { HealthView } from '../../src/api/views.ts';
import { ProcessBench } from './process-bench.ts';
import { heard, listener } from './table-clients.ts';

it('listens and finds its devices when the disk is full at the start, says so, and holds the round once there is space', async () => {
  const bench = await ProcessBench.open();
  await bench.plugInShaker();
  bench.configure();
  const before = bench.start();
  await heard(await listener(await before.ready), 'shakeOrdered');
  await before.end('SIGKILL');
  const { length } = bench.records();
  const shakeCount = bench.shakes.length;

  // The write-ahead log may not grow. A full disk kills nobody, so neither may the signal that comes with this limit.
  const bytesMax = statSync(`${bench.places.journalPath}-wal`).size;
  const table = bench.start({
    spawn: (command, args, options) =>
      spawn('env', ['--ignore-signal=XFSZ', 'prlimit', `--fsize=${bytesMax}:`, command, ...args], options),
  });
  const address = await table.ready;
  const health = async (): Promise<HealthView> => (await (await fetch(`${address}/api/health`)).json()) as HealthView;
  await vi.waitUntil(async () => (await health()).devices.find(({ device }) => device === 'shaker')?.isUp === true, {
    timeout: 15_000,
  });
  expect((await health()).standingFaults).toEqual([{ code: 'journal.unwritable', isBlocking: true }]);
  const client = await listener(address);
  expect(client.messages[0]).toMatchObject({ type: 'snapshot', seq: length });

  execFileSync('prlimit', ['--pid', String(table.child.pid), '--fsize=unlimited:']);
  await heard(client, 'roundHeld');
  expect(bench.shakes).toHaveLength(shakeCount);
  expect(await table.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(bench.records()[length]).toMatchObject({ event: { kind: 'tableStarted', isAfterCrash: true } });
}, 90_000);
