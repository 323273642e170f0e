import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/open-journal.ts';
import { type JournalRow, recordHash } from '../../src/journal/record-hash.ts';
import { type JournalReport, verifyJournal } from '../../src/journal/verify-journal.ts';
import { roundEvents } from './journal-events.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Played {
  readonly journalPath: string;
  readonly anchorFolder: string;
}

const roundCount = 60;
/** Genesis and 11 records a round. */
const recordCount = 1 + 11 * roundCount;

let template = '';

beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), 'sicbo-journal-'));
  const journal = open(playedIn(template));
  for (let number = 1; number <= roundCount; number += 1) {
    journal.append(roundEvents(`r-${number}`, number), { wallMs: 1_700_000_000_000 + number, monoMs: number });
  }
  journal.close();
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

function playedIn(folder: string): Played {
  return { journalPath: join(folder, 'journal', 'table.db'), anchorFolder: join(folder, 'anchor') };
}

/** A journal of 60 settled rounds, closed; the test's own copy. */
function playedJournal(): Played {
  const folder = temporaryFolder();
  cpSync(template, folder, { recursive: true });
  return playedIn(folder);
}

/** The same with another journal id and other hashes. */
function otherJournal(): Played {
  const played = playedIn(temporaryFolder());
  const journal = open(played);
  journal.append(roundEvents('r-1', 1), { wallMs: 1, monoMs: 1 });
  journal.close();
  return played;
}

function open(played: Played) {
  return openJournal({
    ...played,
    tableId: 'table-1',
    bootId: 'boot-a',
    isClockSynchronised: () => true,
    at: { wallMs: 1_700_000_000_000, monoMs: 0 },
  });
}

function report(played: Played): JournalReport {
  return verifyJournal({ ...played, evidence: null, isWithRules: false, pages: 'full' });
}

/** Changes rows the way somebody with the sqlite3 program and bad intent does: triggers dropped first, put back afterwards. */
function tamper(played: Played, change: (db: Database.Database) => void): void {
  const db = new Database(played.journalPath);
  db.pragma('synchronous = OFF');
  const triggers = db
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  change(db);
  for (const { sql } of triggers) db.exec(sql);
  db.close();
}

/** The table refuses to open, says the record, keeps the file byte for byte, and does so again at the next start. */
function expectClosedTable(played: Played, said: RegExp): void {
  const before = existsSync(played.journalPath) ? readFileSync(played.journalPath) : null;
  for (const attempt of ['first start', 'second start']) {
    expect(() => open(played), attempt).toThrow(
      expect.objectContaining({ code: 'journal.damaged', message: expect.stringMatching(said) }),
    );
  }
  expect(existsSync(played.journalPath) ? readFileSync(played.journalPath) : null).toEqual(before);
}

it('finds a sound journal sound, and opens it again', () => {
  const played = playedJournal();

  expect(report(played)).toMatchObject({
    tableId: 'table-1',
    head: { recordNumber: recordCount },
    roundCount: 60,
    endedRoundCount: 60,
    anchor: { recordNumber: recordCount },
    damages: [],
  });
  const journal = open(played);
  expect(journal.head.recordNumber).toBe(recordCount);
  journal.close();
});

it.each([
  ['a wall time', 'UPDATE events SET wall_ms = wall_ms + 1 WHERE record_number = 340'],
  ['a monotonic time', 'UPDATE events SET mono_ms = mono_ms + 0.001 WHERE record_number = 340'],
  ['the boot id', "UPDATE events SET boot_id = 'boot-b' WHERE record_number = 340"],
  ['the mark of the clock', 'UPDATE events SET is_clock_synchronised = 0 WHERE record_number = 340'],
  ['the kind', "UPDATE events SET kind = 'tableHeld' WHERE record_number = 340"],
  ['the round', "UPDATE events SET round_id = 'r-99' WHERE record_number = 340"],
  ['the dice in the body', "UPDATE events SET body = replace(body, '[1,4,6]', '[1,4,5]') WHERE record_number = 340"],
  ['the hash before', 'UPDATE events SET prev_hash = substr(prev_hash, 2) || substr(prev_hash, 1, 1) WHERE record_number = 340'],
  ['the hash itself', 'UPDATE events SET hash = substr(hash, 2) || substr(hash, 1, 1) WHERE record_number = 340'],
])('names the record in which somebody changed %s', (_what, statement) => {
  const played = playedJournal();
  tamper(played, (db) => db.exec(statement));

  expect(report(played).damages[0]).toMatchObject({ recordNumber: 340, cause: 'hash-mismatch' });
  expectClosedTable(played, /record 340: hash-mismatch/);
});

it('names the record that was taken out of the middle', () => {
  const played = playedJournal();
  tamper(played, (db) => db.exec('DELETE FROM events WHERE record_number BETWEEN 100 AND 101'));

  expect(report(played).damages[0]).toMatchObject({
    recordNumber: 100,
    cause: 'record-missing',
    detail: 'records 100 to 101 are missing',
  });
  expectClosedTable(played, /record 100: record-missing/);
});

it('says which record stands where another belongs when two were swapped', () => {
  const played = playedJournal();
  tamper(played, (db) =>
    db.exec(
      'UPDATE events SET record_number = -1 WHERE record_number = 20; UPDATE events SET record_number = 20 WHERE record_number = 31; UPDATE events SET record_number = 31 WHERE record_number = -1',
    ),
  );

  expect(report(played).damages[0]).toEqual({
    recordNumber: 20,
    cause: 'swapped',
    detail: 'the record that belongs here stands at number 31',
  });
  expectClosedTable(played, /record 20: swapped/);
});

