import { existsSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FeedClient } from '../api/feed-client.ts';
import { ProcessBench } from './process-bench.ts';
import { heard, keepAliveClient, listener, stoppedListener, tableNow, untilTable } from './table-clients.ts';

/** Time in which a table must be gone, ms (failures.md NET-05). */
const stopMsMax = 5_000;

interface Moment {
  readonly name: string;
  readonly play: Readonly<Record<string, number | boolean>>;
  readonly isReached: (client: FeedClient, bench: ProcessBench) => Promise<void>;
  /** The newest records after the end. */
  readonly records: readonly object[];
}

const stopped = { kind: 'tableStopped', signal: 'SIGTERM' };
const moments: readonly Moment[] = [
  {
    name: 'between two rounds',
    play: { isUnattended: false },
    isReached: (_client, bench) => untilTable(bench.address, ({ faults }) => faults.every(({ isBlocking }) => !isBlocking)),
    records: [stopped],
  },
  {
    name: 'while bets are taken, and voids the round',
    play: { bettingMs: 60_000 },
    isReached: (client) => heard(client, 'bettingOpened'),
    records: [{ kind: 'bettingOpened' }, { kind: 'roundVoided', cause: 'stopped', detail: 'SIGTERM', by: null }, stopped],
  },
  {
    name: 'while the dice are shaken, and holds the round',
    play: {},
    isReached: async (client) => heard(client, 'shakeOrdered'),
    records: [
      { kind: 'shakeOrdered' },
      { kind: 'throwVoided', cause: 'unknown-shake' },
      { kind: 'roundHeld', cause: 'stopping', detail: 'SIGTERM', by: null },
      stopped,
    ],
  },
  {
    name: 'while a result is shown, which stands',
    play: { reviewMs: 60_000 },
    isReached: (client) => heard(client, 'resultDeclared'),
    records: [{ kind: 'resultDeclared' }, stopped],
  },
];

describe('a table that is told to stop, with five displays, two browsers and a display that hangs', { timeout: 90_000 }, () => {
  it.each(moments.map((moment) => [moment.name, moment] as const))(
    'ends within 5 s with code 0 %s',
    async (_name, { play, isReached, records }) => {
      const bench = await ProcessBench.open();
      const lamps = await bench.hangLamps();
      const firmware = await bench.plugInShaker();
      bench.configure({ play });
      const table = bench.start();
      const address = await table.ready;
      const clients = await Promise.all(Array.from({ length: 5 }, () => listener(address)));
      await Promise.all([keepAliveClient(address), keepAliveClient(address), stoppedListener(address)]);
      const [first] = clients;
      if (first === undefined) throw new Error('no listener');
      await isReached(first, bench);

      const startedMs = performance.now();
      const ended = await table.end('SIGTERM');

      expect(ended).toEqual({ code: 0, signal: null });
      expect(performance.now() - startedMs).toBeLessThan(stopMsMax);
      const written = bench.records();
      expect(written.slice(-records.length).map(({ event }) => event)).toMatchObject(records);
      const wal = `${bench.places.journalPath}-wal`;
      expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
      expect((await lamps.lit()) ?? []).toEqual([]);
      expect(firmware.firmware.model?.isMotorOn).toBe(false);
      for (const client of clients) {
        await expect.poll(() => client.closed?.code, { timeout: 10_000 }).toBe(1001);
        expect(client.seqs().at(-1)).toBe(written.length);
      }
    },
  );
});

describe('a table that starts again after an orderly stop', { timeout: 90_000 }, () => {
  it('settles the result that was being shown, without another shake', async () => {
    const bench = await ProcessBench.open();
    await bench.plugInShaker();
    bench.configure({ play: { reviewMs: 3_000, nextRoundMs: 2_000 } });
    const before = bench.start();
    await heard(await listener(await before.ready), 'resultDeclared');
    await before.end('SIGTERM');
    const shakeCount = bench.shakes.length;

    const after = bench.start();
    await heard(await listener(await after.ready), 'roundSettled');
    await after.end('SIGTERM');

    expect(bench.shakes).toHaveLength(shakeCount);
    expect(bench.kinds().filter((kind) => kind === 'resultDeclared' || kind === 'roundSettled')).toEqual([
      'resultDeclared',
      'roundSettled',
    ]);
  });

  it('stays held with the dice untouched until a supervisor resumes, and then shakes once', async () => {
    const bench = await ProcessBench.open();
    await bench.plugInShaker();
    bench.configure();
    const before = bench.start();
    await heard(await listener(await before.ready), 'shakeOrdered');
    await before.end('SIGTERM');
    const shakesBefore = [...bench.shakes];

    const after = bench.start();
    const client = await listener(await after.ready);
    await untilTable(bench.address, ({ phase, faults }) => phase === 'held' && faults.every(({ isBlocking }) => !isBlocking));
    expect(bench.shakes).toEqual(shakesBefore);
    const { round, hold } = await tableNow(bench.address);
    const body = { roundId: round?.roundId ?? null, holdNumber: hold?.holdNumber };
    expect(await bench.act('resume', body)).toEqual({ status: 200, code: null });
    await heard(client, 'resultDeclared');

    expect(bench.shakes).toHaveLength(shakesBefore.length + 1);
  });
});
