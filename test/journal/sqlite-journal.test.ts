import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { SqliteJournal } from '../../src/journal/sqlite-journal.ts';
import { describeJournal } from '../contracts/journal-contract.ts';
import { opening, roundEvents, settling } from './journal-events.ts';
import { temporaryFolder } from './temporary-folder.ts';

function openEmpty(path = join(temporaryFolder(), 'journal.db'), bootId = 'boot-a'): SqliteJournal {
  return new SqliteJournal({ path, bootId, isClockSynchronised: () => true, anchor: null });
}

describeJournal('SqliteJournal', () => openEmpty());

it('can be read with the sqlite3 program while the table writes', () => {
  const journal = openEmpty();
  journal.append(roundEvents('r-1', 1), { wallMs: 1_700_000_000_000, monoMs: 1 });

  const lines = execFileSync('sqlite3', [
    '-readonly',
    journal.path,
    "SELECT record_number, kind, round_id, json_extract(body, '$.total') FROM events WHERE kind = 'resultDeclared'",
  ]);

  expect(lines.toString()).toBe('10|resultDeclared|r-1|11\n');
  journal.close();
});

it.each([
  'UPDATE events SET wall_ms = 0 WHERE record_number = 1',
  'DELETE FROM events',
  'REPLACE INTO events SELECT * FROM events',
])('lets no program change the past by the way: %s', (statement) => {
  const journal = openEmpty();
  journal.append([opening('r-1', 1), settling('r-1')], { wallMs: 1, monoMs: 1 });
  const other = new Database(journal.path);

  expect(() => other.exec(statement)).toThrow(/append-only|one more than the last/);

  expect(journal.read(0, 10)).toHaveLength(2);
  other.close();
  journal.close();
});

it('lets no program leave a gap', () => {
  const journal = openEmpty();
  const other = new Database(journal.path);

  expect(() => other.exec("INSERT INTO events VALUES (7, 'b', 0, 0, 0, 'k', NULL, '{}', '', '')")).toThrow(
    'one more than the last',
  );

  other.close();
  journal.close();
});

it('refuses a record for which another program has taken the place, and writes nothing', () => {
  const journal = openEmpty();
  const other = new Database(journal.path);
  other.exec("INSERT INTO events VALUES (1, 'b', 0, 0, 0, 'k', NULL, '{}', '', '')");

  expect(() => journal.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 })).toThrow(
    expect.objectContaining({ code: 'journal.refused' }),
  );

  other.close();
  journal.close();
});

it('fails within the busy limit while another program holds the file, and works again by itself', () => {
  const path = join(temporaryFolder(), 'journal.db');
  const journal = new SqliteJournal({ path, bootId: 'boot-a', isClockSynchronised: () => true, anchor: null, busyMsMax: 100 });
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');

  const startMs = performance.now();
  expect(() => journal.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 })).toThrow(
    expect.objectContaining({ code: 'journal.unwritable' }),
  );
  expect(performance.now() - startMs).toBeLessThan(1_500);

  other.exec('ROLLBACK');
  expect(journal.append([opening('r-1', 1)], { wallMs: 2, monoMs: 2 })[0]?.recordNumber).toBe(1);
  other.close();
  journal.close();
});

it('goes on with the number and hash of the last record after a restart, and names the boot', () => {
  const first = openEmpty();
  first.append([opening('r-1', 1)], { wallMs: 1_700_000_000_000, monoMs: 5_000 });
  const head = first.head;
  first.close();

  // The machine started with a wall clock three days back (failures.md DB-06).
  const second = openEmpty(first.path, 'boot-b');
  expect(second.head).toEqual(head);
  second.append([settling('r-1')], { wallMs: 1_699_740_800_000, monoMs: 3 });

  expect(second.read(0, 10).map((record) => [record.recordNumber, record.bootId, record.event.kind])).toEqual([
    [1, 'boot-a', 'roundOpened'],
    [2, 'boot-b', 'roundSettled'],
  ]);
  second.close();
});

it('marks records that were written before the clock was set', () => {
  let isSynchronised = false;
  const path = join(temporaryFolder(), 'journal.db');
  const journal = new SqliteJournal({ path, bootId: 'boot-a', isClockSynchronised: () => isSynchronised, anchor: null });

  journal.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 });
  isSynchronised = true;
  journal.append([settling('r-1')], { wallMs: 2, monoMs: 2 });

  expect(journal.read(0, 10).map((record) => record.isClockSynchronised)).toEqual([false, true]);
  journal.close();
});

it('leaves one file behind when it is closed', () => {
  const journal = openEmpty();
  journal.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 });
  journal.close();

  expect(execFileSync('ls', [join(journal.path, '..')]).toString()).toBe('journal.db\n');
});
