import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fitProfile } from '../../calibration/fit.ts';
import { readProfile, writeProfile } from '../../calibration/profile.ts';
import { readSamples } from '../../calibration/samples.ts';

const rigFolder = join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d');
const person = { createdBy: 'test', why: 'test', createdAt: '2026-01-02T03:04:05.000Z' };

describe('fitting a calibration', () => {
  it('finds tray, size and pips of a rig by itself and misreads none of its samples', { timeout: 240_000 }, () => {
    const profile = fitProfile(rigFolder, person, () => {});

    // The renderer's own figures: edge 57.5 px, tray centre 320.8, 254.3, foot of the camera 284, 294, pips 0.27 edges from the centre line.
    expect(profile.geometry.edgePx * (1 + 2 * profile.geometry.bevelEdges)).toBeGreaterThan(55.5);
    expect(profile.geometry.edgePx * (1 + 2 * profile.geometry.bevelEdges)).toBeLessThan(59.5);
    expect(profile.tray.centrePx[0]).toBeCloseTo(320.8, -1);
    expect(profile.geometry.nadirPx[0]).toBeGreaterThan(254);
    expect(profile.geometry.nadirPx[0]).toBeLessThan(314);
    expect(profile.measured).toMatchObject({ pictureCount: 12, wrongCount: 0 });
    expect(profile.dieEdgeMm).toBe(16.5);
  });

  it('names every problem of a folder at once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'samples-'));
    writeFileSync(
      join(folder, 'labels.jsonl'),
      '{"file":"a.jpg","kind":"calib","values":[1,9],"die_edge_mm":16,"resolution":[640,480]}\nnonsense\n',
    );

    expect(() => readSamples(folder)).toThrowError(
      expect.objectContaining({
        code: 'calibration.samples',
        problems: expect.arrayContaining([
          'labels.jsonl line 2: no JSON',
          'a.jpg cannot be read',
          'no row with kind empty_ref: a picture of the empty tray is needed',
        ]),
      }),
    );
  });
});

describe('the calibration file', () => {
  it('is read back as it was written', () => {
    const profile = readProfile(join(rigFolder, 'calibration.json'));
    const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'calibration.json');
    writeProfile(path, profile);

    expect(readProfile(path)).toEqual(profile);
  });

  it('is refused when a hand has edited it, whatever it has changed', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'calibration.json');
    writeProfile(path, readProfile(join(rigFolder, 'calibration.json')));
    const text = readFileSync(path, 'utf8');
    const edits: readonly (readonly [string, string])[] = [
      ['"dieEdgeMm": 16.5', '"dieEdgeMm": 17.5'],
      ['"radiusPx": ', '"radiusPx": 9'],
      ['"id": "cal-', '"id": "cat-'],
    ];
    for (const [from, to] of edits) {
      expect(text).toContain(from);
      writeFileSync(path, text.replace(from, to));
      expect(() => readProfile(path)).toThrowError(expect.objectContaining({ code: 'calibration.edited' }));
    }
    // Other spaces change nothing.
    writeFileSync(path, JSON.stringify(JSON.parse(text)));
    expect(readProfile(path).dieEdgeMm).toBe(16.5);
  });

  it('is refused when its tray does not lie in its picture', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'calibration.json');
    const json = JSON.parse(readFileSync(join(rigFolder, 'calibration.json'), 'utf8')) as { tray: object };
    for (const change of [{ centrePx: [5_000, 200] }, { centrePx: [-500, 200] }, { radiusPx: 1e6 }]) {
      writeFileSync(path, JSON.stringify({ ...json, tray: { ...json.tray, ...change } }));
      expect(() => readProfile(path)).toThrowError(
        expect.objectContaining({ code: 'calibration.invalid', problems: ['tray: it does not lie in the picture'] }),
      );
    }
  });

  it('is refused with the key that is wrong', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'calibration.json');
    writeFileSync(
      path,
      JSON.stringify({ ...JSON.parse(readFileSync(join(rigFolder, 'calibration.json'), 'utf8')), dieEdgeMm: 3 }),
    );

    expect(() => readProfile(path)).toThrowError(
      expect.objectContaining({ code: 'calibration.invalid', problems: [expect.stringContaining('dieEdgeMm')] }),
    );
  });
});
