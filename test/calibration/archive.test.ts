import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CalibrationArchive } from '../../calibration/archive.ts';
import { compareProfiles } from '../../calibration/compare-profiles.ts';
import { type CalibrationProfile, readProfile } from '../../calibration/profile.ts';
import { fileSha256, type Validation } from '../../calibration/validate.ts';

const rigD = readProfile(join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d', 'calibration.json'));
const rigA = readProfile(join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-a', 'calibration.json'));
const order = { technician: 'Tina Tech', supervisor: 'Sam Super', why: 'new dice', at: '2026-05-06T07:08:09.000Z' };

function named(id: string, change: Partial<CalibrationProfile> = {}): CalibrationProfile {
  return { ...rigD, id, ...change };
}

describe('the archive of calibrations', () => {
  let folder = '';
  let archive: CalibrationArchive;
  let activeFile = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'archive-'));
    activeFile = join(folder, 'calibration.json');
    archive = new CalibrationArchive(join(folder, 'calibrations'), activeFile);
  });

  function validated(id: string, isPassed: boolean): void {
    const { profile, sha256 } = archive.profile(id);
    const head = { profile, profileSha256: sha256, validatedAt: '2026-05-06T07:00:00.000Z', isPassed };
    archive.keepValidation(head as Validation, '<html></html>', '{}', 'Tina Tech');
  }

  it('keeps every calibration by its id, with who, when and why', () => {
    archive.keep(named('cal-first-01'));
    archive.keep(named('cal-second-02', { why: 'camera moved' }));

    expect(archive.history.map(({ number, action, profileId, why }) => [number, action, profileId, why])).toEqual([
      [1, 'fitted', 'cal-first-01', rigD.why],
      [2, 'fitted', 'cal-second-02', 'camera moved'],
    ]);
    expect(archive.profile('cal-first-01').profile).toEqual(named('cal-first-01'));
    expect(() => archive.keep(named('cal-first-01'))).toThrowError(expect.objectContaining({ code: 'calibration.exists' }));
  });

  it('activates a calibration with a passed validation, and the table reads the very same bytes', () => {
    const sha256 = archive.keep(named('cal-first-01'));
    validated('cal-first-01', true);
    archive.activate('cal-first-01', order, null);

    expect(fileSha256(readFileSync(activeFile))).toBe(sha256);
    expect(archive.active).toEqual({ profileId: 'cal-first-01', isSame: true });
    expect(archive.history.at(-1)).toMatchObject({
      action: 'activated',
      by: 'Tina Tech',
      second: 'Sam Super',
      why: 'new dice',
      withoutValidation: null,
    });
  });

  it('activates nothing that did not pass, unless a reason is given, which is kept', () => {
    archive.keep(named('cal-first-01'));
    const refusal = expect.objectContaining({ code: 'calibration.not-validated' });

    expect(() => archive.activate('cal-first-01', order, null)).toThrowError(refusal);
    validated('cal-first-01', false);
    expect(() => archive.activate('cal-first-01', order, null)).toThrowError(refusal);
    archive.activate('cal-first-01', order, 'laboratory test');
    expect(archive.history.at(-1)).toMatchObject({ action: 'activated', withoutValidation: 'laboratory test' });
  });

  it('demands two different persons', () => {
    archive.keep(named('cal-first-01'));
    validated('cal-first-01', true);

    for (const supervisor of ['', ' tina tech ']) {
      expect(() => archive.activate('cal-first-01', { ...order, supervisor }, null)).toThrowError(
        expect.objectContaining({ code: 'calibration.two-persons' }),
      );
    }
  });

  it('rolls back to the calibration before, and not further than there is one', () => {
    for (const id of ['cal-first-01', 'cal-second-02', 'cal-third-03']) {
      archive.keep(named(id));
      validated(id, true);
      archive.activate(id, order, null);
    }

    expect(archive.rollBack(order)).toBe('cal-second-02');
    expect(archive.active).toEqual({ profileId: 'cal-second-02', isSame: true });
    expect(archive.rollBack(order)).toBe('cal-first-01');
    expect(() => archive.rollBack(order)).toThrowError(expect.objectContaining({ code: 'calibration.nothing-before' }));
    expect(archive.history.filter(({ action }) => action === 'rolled-back')).toHaveLength(2);
  });

  it('notices a calibration file that was changed after it was kept', () => {
    archive.keep(named('cal-first-01'));
    validated('cal-first-01', true);
    appendFileSync(archive.pathOf('cal-first-01'), ' ');

    expect(() => archive.activate('cal-first-01', order, null)).toThrowError(
      expect.objectContaining({ code: 'calibration.changed' }),
    );
  });

  it('notices that the table reads another file than the history says', () => {
    archive.keep(named('cal-first-01'));
    validated('cal-first-01', true);
    archive.activate('cal-first-01', order, null);
    writeFileSync(activeFile, 'another');

    expect(archive.active).toEqual({ profileId: 'cal-first-01', isSame: false });
    archive.activate('cal-first-01', order, null);
    expect(archive.active.isSame).toBe(true);
  });

  it('notices a history in which a line was changed or taken out', () => {
    for (const id of ['cal-first-01', 'cal-second-02', 'cal-third-03']) archive.keep(named(id));
    const path = join(folder, 'calibrations', 'history.jsonl');
    const text = readFileSync(path, 'utf8');
    const damaged = expect.objectContaining({ code: 'calibration.history-damaged' });

    writeFileSync(path, text.replace(rigD.why, 'another reason'));
    expect(() => archive.history).toThrowError(damaged);
    writeFileSync(path, text.split('\n').slice(1).join('\n'));
    expect(() => archive.history).toThrowError(damaged);
  });

  it('passes over a last line that a power cut tore, and goes on after it', () => {
    archive.keep(named('cal-first-01'));
    appendFileSync(join(folder, 'calibrations', 'history.jsonl'), '{"number":2,"at":"20');

    expect(archive.history).toHaveLength(1);
    archive.keep(named('cal-second-02'));
    expect(archive.history.map(({ number }) => number)).toEqual([1, 2]);
  });
});

describe('comparing calibrations', () => {
  it('finds no notable difference between a calibration and itself', () => {
    expect(compareProfiles(rigD, rigD).filter(({ isNotable }) => isNotable)).toEqual([]);
  });

  it('names picture size, tray and dice of another rig', () => {
    const notable = compareProfiles(rigD, rigA).flatMap(({ name, isNotable }) => (isNotable ? [name] : []));

    expect(notable).toEqual(
      expect.arrayContaining(['picture size', 'die', 'tray, middle', 'die, edge in the picture', 'colour of the dice']),
    );
  });
});
