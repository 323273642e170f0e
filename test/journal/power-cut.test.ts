import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/open-journal.ts';
import { verifyJournal } from '../../src/journal/verify-journal.ts';
import { productRoot } from '../../src/product-root.ts';
import { opening, roundEvents, settling } from './journal-events.ts';
import { temporaryFolder } from './temporary-folder.ts';

const openingOf = (folder: string) => ({
  journalPath: join(folder, 'table.db'),
  anchorFolder: join(folder, 'anchor'),
  tableId: 'table-1',
  bootId: 'boot-b',
  isClockSynchronised: () => true,
  at: { wallMs: 1_700_000_000_000, monoMs: 0 },
});

it('has every record committed before, wherever a power cut ended the WAL while the next was written', () => {
  const folder = temporaryFolder();
  const options = openingOf(folder);
  const wal = `${options.journalPath}-wal`;
  const journal = openJournal(options);
  journal.append(roundEvents('r-1', 1), { wallMs: 1, monoMs: 1 });
  journal.append([opening('r-2', 2)], { wallMs: 2, monoMs: 2 });
  const committedHead = journal.head;
  const committedBytes = statSync(wal).size;
  journal.append([settling('r-2')], { wallMs: 3, monoMs: 3 });
  const bytesAfter = statSync(wal).size;
  expect(bytesAfter).toBeGreaterThan(committedBytes);

  const cut = join(temporaryFolder(), 'table.db');
  const wholeWal = readFileSync(wal);
  const heads = new Map<number, number>();
  // Each byte around the border of a WAL frame (4,120 bytes), samples within, and the whole file.
  const offsets = Array.from({ length: bytesAfter - committedBytes }, (_, index) => committedBytes + index);
  for (const offset of [...offsets.filter((at) => at % 4_120 < 64 || at % 127 === 0), bytesAfter]) {
    copyFileSync(options.journalPath, cut);
    copyFileSync(wal, `${cut}-wal`);
    truncateSync(`${cut}-wal`, offset);
    const db = new Database(cut);
    db.pragma('synchronous = OFF');
    const head = db
      .prepare<[], { record_number: number; hash: string }>('SELECT * FROM events ORDER BY record_number DESC')
      .get();
    db.close();
    heads.set(head?.record_number ?? 0, offset);
    if (offset < bytesAfter) expect(head, `WAL cut at ${offset}`).toMatchObject({ record_number: 13, hash: committedHead.hash });
  }
  // Only the whole WAL has the last record; the loop did reach both ends.
  expect([...heads.keys()]).toEqual([13, 14]);
  expect(heads.get(14)).toBe(wholeWal.length);
  journal.close();
});

it('opens, verifies and goes on after a power cut in the middle of a commit', () => {
  const folder = temporaryFolder();
  const options = openingOf(folder);
  const journal = openJournal(options);
  journal.append(roundEvents('r-1', 1), { wallMs: 1, monoMs: 1 });
  const committedBytes = statSync(`${options.journalPath}-wal`).size;
  journal.append([opening('r-2', 2)], { wallMs: 2, monoMs: 2 });
  const bytesAfter = statSync(`${options.journalPath}-wal`).size;

  fc.assert(
    fc.property(fc.integer({ min: committedBytes, max: bytesAfter - 1 }), (offset) => {
      const after = temporaryFolder();
      cpSync(folder, after, { recursive: true, filter: (path) => !path.endsWith('-shm') && !path.endsWith('.lock') });
      truncateSync(join(after, 'table.db-wal'), offset);
      const reopened = openJournal(openingOf(after));
      expect(reopened.head.recordNumber).toBe(12);
      expect(reopened.append([opening('r-2', 2)], { wallMs: 3, monoMs: 3 })[0]?.recordNumber).toBe(13);
      reopened.close();
      expect(verifyJournal({ ...openingOf(after), evidence: null, isWithRules: false, pages: 'full' }).damages).toEqual([]);
      rmSync(after, { recursive: true });
    }),
    { numRuns: 12 },
  );
  journal.close();
});

/** Runs the appending program until it has printed `lineCount` lines, then kills it. @returns the lines that it printed. */
async function linesUntilKilled(folder: string, lineCount: number): Promise<readonly string[]> {
  const program = join(productRoot, 'dist/test/journal/appending-program.js');
  const { journalPath, anchorFolder } = openingOf(folder);
  const child: ChildProcess = spawn(process.execPath, [program, journalPath, anchorFolder, 'until-killed'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.split('\n').length > lineCount) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  expect(signal).toBe('SIGKILL');
  return text.split('\n').slice(0, -1);
}

it('has every record that was published before kill -9, time after time', async () => {
  const folder = temporaryFolder();
  const published = new Map<string, string>();

  for (const lineCount of [1, 7, 40, 23, 95, 2]) {
    for (const line of await linesUntilKilled(folder, lineCount)) {
      const [, number = '', hash = ''] = line.split(' ');
      // The number of a published record never comes again with another content.
      expect(published.has(number), line).toBe(false);
      published.set(number, hash);
    }
    const report = verifyJournal({ ...openingOf(folder), evidence: null, isWithRules: false, pages: 'full' });
    expect(report.damages).toEqual([]);
  }

  const journal = openJournal(openingOf(folder));
  const stored = new Map(journal.read(0, 10_000).map((record) => [String(record.recordNumber), record.hash]));
  expect(published.size).toBeGreaterThan(150);
  for (const [number, hash] of published) expect(stored.get(number), `record ${number}`).toBe(hash);
  journal.close();
});