it('names the record that was replaced by one with a fitting hash of its own', () => {
  const played = playedJournal();
  tamper(played, (db) => {
    const row = db.prepare('SELECT * FROM events WHERE record_number = 55').get() as JournalRow;
    const forged = { ...row, wall_ms: 1 };
    db.prepare('UPDATE events SET wall_ms = 1, hash = ? WHERE record_number = 55').run(recordHash(forged));
  });

  expect(report(played).damages[0]).toMatchObject({ recordNumber: 55, cause: 'replaced' });
});

it('finds by the anchor that a whole end was sealed anew', () => {
  const played = playedJournal();
  tamper(played, (db) => {
    let prevHash = '';
    for (const row of db.prepare<[], JournalRow>('SELECT * FROM events WHERE record_number >= 600').all()) {
      const forged = { ...row, wall_ms: row.wall_ms + 1, prev_hash: prevHash === '' ? row.prev_hash : prevHash };
      prevHash = recordHash(forged);
      db.prepare('UPDATE events SET wall_ms = ?, prev_hash = ?, hash = ? WHERE record_number = ?').run(
        forged.wall_ms,
        forged.prev_hash,
        prevHash,
        forged.record_number,
      );
    }
  });

  expect(report(played).damages).toMatchObject([{ recordNumber: recordCount, cause: 'anchor-mismatch' }]);
  expectClosedTable(played, /anchor-mismatch/);
});

it('finds by the anchor that the last records were cut off', () => {
  const played = playedJournal();
  tamper(played, (db) => db.exec('DELETE FROM events WHERE record_number > 650'));

  expect(report(played).damages).toMatchObject([
    {
      recordNumber: 651,
      cause: 'cut-below-anchor',
      detail: `the journal ends at record 650, the anchor vouches for record ${recordCount}`,
    },
  ]);
  expectClosedTable(played, /record 651: cut-below-anchor/);
});

it('finds an anchor that was edited to fit, by its signature', () => {
  const played = playedJournal();
  const path = join(played.anchorFolder, 'anchor.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(`"recordNumber":${recordCount}`, '"recordNumber":650'));

  expect(report(played).damages).toMatchObject([{ recordNumber: null, cause: 'anchor-damaged' }]);
  expectClosedTable(played, /anchor-damaged/);
});

it('misses the anchor that was taken away', () => {
  const played = playedJournal();
  rmSync(played.anchorFolder, { recursive: true });

  expect(report(played).damages).toMatchObject([{ recordNumber: null, cause: 'anchor-missing' }]);
  expectClosedTable(played, /anchor-missing/);
});

it('does not take the anchor of another journal', () => {
  const played = playedJournal();
  const other = otherJournal();
  rmSync(played.anchorFolder, { recursive: true });
  mkdirSync(played.anchorFolder);
  for (const name of ['anchor.json', 'anchor-key.pem', 'anchor-key.pub.pem']) {
    copyFileSync(join(other.anchorFolder, name), join(played.anchorFolder, name));
  }

  expect(report(played).damages[0]).toMatchObject({ recordNumber: 1, cause: 'anchor-mismatch' });
});

it('does not sign with a new key when the old one is gone', () => {
  const played = playedJournal();
  rmSync(join(played.anchorFolder, 'anchor-key.pem'));

  expect(() => open(played)).toThrow(expect.objectContaining({ code: 'journal.anchor-key-missing' }));
});

it('keeps the private key of the anchor to its owner', () => {
  const played = playedJournal();

  expect(statSync(join(played.anchorFolder, 'anchor-key.pem')).mode & 0o777).toBe(0o600);
});

it('finds 4 kB overwritten anywhere in the file', () => {
  const played = playedJournal();
  const whole = readFileSync(played.journalPath);
  const pageCount = whole.length / 4_096;
  let namedCount = 0;

  for (let page = 0; page < pageCount; page += 1) {
    const descriptor = openSync(played.journalPath, 'r+');
    // Not on a page's border: a torn write of a card is not either.
    const start = Math.min(page * 4_096 + 1_000, whole.length - 4_096);
    writeSync(descriptor, Buffer.alloc(4_096, 0xa5), 0, 4_096, start);
    closeSync(descriptor);

    const { damages } = report(played);
    expect(damages.length, `4 kB at byte ${start}`).toBeGreaterThan(0);
    if (damages[0]?.recordNumber != null) namedCount += 1;
    expect(() => open(played), `4 kB at byte ${start}`).toThrow(expect.objectContaining({ code: 'journal.damaged' }));
    writeFileSync(played.journalPath, whole);
  }
  // The rest of the pages holds indexes, which belong to no record.
  expect(namedCount).toBeGreaterThan(pageCount / 2);
  expect(report(played).damages).toEqual([]);
});

it.each([4_096 * 20, 4_096 * 20 + 77, 100, 1])('finds a file that was cut to %i bytes', (byteCount) => {
  const played = playedJournal();
  truncateSync(played.journalPath, byteCount);

  expect(report(played).damages[0]).toMatchObject({ recordNumber: expect.any(Number) });
  expectClosedTable(played, /record \d+/);
});

it('does not begin anew over a journal that was emptied or removed', () => {
  const played = playedJournal();
  truncateSync(played.journalPath, 0);
  expect(report(played).damages).toMatchObject([{ recordNumber: 1, cause: 'file-empty' }]);
  expectClosedTable(played, /file-empty/);

  rmSync(played.journalPath);
  expect(report(played).damages).toMatchObject([{ recordNumber: 1, cause: 'file-missing' }]);
  expectClosedTable(played, /file-missing/);
});
