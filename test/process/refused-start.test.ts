import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProcessBench } from './process-bench.ts';
import { heard, listener } from './table-clients.ts';

/** Time in which a daemon that may not run must be gone, ms. */
const refusalMsMax = 15_000;

/** Ends of a daemon that should end by itself; rejects when it does not. */
async function endedByItself(table: ReturnType<ProcessBench['start']>) {
  return Promise.race([
    table.ended,
    new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(new Error(`still running:\n${table.output}`)), refusalMsMax);
      void table.ended.then(() => clearTimeout(timer));
    }),
  ]);
}

describe('a daemon that may not run', { timeout: 90_000 }, () => {
  it('refuses a journal that another daemon plays on, and does not disturb that one', async () => {
    const bench = await ProcessBench.open();
    await bench.plugInShaker();
    bench.configure();
    const first = bench.start();
    const client = await listener(await first.ready);
    await heard(client, 'roundOpened');

    const second = bench.start({ reader: 'real' });
    const ended = await endedByItself(second);

    expect(ended).toEqual({ code: 1, signal: null });
    expect(second.output).toMatch(
      /^journal\.locked-by-other: another process controls this table: .*journal\.sqlite\.lock is locked/m,
    );
    await heard(client, 'roundSettled');
    expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(bench.kinds().filter((kind) => kind === 'tableStarted')).toHaveLength(1);
  });

  it('says that the port is taken, and ends without having played', async () => {
    const bench = await ProcessBench.open();
    await bench.plugInShaker();
    bench.configure();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(bench.port, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());

    const table = bench.start({ reader: 'real' });
    const ended = await endedByItself(table);

    expect(ended).toEqual({ code: 1, signal: null });
    expect(table.output).toContain(`port ${bench.port} of 127.0.0.1 is taken: is another table running?`);
    expect(bench.shakes).toEqual([]);
    expect(bench.kinds()).not.toContain('roundOpened');
  });

  it('refuses a damaged journal, names the first wrong record, and keeps the file as it is', async () => {
    const bench = await ProcessBench.open();
    await bench.plugInShaker();
    bench.configure();
    const before = bench.start();
    await heard(await listener(await before.ready), 'roundSettled');
    await before.end('SIGTERM');
    const { journalPath } = bench.places;
    const forge = `DROP TRIGGER events_never_change; UPDATE events SET body = replace(body, '"total":', '"total":1') WHERE kind = 'resultDeclared'`;
    execFileSync('sqlite3', [journalPath, forge]);
    const damaged = bench.places.journalPath;
    const hashBefore = sha256(damaged);
    const number = execFileSync('sqlite3', [journalPath, "SELECT min(record_number) FROM events WHERE kind = 'resultDeclared'"]);

    const table = bench.start({ reader: 'real' });
    const ended = await endedByItself(table);

    expect(ended).toEqual({ code: 1, signal: null });
    expect(table.output).toContain(`journal.damaged: ${damaged}: record ${number.toString().trim()}: hash-mismatch:`);
    expect(table.output).toContain('The table stays closed and the file is kept as it is.');
    expect(sha256(damaged)).toBe(hashBefore);
  });

  it('names every problem of a wrong configuration, and ends with code 2', async () => {
    const bench = await ProcessBench.open();
    bench.configure({ play: { bettingMs: 5, lampMs: 3 } });

    const table = bench.start({ reader: 'real' });
    const ended = await endedByItself(table);

    expect(ended).toEqual({ code: 2, signal: null });
    expect(table.output).toMatch(/^config\.wrong: configuration .*table\.toml has 2 problems/m);
    expect(table.output).toContain('play.bettingMs = 5: allowed: whole number 100 to 600000 ms');
    expect(table.output).toContain('play.lampMs');
  });
});

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
