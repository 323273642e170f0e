import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CalibrationArchive } from '../../calibration/archive.ts';
import { lockFile } from '../../calibration/file-lock.ts';
import { missingOf } from '../../calibration/sample-plan.ts';
import { AnswerLines } from '../../src/cli/answer-lines.ts';
import { calibrateByHand, runGuideWith, UncalibratedTable } from './simulated-technician.ts';

describe('calibrating a table that nobody has seen before', () => {
  let table: UncalibratedTable;
  beforeAll(async () => {
    table = await UncalibratedTable.start(3008, [640, 480]);
  });
  afterAll(() => table.close());

  // Two fits, 42 throws and 6 scenes, of small pictures: half a minute on an idle machine.
  it('leads from nothing to a passed report, over a Ctrl-C in the middle, and is then active', { timeout: 900_000 }, async () => {
    const args = ['--by', 'Tina Tech', '--supervisor', 'Sam Super', '--why', 'new table', '--die-edge-mm', '17'];
    const all = [...args, '--fit-throws', '12'];
    const stopped = await calibrateByHand(table, all, { stopAfter: 5 });
    expect(stopped).toMatchObject({ exitCode: 1, throwCount: 5 });
    expect(stopped.err).toContain('the same command goes on from here');

    const finished = await calibrateByHand(table, all);
    expect(finished).toMatchObject({ exitCode: 0, throwCount: 37, sceneCount: 6, err: '' });
    expect(finished.out).toContain('ok      Valid throws read as other values: 0 of 30');
    expect(finished.out).toContain('ok      Throws taken that must not be: 0 of 6 shown');
    expect(finished.out).not.toContain('UNKNOWN');
    // Of the throws to learn from, those after the first fit were read and had only to be confirmed.
    expect(finished.confirmedCount).toBeGreaterThanOrEqual(3);

    const archive = new CalibrationArchive(join(table.folder, 'calibrations'), join(table.folder, 'calibration.json'));
    const [fitted, validated] = archive.history;
    expect(fitted).toMatchObject({ action: 'fitted', by: 'Tina Tech', why: 'new table' });
    expect(validated).toMatchObject({ action: 'validated', validation: { isPassed: true } });
    const report = readFileSync(join(table.folder, 'calibrations', validated?.validation?.report ?? ''), 'utf8');
    expect(report).toContain('Table Seven');
    expect(report).toContain(fitted?.profileSha256);
    // The samples are kept for a later fit, the next calibration begins anew.
    expect(readdirSync(join(table.folder, 'calibrations')).sort()).toEqual([
      'history.jsonl',
      'history.lock',
      'profiles',
      'reports',
      'samples',
      'session.lock',
    ]);

    const id = fitted?.profileId ?? '';
    const persons = ['--by', 'Tina Tech', '--supervisor', 'Sam Super', '--why', 'new table'];
    expect(await runGuideWith(table, ['activate', id, ...persons])).toMatchObject({ exitCode: 0 });
    expect(archive.active).toEqual({ profileId: id, isSame: true });
    expect((await runGuideWith(table, ['list'])).out).toContain(`* active: ${id}`);
  });

  it('waits for nobody: ends with code 2 when another guide works on the session, or a file lies in its place', {
    timeout: 60_000,
  }, async () => {
    const lock = lockFile(join(table.folder, 'taken.lock'));
    const taken = await runGuideWith(table, ['--session', 'taken']);
    lock.release();
    writeFileSync(join(table.folder, 'a-file'), '');

    expect(taken).toMatchObject({ exitCode: 2, err: expect.stringContaining('another process is at work') });
    expect(await runGuideWith(table, ['--session', 'a-file'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('it is a file, a folder is needed'),
    });
    // A file system that has no such folder and allows none.
    expect(await runGuideWith(table, ['--session', '/proc/none/session'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('/proc/none cannot be written'),
    });
  });

  it('leaves camera and shaker to a table that runs', { timeout: 60_000 }, async () => {
    mkdirSync(join(table.folder, 'journal'));
    const lock = lockFile(join(table.folder, 'journal', 'journal.sqlite.lock'));
    const refused = await runGuideWith(table, ['--session', 'beside-a-table']);
    lock.release();

    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining('The table is running: stop it') });
  });

  it('ends with code 1 when the answers of a file end, and keeps what was answered', { timeout: 60_000 }, async () => {
    const { exitCode, err } = await runGuideWith(table, ['--session', 'by-file'], 'technician = Tina\n# a remark\nSam\n\n16\n\n');

    expect(exitCode).toBe(1);
    expect(err).toContain('The answers ended at the question "tray-diameter-mm"');
    expect(JSON.parse(readFileSync(join(table.folder, 'by-file', 'session.json'), 'utf8'))).toEqual({
      schemaVersion: 1,
      technician: 'Tina',
      supervisor: 'Sam',
      why: 'first calibration',
      dieEdgeMm: 16,
      fitted: null,
    });
  });
});

describe('answers of a file', () => {
  it('answer the questions in order, and those of a name wherever it is asked', async () => {
    const lines = new AnswerLines(Readable.from(['values = 1 4 6\n# no answer\nTina\nvalues = 2 2 5\n\n']));

    expect(await lines.next('technician')).toBe('Tina');
    expect(await lines.next('values')).toBe('1 4 6');
    expect(await lines.next('roll')).toBe('');
    expect(await lines.next('values')).toBe('2 2 5');
    expect(await lines.next('values')).toBeNull();
  });
});

describe('what a series of throws still lacks', () => {
  it('asks for the number of throws, then for values shown too rarely', () => {
    expect(missingOf([[1, 2, 3]], 3, 1)).toEqual({ throwCount: 2, faces: [4, 5, 6] });
    expect(
      missingOf(
        [
          [1, 2, 3],
          [4, 5, 5],
        ],
        2,
        1,
      ),
    ).toEqual({ throwCount: 1, faces: [6] });
    expect(
      missingOf(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        2,
        1,
      ),
    ).toBeNull();
  });
});
