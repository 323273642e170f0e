import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readProfile } from '../../calibration/profile.ts';
import { reportHtml } from '../../calibration/report-html.ts';
import { reportJson, validationHeadSchema } from '../../calibration/report-json.ts';
import { fileSha256, isPassed, type Validation, validateProfile } from '../../calibration/validate.ts';
import { readValidationSet } from '../../calibration/validation-set.ts';
import { runCaptured } from '../cli/run-captured.ts';

const rigFolder = join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d');
const profileFile = join(rigFolder, 'calibration.json');
const sha256 = fileSha256(readFileSync(profileFile));

function validated(folder: string, change: Partial<Validation['profile']> = {}): Validation {
  const profile = { ...readProfile(profileFile), ...change };
  return validateProfile({ profile, profileSha256: sha256, validatedAt: '2026-03-04T05:06:07.000Z' }, readValidationSet(folder));
}

/** The fixture with other label rows. */
function relabelled(change: (row: Record<string, unknown>) => readonly Record<string, unknown>[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'validation-'));
  cpSync(rigFolder, folder, { recursive: true });
  const rows = readFileSync(join(rigFolder, 'labels.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => change(JSON.parse(line) as Record<string, unknown>));
  writeFileSync(join(folder, 'labels.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return folder;
}

function keptEmpty(row: Record<string, unknown>): readonly Record<string, unknown>[] {
  return row.kind === 'empty_ref' ? [row] : [];
}

function limit({ limits }: Validation, id: string): string | undefined {
  return limits.find((each) => each.id === id)?.verdict;
}

describe('validating a calibration', { timeout: 60_000 }, () => {
  let validation: Validation;
  beforeAll(() => {
    validation = validated(rigFolder);
  });

  it('counts right, refused and wrong throws, and those that must not be taken', () => {
    expect(validation.counts.right + validation.counts.refused).toBe(8);
    expect(validation.counts).toMatchObject({ wrong: 0, 'not-taken': 7, 'falsely-taken': 0 });
    expect(limit(validation, 'wrong')).toBe('passed');
    expect(limit(validation, 'falsely-taken')).toBe('passed');
  });

  it('puts every die of a valid throw into one field of the confusion matrix', () => {
    const { confusion } = validation.faces;

    // 6 6 1, 4 4 2, 3 5 6, 5 6 1, 4 3 4, 3 6 3, 4 1 6, 3 1 2.
    expect(confusion.map((row) => row.reduce((sum, count) => sum + count, 0))).toEqual([4, 2, 5, 5, 2, 6]);
    expect(confusion.flatMap((row, face) => row.filter((_, column) => column < 6 && column !== face))).toEqual(
      new Array(30).fill(0),
    );
  });

  it('does not pass with fewer throws than the limit says', () => {
    expect(limit(validation, 'throws')).toBe('failed');
    expect(validation.isPassed).toBe(false);
  });

  it('measures how far the judged quantities stay from their limits', () => {
    const overlap = validation.margins.find(({ name }) => name === 'overlap of faces');

    expect(overlap).toMatchObject({ limit: 0.03, median: 0, medianMargin: 1 });
    expect(overlap?.count).toBeGreaterThanOrEqual(18);
    for (const { worstMargin, medianMargin } of validation.margins) expect(worstMargin).toBeLessThanOrEqual(medianMargin);
  });

  it('fails when one throw is read as other values than its label says', () => {
    const folder = relabelled((row) => (row.file === 'rig-d_018.jpg' ? [{ ...row, values: [3, 5, 5] }] : keptEmpty(row)));
    const changed = validated(folder);

    expect(changed.counts.wrong).toBe(1);
    expect(limit(changed, 'wrong')).toBe('failed');
    expect(changed.faces.confusion[4]?.[5]).toBe(1);
  });

  it('fails when a throw that must not be taken is taken', () => {
    const folder = relabelled((row) => (row.file === 'rig-d_018.jpg' ? [{ ...row, valid: false }] : keptEmpty(row)));

    expect(limit(validated(folder), 'falsely-taken')).toBe('failed');
  });

  it('counts the same throw once, however often it is shown', () => {
    const again = relabelled((row) => (row.file === 'rig-d_018.jpg' ? [row, row, row] : keptEmpty(row)));

    expect(validated(again).validCount).toBe(1);
  });

  it('fails with throws that the fit has seen', () => {
    const seen = fileSha256(readFileSync(join(rigFolder, 'rig-d_018.jpg')));

    const folder = relabelled((row) => (row.file === 'rig-d_018.jpg' ? [row] : keptEmpty(row)));

    expect(limit(validated(folder, { sampleSha256: [seen] }), 'throws-of-their-own')).toBe('failed');
    expect(limit(validated(folder, { sampleSha256: ['0'.repeat(64)] }), 'throws-of-their-own')).toBe('passed');
  });

  it('names every problem of a folder without usable throws', () => {
    const folder = relabelled((row) => (row.kind === 'calib' ? [{ ...row, file: 'gone.jpg', kind: 'test' }] : []));

    expect(() => readValidationSet(folder)).toThrowError(
      expect.objectContaining({
        code: 'calibration.samples',
        problems: expect.arrayContaining(['gone.jpg cannot be read', expect.stringContaining('empty tray is needed')]),
      }),
    );
  });

  it('writes a report that needs no other file and names limits, hash and people', () => {
    const people = { table: 'Test <1>', technician: 'A. Turner', supervisor: 'B. Okafor' };
    const jpeg = readFileSync(join(rigFolder, 'rig-d_000.jpg'));
    const html = reportHtml(validation, jpeg, people, '9.9.9');

    expect(html).toContain('NOT PASSED');
    expect(html).toContain(sha256);
    expect(html).toContain('Test &lt;1&gt;');
    expect(html).toContain('Supervisor: B. Okafor');
    expect(html.match(/<img /g)).toHaveLength(16);
    expect(html.match(/(?:src|href)="(?!data:)/g)).toBeNull();
    expect(html).not.toContain('<script');
  });

  it('does not pass when a limit could not be measured, and says what to do', () => {
    // The fixture has a single picture of the empty tray: it cannot tell flicker, bands, noise and frame rate.
    expect(limit(validation, 'flicker')).toBe('not-measured');
    const kept = validation.limits.filter(({ verdict }) => verdict === 'passed');
    const html = reportHtml(validation, Buffer.alloc(0), { table: null, technician: null, supervisor: null }, '9.9.9');

    expect(isPassed(kept)).toBe(true);
    expect(isPassed([...kept, ...validation.limits.filter(({ id }) => id === 'flicker')])).toBe(false);
    expect(html).toContain('use lamps on direct current');
  });

  it('has not measured what must not be taken when fewer than six such scenes were shown', () => {
    const five = new Set(['rig-d_018.jpg', 'rig-d_019.jpg', 'rig-d_024.jpg']);
    const folder = relabelled((row) => (five.has(String(row.file)) ? [row] : keptEmpty(row)));
    const again = relabelled((row) =>
      row.kind === 'test' && row.valid === false
        ? [row, row, row, row, row, row].slice(0, row.file === 'rig-d_048.jpg' ? 6 : 0)
        : keptEmpty(row),
    );

    expect(limit(validated(folder), 'falsely-taken')).toBe('not-measured');
    // One scene shown six times is one scene.
    expect(limit(validated(again), 'falsely-taken')).toBe('not-measured');
  });

  it('names calibration, hash and page on every printed page, and the hash again where it is signed', () => {
    const people = { table: 'Seven', technician: 'A. Turner', supervisor: 'B. Okafor' };
    const html = reportHtml(validation, Buffer.alloc(0), people, '9.9.9');

    expect(html).toContain(`@bottom-left { content: "${validation.profile.id}, SHA-256 ${sha256.slice(0, 16)}…`);
    expect(html.slice(html.indexOf('7 Signatures'))).toContain(`of table Seven, SHA-256 ${sha256}`);
    expect(html).toContain('sicbo-table 9.9.9');
  });

  it('writes its figures as JSON with a head that an activation can check', () => {
    const json: unknown = JSON.parse(reportJson(validation, '9.9.9'));

    expect(validationHeadSchema.parse(json)).toEqual({
      schemaVersion: 1,
      profileId: validation.profile.id,
      profileSha256: sha256,
      validatedAt: '2026-03-04T05:06:07.000Z',
      isPassed: false,
    });
  });
});

describe('sicbo calibrate validate', { timeout: 60_000 }, () => {
  it('ends with code 1, the limits and a report when a limit is not kept', async () => {
    const report = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.html');
    const { exitCode, out } = await runCaptured(
      `calibrate validate --profile ${profileFile} --samples ${rigFolder} --report ${report}`,
    );

    expect(exitCode).toBe(1);
    expect(out).toContain('0 wrong of valid throws; 0 of 7 invalid throws taken');
    expect(out).toContain('NOT PASSED');
    expect(readFileSync(report, 'utf8')).toContain('</html>');
    expect(JSON.parse(readFileSync(report.replace('.html', '.validation.json'), 'utf8'))).toMatchObject({ isPassed: false });
  });
});
