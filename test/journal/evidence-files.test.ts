import { createHash } from 'node:crypto';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MemoryJournal } from '../../hardware-sim/memory-journal.ts';
import { EvidenceFiles } from '../../src/journal/evidence-files.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { ProtectedEvidence } from '../../src/journal/protected-evidence.ts';
import { verifyJournal } from '../../src/journal/verify-journal.ts';
import { roundEvents, voiding } from './journal-events.ts';
import { temporaryFolder } from './temporary-folder.ts';

const picture = (content: string) => Buffer.from(`picture ${content}`);
const nowMs = 1_700_000_000_000;

/** Where the file of a picture is, and makes it `ageMs` old. */
function aged(store: EvidenceFiles, sha256: string, ageMs: number): string {
  const path = join(store.folder, sha256.slice(0, 2), sha256.slice(2, 4), `${sha256}.jpg`);
  utimesSync(path, (nowMs - ageMs) / 1_000, (nowMs - ageMs) / 1_000);
  return path;
}

it('keeps the very bytes under their SHA-256, where any program finds them', () => {
  const store = new EvidenceFiles(join(temporaryFolder(), 'evidence'), 1);

  const sha256 = store.keep(Buffer.from('abc'));

  expect(sha256).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(readFileSync(join(store.folder, 'ba', '78', `${sha256}.jpg`), 'utf8')).toBe('abc');
  expect(store.read(sha256)).toEqual(Buffer.from('abc'));
});

it('keeps the same picture once, and heals a damaged file when the bytes come again', () => {
  const store = new EvidenceFiles(temporaryFolder(), 1);
  const sha256 = store.keep(picture('a'));
  expect(store.keep(picture('a'))).toBe(sha256);

  writeFileSync(aged(store, sha256, 0), 'torn');
  expect(() => store.read(sha256)).toThrow(expect.objectContaining({ code: 'evidence.damaged' }));

  store.keep(picture('a'));
  expect(store.read(sha256)).toEqual(picture('a'));
});

it('has nothing for a hash that it does not know, nor for a name that leads out of its folder', () => {
  const store = new EvidenceFiles(temporaryFolder(), 1);

  expect(store.read('0'.repeat(64))).toBeNull();
  expect(store.read('../../../../etc/passwd')).toBeNull();
});

it('says that evidence cannot be written', () => {
  const folder = join(temporaryFolder(), 'evidence');
  writeFileSync(folder, 'a file where the folder belongs');

  expect(() => new EvidenceFiles(folder, 1).keep(picture('a'))).toThrow(expect.objectContaining({ code: 'evidence.unwritable' }));
});

it('removes the oldest pictures above the quota, none that must be kept and none of the last minute', async () => {
  const store = new EvidenceFiles(temporaryFolder(), 1);
  const big = (content: string) => Buffer.concat([picture(content), Buffer.alloc(300_000)]);
  const [oldest, old, newer, newest, fresh] = ['1', '2', '3', '4', '5'].map((name) => store.keep(big(name))) as [
    string,
    string,
    string,
    string,
    string,
  ];
  aged(store, oldest, 500_000);
  aged(store, old, 400_000);
  aged(store, newer, 300_000);
  aged(store, newest, 200_000);
  aged(store, fresh, 1_000);

  const report = await store.prune(new Set([oldest]), nowMs);

  expect(report).toEqual({ removedCount: 2, keptBytes: 900_027 });
  expect([oldest, old, newer, newest, fresh].map((sha256) => store.read(sha256) !== null)).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});

it('removes nothing while the store is within its quota or does not exist yet', async () => {
  const store = new EvidenceFiles(join(temporaryFolder(), 'evidence'), 1);
  expect(await store.prune(new Set(), nowMs)).toEqual({ removedCount: 0, keptBytes: 0 });

  aged(store, store.keep(picture('a')), 1_000_000);
  expect(await store.prune(new Set(), nowMs)).toEqual({ removedCount: 0, keptBytes: 9 });
});

it('protects the pictures of the last 200 rounds and of every round that was held or voided', () => {
  const journal = new MemoryJournal({ bootId: 'boot-a' });
  const shaOf = (number: number) => createHash('sha256').update(String(number)).digest('hex');
  for (let number = 1; number <= 250; number += 1) {
    const events = roundEvents(`r-${number}`, number, [shaOf(number)]);
    journal.append(number === 7 ? [...events.slice(0, -1), voiding('r-7')] : events, { wallMs: number, monoMs: number });
  }
  const kept = new ProtectedEvidence();
  for (const record of journal.read(0, 10_000)) kept.take(record);

  const keptNumbers = Array.from({ length: 250 }, (_, index) => index + 1).filter((number) => kept.sha256s().has(shaOf(number)));
  expect(keptNumbers).toHaveLength(201);
  expect(keptNumbers.slice(0, 3)).toEqual([7, 51, 52]);
  expect([kept.isProtected('r-7'), kept.isProtected('r-50'), kept.isProtected('r-250')]).toEqual([true, false, true]);
});

it('names the record whose picture is missing or damaged, and counts those of old rounds as pruned', () => {
  const folder = temporaryFolder();
  const store = new EvidenceFiles(join(folder, 'evidence'), 1);
  const places = { journalPath: join(folder, 'table.db'), anchorFolder: join(folder, 'anchor') };
  const journal = openJournal({
    ...places,
    tableId: 'table-1',
    bootId: 'boot-a',
    isClockSynchronised: () => true,
    at: { wallMs: nowMs, monoMs: 0 },
  });
  const gone = '0'.repeat(64);
  const damaged = store.keep(picture('damaged'));
  writeFileSync(aged(store, damaged, 0), 'torn');
  const picturesOf = (number: number) => {
    if (number === 1 || number === 203) return [gone];
    return [number === 202 ? damaged : store.keep(picture(String(number % 5)))];
  };
  const events = Array.from({ length: 203 }, (_, index) => roundEvents(`r-${index + 1}`, index + 1, picturesOf(index + 1)));
  journal.append(events.flat(), { wallMs: 1, monoMs: 1 });
  journal.close();

  const report = verifyJournal({ ...places, evidence: store, isWithRules: false, pages: 'full' });

  expect(report.evidence).toEqual({ soundCount: 200, prunedCount: 1 });
  expect(report.damages).toMatchObject([
    { recordNumber: 1 + 201 * 11 + 9, cause: 'evidence-damaged' },
    {
      recordNumber: 1 + 202 * 11 + 9,
      cause: 'evidence-missing',
      detail: `1 pictures of round r-203 are missing, the first is ${gone}`,
    },
  ]);
});
