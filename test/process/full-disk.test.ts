import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PublicEvent } from '../../src/api/public-event.ts';
import type { HealthView } from '../../src/api/views.ts';
import { litOutputs } from '../soak/lamp-check.ts';
import { ProcessBench } from './process-bench.ts';
import { eventsOf, heard, listener, tableNow } from './table-clients.ts';

describe('a disk that is full in the middle of a round', { timeout: 90_000 }, () => {
  it.each([
    ['shakeOrdered', 'while the dice are shaken'],
    ['restWatchOrdered', 'while the dice come to rest'],
    ['readOrdered', 'between reading and result'],
  ] as const)('lets no result out and goes on by itself with space: full from %s on, %s', async (moment, _when) => {
    const bench = await ProcessBench.open();
    const lamps = await bench.hangLamps();
    await bench.plugInShaker();
    bench.configure({ play: { reviewMs: 1_000 } });
    const table = bench.start();
    const client = await listener(await table.ready);
    await heard(client, 'roundSettled');
    const pid = table.child.pid ?? 0;
    const space = (bytes: number | 'unlimited'): void =>
      void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
    onTestFinished(() => void (table.isRunning && table.child.kill('SIGCONT')));

    // The process stands still while its disk is filled, so that the next record is the first that does not fit. A reading takes a tenth of a second:
    // where the stop comes after the result, the next round serves.
    for (let round = 1; ; round += 1) {
      const count = eventsOf(client, moment).length + 1;
      const stopAt = (): void => {
        if (eventsOf(client, moment).length === count) table.child.kill('SIGSTOP');
      };
      client.socket.on('message', stopAt);
      await heard(client, moment, count);
      client.socket.off('message', stopAt);
      if (bench.kinds().at(-1) === moment || round === 6) break;
      table.child.kill('SIGCONT');
    }
    expect(bench.kinds().at(-1)).toBe(moment);
    space(statSync(`${bench.places.journalPath}-wal`).size);
    const headBefore = client.seqs().at(-1) ?? 0;
    const resultsBefore = eventsOf(client, 'resultDeclared').length;
    table.child.kill('SIGCONT');

    const health = async (): Promise<HealthView> => (await (await fetch(`${bench.address}/api/health`)).json()) as HealthView;
    await vi.waitUntil(async () => (await health()).standingFaults.some(({ code }) => code === 'journal.unwritable'), {
      timeout: 15_000,
    });
    const heartbeats = client.messages.filter(({ type }) => type === 'heartbeat').length;
    // Three heartbeats are three more attempts of the table to write.
    await vi.waitUntil(() => client.messages.filter(({ type }) => type === 'heartbeat').length >= heartbeats + 3, {
      timeout: 15_000,
    });

    expect((await health()).status).toBe('blocked');
    expect(client.seqs().at(-1)).toBe(headBefore);
    expect(client.messages.at(-1)).toMatchObject({ type: 'heartbeat', seq: headBefore });
    const { round } = await tableNow(bench.address);
    expect(round).toMatchObject({ result: null, end: null });
    expect((await lamps.lit()) ?? []).toEqual([]);
    expect(await bench.act('hold', { roundId: round?.roundId, reason: 'disk' })).toEqual({
      status: 409,
      code: 'act.journal-unwritable',
    });

    space('unlimited');
    await heard(client, 'resultDeclared', resultsBefore + 1);
    await expect
      .poll(async () => (await lamps.lit()) ?? [])
      .toEqual((await lamps.lit()) === null ? [] : litOutputs(bench.records()));
    // By its id: where an earlier round served for nothing, a second settled round is there before this one is.
    const isSettled = (event: PublicEvent): boolean => event.kind === 'roundSettled' && event.roundId === round?.roundId;
    await vi.waitUntil(() => eventsOf(client, 'roundSettled').some(isSettled), { timeout: 25_000 });

    expect(await table.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const settled = bench.records().filter(({ event }) => event.kind === 'roundSettled' && event.roundId === round?.roundId);
    expect(settled).toHaveLength(1);
  });
});
