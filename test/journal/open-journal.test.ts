import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { readAnchor } from '../../src/journal/anchor.ts';
import { schemaVersion1 } from '../../src/journal/migrations.ts';
import { type OpenJournalOptions, openJournal } from '../../src/journal/open-journal.ts';
import { opening, roundEvents, settling } from './journal-events.ts';
import { temporaryFolder } from './temporary-folder.ts';

function options(folder = temporaryFolder()): OpenJournalOptions {
  return {
    journalPath: join(folder, 'journal', 'table.db'),
    anchorFolder: join(folder, 'anchor'),
    tableId: 'table-1',
    bootId: 'boot-a',
    isClockSynchronised: () => true,
    at: { wallMs: 1_700_000_000_000, monoMs: 0 },
  };
}

it('begins a new journal with its random id and the table that owns it, and anchors it', () => {
  const opened = options();
  const journal = openJournal(opened);

  const [first] = journal.read(0, 10);
  expect(first?.event).toEqual({ kind: 'journalCreated', journalId: expect.stringMatching(/^[0-9a-f]{8}$/), tableId: 'table-1' });
  expect(readAnchor(opened.anchorFolder)).toMatchObject({ recordNumber: 1, hash: journal.head.hash, wallMs: 1_700_000_000_000 });
  journal.close();
});

it('anchors the head whenever a round ends, and when it is closed', () => {
  const opened = options();
  const journal = openJournal(opened);

  journal.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 });
  expect(readAnchor(opened.anchorFolder)?.recordNumber).toBe(1);
  journal.append([settling('r-1')], { wallMs: 2, monoMs: 2 });
  expect(readAnchor(opened.anchorFolder)?.recordNumber).toBe(3);
  journal.append([opening('r-2', 2)], { wallMs: 3, monoMs: 3 });
  journal.close();
  expect(readAnchor(opened.anchorFolder)?.recordNumber).toBe(4);
});

it('keeps the record when the anchor cannot be written, says so, and anchors with the next record', () => {
  const opened = options();
  const journal = openJournal(opened);
  const blocking = join(opened.anchorFolder, 'anchor.json.new');
  mkdirSync(blocking);
  writeFileSync(join(blocking, 'in-the-way'), '');

  expect(journal.append(roundEvents('r-1', 1), { wallMs: 1, monoMs: 1 })).toHaveLength(11);
  expect(journal.anchorStatus).toEqual({ recordNumber: 1, fault: expect.stringContaining('anchor') });

  rmSync(blocking, { recursive: true });
  journal.append([opening('r-2', 2)], { wallMs: 2, monoMs: 2 });
  expect(journal.anchorStatus).toEqual({ recordNumber: 13, fault: null });
  journal.close();
});

it('hands over every record while it checks them, so that the state is folded in the same pass', () => {
  const opened = options();
  const first = openJournal(opened);
  first.append(roundEvents('r-1', 1), { wallMs: 1, monoMs: 1 });
  first.close();
  const kinds: string[] = [];

  openJournal({ ...opened, onRecord: (record) => kinds.push(record.event.kind) }).close();

  expect(kinds).toHaveLength(12);
  expect(kinds.slice(0, 2)).toEqual(['journalCreated', 'roundOpened']);
});

it('lets one process control a table, also through another name of the file', () => {
  const opened = options();
  const journal = openJournal(opened);
  const alias = join(temporaryFolder(), 'alias.db');
  symlinkSync(opened.journalPath, alias);

  for (const journalPath of [opened.journalPath, alias]) {
    expect(() => openJournal({ ...opened, journalPath })).toThrow(expect.objectContaining({ code: 'journal.locked-by-other' }));
  }
  journal.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 });
  journal.close();
  openJournal(opened).close();
});

it('lets the lock of a killed process go by itself', () => {
  const opened = options();
  openJournal(opened).close();
  const program = `
    const Database = require('better-sqlite3');
    const db = new Database(${JSON.stringify(`${opened.journalPath}.lock`)});
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
    process.kill(process.pid, 'SIGKILL');`;
  expect(() => execFileSync(process.execPath, ['-e', program])).toThrow();

  openJournal(opened).close();
});

it('does not write into the journal of another table', () => {
  const opened = options();
  openJournal(opened).close();

  expect(() => openJournal({ ...opened, tableId: 'table-2' })).toThrow(expect.objectContaining({ code: 'journal.other-table' }));
});

it('leaves a database of another program alone', () => {
  const opened = options();
  mkdirSync(join(opened.journalPath, '..'));
  const other = new Database(opened.journalPath);
  other.exec('CREATE TABLE customers (name TEXT)');
  other.close();
  const before = readFileSync(opened.journalPath);

  expect(() => openJournal(opened)).toThrow(expect.objectContaining({ code: 'journal.not-a-journal' }));

  expect(readFileSync(opened.journalPath)).toEqual(before);
});

it('refuses a journal that a newer release wrote, and says both versions', () => {
  const opened = options();
  openJournal(opened).close();
  const db = new Database(opened.journalPath);
  db.pragma('user_version = 2');
  db.close();

  expect(() => openJournal(opened)).toThrow(
    expect.objectContaining({
      code: 'journal.newer-version',
      message: expect.stringContaining('its schema is version 2, this release knows up to 1'),
    }),
  );
});

it('keeps the schema of version 1 as it was released', () => {
  expect(createHash('sha256').update(schemaVersion1).digest('hex')).toBe(
    '8fbcb7c12cbdbd3e29e5d88d11721a722d4030225c60cc67e6ad004f0701b94d',
  );
});

it('begins again when power went before the first record was written', () => {
  const opened = options();
  mkdirSync(join(opened.journalPath, '..'));
  for (const prepare of [
    () => writeFileSync(opened.journalPath, ''),
    () => new Database(opened.journalPath).exec('PRAGMA journal_mode = WAL'),
  ]) {
    prepare();
    const journal = openJournal(opened);
    expect(journal.head.recordNumber).toBe(1);
    journal.close();
    for (const path of [opened.journalPath, opened.anchorFolder]) rmSync(path, { recursive: true });
  }
});

it('says that it cannot write where the folder cannot be made', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'journal'), 'a file where the folder belongs');

  expect(() => openJournal(options(folder))).toThrow(expect.objectContaining({ code: 'journal.unwritable' }));
});
