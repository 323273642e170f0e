import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CalibrationArchive } from '../../calibration/archive.ts';
import { lockFile } from '../../calibration/file-lock.ts';
import { readProfile } from '../../calibration/profile.ts';
import { fileSha256, type Validation } from '../../calibration/validate.ts';
import { productRoot } from '../../src/product-root.ts';

const profile = readProfile(join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d', 'calibration.json'));
const order = { technician: 'Tina Tech', supervisor: 'Sam Super', why: 'new dice', at: '2026-05-06T07:08:09.000Z' };

function newArchive(): { readonly archive: CalibrationArchive; readonly folder: string; readonly activeFile: string } {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  const activeFile = join(folder, 'calibration.json');
  return { archive: new CalibrationArchive(join(folder, 'calibrations'), activeFile), folder, activeFile };
}

function validated(archive: CalibrationArchive, id: string, isPassed: boolean, at = '2026-05-06T07:00:00.000Z'): string {
  const { profile: kept, sha256 } = archive.profile(id);
  const head = { profile: kept, profileSha256: sha256, validatedAt: at, isPassed };
  return archive.keepValidation(head as Validation, '<html></html>', '{}', 'Tina Tech');
}

/** A process that activates calibrations in turn. */
const activator = `
const { CalibrationArchive } = await import(process.argv[2] + '/dist/calibration/archive.js');
const archive = new CalibrationArchive(process.argv[3], process.argv[4]);
for (let turn = 0; turn < 20; turn += 1)
  archive.activate('cal-' + (turn % 2 === 0 ? 'first' : 'second'), ${JSON.stringify(order)}, 'test of the lock');
`;

describe('several processes on one archive of calibrations', { timeout: 60_000 }, () => {
  it('keeps a whole history, and the file is the one that the history says is active', async () => {
    const { archive, folder, activeFile } = newArchive();
    for (const id of ['cal-first', 'cal-second']) archive.keep({ ...profile, id });
    const program = join(folder, 'activate.mjs');
    writeFileSync(program, activator);
    const children = [1, 2, 3].map(() =>
      fork(program, [productRoot, join(folder, 'calibrations'), activeFile], { execArgv: [] }),
    );
    const codes = await Promise.all(children.map(ended));

    expect(codes).toEqual([0, 0, 0]);
    expect(archive.history.filter(({ action }) => action === 'activated')).toHaveLength(60);
    expect(archive.active.isSame).toBe(true);
  });

  it('says who is at work when another process holds the archive for too long', () => {
    const { archive, folder } = newArchive();
    archive.keep({ ...profile, id: 'cal-first' });
    const lock = lockFile(join(folder, 'calibrations', 'other.lock'));

    expect(() => lockFile(join(folder, 'calibrations', 'other.lock'))).toThrowError(
      expect.objectContaining({ code: 'calibration.locked' }),
    );
    lock.release();
    lockFile(join(folder, 'calibrations', 'other.lock')).release();
  });
});

describe('an archive whose files were touched', () => {
  it('activates nothing whose signed report or figures are not those of the validation any more', () => {
    const { archive, activeFile } = newArchive();
    archive.keep({ ...profile, id: 'cal-first' });
    const report = validated(archive, 'cal-first', true);
    const refusal = expect.objectContaining({ code: 'calibration.changed' });

    writeFileSync(report, '<html>better</html>');
    expect(() => archive.activate('cal-first', order, null)).toThrowError(refusal);
    writeFileSync(report, '<html></html>');
    writeFileSync(report.replace('.html', '.validation.json'), '{"isPassed":true}');
    expect(() => archive.activate('cal-first', order, null)).toThrowError(refusal);
    writeFileSync(report.replace('.html', '.validation.json'), '{}');
    archive.activate('cal-first', order, null);
    expect(fileSha256(readFileSync(activeFile))).toBe(archive.profile('cal-first').sha256);
  });

  it('activates no calibration that was edited by hand', () => {
    const { archive } = newArchive();
    archive.keep({ ...profile, id: 'cal-first' });
    validated(archive, 'cal-first', true);
    const path = archive.pathOf('cal-first');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"dieEdgeMm": 16.5', '"dieEdgeMm": 17.5'));

    expect(() => archive.activate('cal-first', order, null)).toThrowError(
      expect.objectContaining({ code: 'calibration.changed' }),
    );
  });

  it('says so when the file that the table reads was edited by hand', () => {
    const { archive, activeFile } = newArchive();
    archive.keep({ ...profile, id: 'cal-first' });
    validated(archive, 'cal-first', true);
    archive.activate('cal-first', order, null);
    writeFileSync(activeFile, `${readFileSync(activeFile, 'utf8')} `);

    expect(archive.active).toEqual({ profileId: 'cal-first', isSame: false });
  });

  it('rolls back to no calibration that has failed a validation since it was active', () => {
    const { archive } = newArchive();
    for (const id of ['cal-first', 'cal-second']) {
      archive.keep({ ...profile, id });
      validated(archive, id, true);
      archive.activate(id, order, null);
    }
    validated(archive, 'cal-first', false, '2026-06-01T00:00:00.000Z');

    expect(() => archive.rollBack(order)).toThrowError(expect.objectContaining({ code: 'calibration.not-validated' }));
    expect(archive.active).toEqual({ profileId: 'cal-second', isSame: true });
  });
});

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', resolve));
}
