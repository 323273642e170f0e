import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkCalibration } from '../../src/doctor/check-calibration.ts';
import { checkClock } from '../../src/doctor/check-clock.ts';
import { checkFolders } from '../../src/doctor/check-folders.ts';
import { checkJournal } from '../../src/doctor/check-journal.ts';
import { checkNode } from '../../src/doctor/check-node.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { roundEvents } from '../journal/journal-events.ts';
import { VirtualClock } from '../virtual-clock.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sicbo-doctor-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const places = () => ({ path: join(folder, 'journal/journal.sqlite'), anchorFolder: join(folder, 'anchor') });

function play(): void {
  const { path, anchorFolder } = places();
  const at = { wallMs: 1_700_000_000_000, monoMs: 0 };
  const journal = openJournal({
    journalPath: path,
    anchorFolder,
    tableId: 'table-1',
    bootId: 'a',
    isClockSynchronised: () => true,
    at,
  });
  journal.append(roundEvents('table-1-abc-000001', 1, []), at);
  journal.close();
}

const folders = (diskProblem: string | null = null) =>
  checkFolders(
    { ...places(), evidenceFolder: join(folder, 'evidence'), evidenceMbMax: 100, diskFreeMbMin: 50 },
    () => diskProblem,
  );

it.each([
  ['20.11.0', 'ok'],
  ['26.3.9', 'ok'],
  ['20.10.9', 'problem'],
  ['26.4.0', 'problem'],
] as const)('judges Node %s as %s', (version, verdict) => {
  expect(checkNode(version, '>=20.11 <26.4').verdict).toBe(verdict);
});

it('lets a table without a journal begin one', () => {
  expect(checkJournal(places(), 'table-1', new VirtualClock())).toMatchObject({
    verdict: 'ok',
    detail: expect.stringMatching(/^none yet/),
  });
});

it('counts what a sound journal holds, and refuses the journal of another table', () => {
  play();

  expect(checkJournal(places(), 'table-1', new VirtualClock())).toMatchObject({
    verdict: 'ok',
    detail: expect.stringMatching(/^\d+ records sound, 1 rounds, chain and anchor agree$/),
  });
  expect(checkJournal(places(), 'table-2', new VirtualClock())).toMatchObject({
    verdict: 'problem',
    detail: expect.stringContaining('belongs to table "table-1", this is "table-2"'),
  });
});

it('says how far it came when the time for the journal is used up', () => {
  play();

  expect(checkJournal(places(), 'table-1', new VirtualClock(), -1)).toMatchObject({
    verdict: 'warning',
    detail: 'the first 1 records are sound; the -1 ms for this check were used up',
    advice: 'check all of it with "sicbo verify"',
  });
});

it('says that a journal which the anchor vouches for is gone', () => {
  play();
  rmSync(join(folder, 'journal'), { recursive: true });

  expect(checkJournal(places(), 'table-1', new VirtualClock())).toMatchObject({
    verdict: 'problem',
    detail: expect.stringContaining('file-missing'),
  });
});

it('says that the anchor has lost its key', async () => {
  play();
  rmSync(join(folder, 'anchor/anchor-key.pem'));

  const found = await folders();

  expect(found.find(({ check }) => check === 'anchor folder')).toMatchObject({
    verdict: 'problem',
    advice: expect.stringContaining('backup'),
  });
});

it('takes folders that are not there for possible, and a file in their place for a problem', async () => {
  expect((await folders()).map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'ok', 'ok']);
  writeFileSync(join(folder, 'evidence'), '');

  expect((await folders()).find(({ check }) => check === 'evidence folder')).toMatchObject({
    verdict: 'problem',
    advice: expect.stringContaining(`mkdir -p ${join(folder, 'evidence')}`),
  });
});

it('warns in the words of the table when its disk is nearly full', async () => {
  mkdirSync(join(folder, 'journal'));

  expect((await folders('40 MB are free; wanted are 50 MB')).find(({ check }) => check === 'disk')).toMatchObject({
    verdict: 'warning',
    detail: '40 MB are free; wanted are 50 MB',
  });
});

it('warns of a clock that no time server has set', () => {
  expect(checkClock(true, 0)).toMatchObject({ verdict: 'ok', detail: '1970-01-01T00:00:00.000Z, set by a time server' });
  expect(checkClock(false, 0).verdict).toBe('warning');
});

it('says what is wrong with a calibration file', () => {
  const file = join(folder, 'calibration.json');

  expect(checkCalibration(file, 0)).toMatchObject({ profile: null, finding: { verdict: 'problem' } });
  writeFileSync(file, '{}');
  expect(checkCalibration(file, 0).finding.advice).toContain('sicbo calibrate fit');
});
