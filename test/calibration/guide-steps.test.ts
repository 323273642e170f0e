import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CalibrationArchive } from '../../calibration/archive.ts';
import { cameraStep } from '../../calibration/guide-camera.ts';
import type { GuideParts, GuideShaker, ProposedValues, QuestionName } from '../../calibration/guide-parts.ts';
import { doubtfulSamples, samplesStep } from '../../calibration/guide-samples.ts';
import { scenesStep } from '../../calibration/guide-scenes.ts';
import { type ThrowSeries, throwsStep } from '../../calibration/guide-throws.ts';
import { readProfile } from '../../calibration/profile.ts';
import { invalidScenes, usualPlan } from '../../calibration/sample-plan.ts';
import { CalibrationSession } from '../../calibration/session.ts';
import type { Face } from '../../src/core/rules/dice.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { openRig } from '../../src/vision/rig.ts';
import { readUncalibrated } from '../../src/vision/uncalibrated/read-uncalibrated.ts';
import { ShownPictures } from './shown-pictures.ts';

const rigFolder = join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d');
const profile = readProfile(join(rigFolder, 'calibration.json'));
const tray: ThrowSeries['tray'] = { centrePx: profile.tray.centrePx, radiusPx: profile.tray.radiusPx, edgeStrength: 1 };
const picture = (number: string): Buffer => readFileSync(join(rigFolder, `rig-d_${number}.jpg`));
const resolution = [640, 480] as const;

/** Waits of the guide, shortened to a tenth. */
const fastClock: Clock = {
  now: () => ({ wallMs: Date.now(), monoMs: 10 * performance.now() }),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs / 10);
    return () => clearTimeout(timer);
  },
};

/** What a technician does when asked: something at the table, then an answer. */
type Step = readonly [name: QuestionName, answer: string, act?: () => void];

describe('the guide at the table', { timeout: 30_000 }, () => {
  let camera: ShownPictures;
  let session: CalibrationSession;
  let said: string[] = [];
  beforeEach(() => {
    camera = new ShownPictures();
    session = new CalibrationSession(join(mkdtempSync(join(tmpdir(), 'session-')), 'session'));
    session.settings = { schemaVersion: 1, technician: 'Tina', supervisor: '', why: 'test', dieEdgeMm: 16.5, fitted: null };
    said = [];
  });
  afterEach(() => camera.close());

  function parts(steps: readonly Step[], shaker: GuideShaker | null = null): GuideParts {
    const left = [...steps];
    return {
      frames: camera,
      clock: fastClock,
      isStillSource: true,
      session,
      archive: new CalibrationArchive(join(session.folder, '..', 'calibrations'), join(session.folder, '..', 'calibration.json')),
      front: {
        say: (line) => said.push(line),
        ask: async (name, text) => {
          said.push(text);
          const [wanted, answer, act] = left.shift() ?? ['none', ''];
          expect(name).toBe(wanted);
          act?.();
          return answer;
        },
      },
      shaker,
      plan: usualPlan,
      fit: async () => profile,
      readUncalibrated: (jpeg) => {
        const { seenValues, refusedFor, seenDice } = readUncalibrated(jpeg);
        return { values: seenValues, cause: refusedFor, dice: seenDice };
      },
      given: {},
      tableName: 'Seven',
      softwareVersion: '9.9.9',
      nowIso: () => '2026-05-06T07:08:09.000Z',
      signal: new AbortController().signal,
    };
  }

  function knowEmptyTray(): void {
    session.add({ kind: 'empty_ref', jpeg: picture('000'), resolution, values: [], isValid: true, capturedMs: 0 });
  }

  const reads = (values: readonly [Face, Face, Face]) => (): ProposedValues => ({ values, cause: null, dice: [1, 2, 3] });
  const series = (kind: ThrowSeries['kind'], read: ThrowSeries['read']): ThrowSeries => ({
    kind,
    throwCount: 1,
    faceCount: 0,
    tray,
    read,
  });

  it('does not show a reading of the validation before the technician has said what lies there, and asks twice where they differ', async () => {
    knowEmptyTray();
    const asks: readonly Step[] = [
      ['roll', '', () => camera.show(picture('018'))],
      ['values', '356'],
      ['values', '3 6 5'],
    ];
    await throwsStep(parts(asks), series('test', reads([3, 5, 5])));

    expect(session.rows('test')).toMatchObject([{ values: [3, 6, 5], valid: true }]);
    const shownBefore = said.slice(
      0,
      said.findIndex((line) => line.startsWith('You say')),
    );
    expect(shownBefore.join()).not.toContain('3 5 5');
    expect(said.at(-1)).toBe('Read 3 5 5, kept as 3 6 5.');
  });

  it('takes no throw of the validation back', async () => {
    knowEmptyTray();
    const asks: readonly Step[] = [
      ['roll', '', () => camera.show(picture('018'))],
      ['values', '356'],
      ['roll', 'undo'],
      ['roll', '', () => camera.show(picture('019'))],
      ['values', '156'],
    ];
    await throwsStep(parts(asks), { ...series('test', () => ({ values: null, cause: 'glare', dice: [] })), throwCount: 2 });

    expect(session.rows('test').map(({ values }) => values)).toEqual([
      [3, 5, 6],
      [1, 5, 6],
    ]);
  });

  it('keeps a throw that does not lie flat as one that must not be taken', async () => {
    knowEmptyTray();
    const asks: readonly Step[] = [
      ['roll', '', () => camera.show(picture('015'))],
      ['values', 'no'],
      ['roll', '', () => camera.show(picture('018'))],
      ['values', '356'],
    ];
    await throwsStep(parts(asks), series('test', reads([3, 5, 6])));

    expect(session.rows('test')).toMatchObject([
      { values: [], valid: false, class: 'not a valid throw' },
      { values: [3, 5, 6], valid: true },
    ]);
    expect(said).toContain('Kept as a throw that must not be taken; it was TAKEN as 3 5 6.');
  });

  it('lets the shaker roll, says why it did not, and takes a roll by hand', async () => {
    knowEmptyTray();
    const answers: (string | null)[] = ['The lid is open: close it', null];
    const shaker: GuideShaker = {
      roll: async () => {
        camera.show(picture(answers.length === 2 ? '017' : '018'));
        return answers.shift() ?? null;
      },
    };
    const asks: readonly Step[] = [
      ['roll', ''],
      ['roll', ''],
      ['values', '356'],
      ['roll', 'hand', () => camera.show(picture('019'))],
      ['values', '156'],
    ];
    await throwsStep(parts(asks, shaker), { ...series('calib', null), throwCount: 2 });

    expect(said).toContain('The lid is open: close it. Put it right, or roll by hand and answer "hand".');
    expect(session.rows('calib')).toHaveLength(2);
    expect(session.jpegOf(session.rows('calib')[0] ?? { file: '', kind: 'calib', values: [], resolution: [1, 1] })).toEqual(
      picture('018'),
    );
  });

  it('asks again when the camera falls silent, and loses nothing', async () => {
    knowEmptyTray();
    const asks: readonly Step[] = [
      ['roll', ''],
      ['roll', '', () => camera.show(picture('018'))],
      ['values', '356'],
    ];
    await throwsStep(parts(asks), series('calib', null));

    expect(said).toContain('the camera delivered no picture for 8 s: look at its power, cable and address. Once more.');
    expect(session.rows('calib')).toHaveLength(1);
  });

  it('keeps no picture of another size than the empty tray has', async () => {
    knowEmptyTray();
    const large = await sharp(picture('018')).resize(1280, 960).jpeg().toBuffer();
    const asks: readonly Step[] = [
      ['roll', '', () => camera.show(large)],
      ['roll', '', () => camera.show(picture('018'))],
      ['values', '356'],
    ];
    await throwsStep(parts(asks), series('calib', null));

    expect(said.join()).toContain('The picture is 1280 x 960 px now, the empty tray was taken with 640 x 480');
    expect(session.rows('calib')).toHaveLength(1);
  });

  it('keeps no throw that shows another scene than the empty tray', async () => {
    knowEmptyTray();
    const causes: ProposedValues[] = [{ values: null, cause: 'scene-changed', dice: [] }];
    const asks: readonly Step[] = [
      ['roll', '', () => camera.show(picture('019'))],
      ['roll', '', () => camera.show(picture('018'))],
      ['values', '356'],
    ];
    await throwsStep(
      parts(asks),
      series('test', () => causes.shift() ?? { values: [3, 5, 6], cause: null, dice: [] }),
    );

    expect(said.join()).toContain('Camera or tray have moved');
    expect(session.rows('test')).toHaveLength(1);
  });

  it('says that pictures are black, and takes them again', async () => {
    knowEmptyTray();
    const black = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#010101' } })
      .jpeg()
      .toBuffer();
    const asks: readonly Step[] = [
      ['roll', '', () => camera.show(black)],
      ['roll', '', () => camera.show(picture('018'))],
      ['values', '356'],
    ];
    await throwsStep(parts(asks), series('calib', null));

    expect(said.join()).toContain('The pictures are black: look at lamps, lens cap and exposure. Once more.');
  });

  it('notices dice in a tray that should be empty', async () => {
    camera.show(picture('018'));
    const asks: readonly Step[] = [
      ['empty', ''],
      ['camera', '', () => camera.show(picture('000'))],
      ['empty', ''],
      ['camera', 'go'],
      ['tray-diameter-mm', ''],
    ];
    await cameraStep(parts(asks));

    expect(said.filter((line) => line.includes('seem to lie in the tray'))).toHaveLength(1);
    expect(session.rows('empty_ref').map((row) => session.jpegOf(row))).toEqual([picture('000')]);
  });

  it('lists samples that the calibration does not read as labelled, and takes out those that are named', async () => {
    const rows: readonly (readonly [string, readonly Face[]])[] = [
      ['017', [4, 4, 2]],
      // 3 5 6 lies there.
      ['018', [3, 5, 5]],
      // Two dice, labelled as three.
      ['016', [2, 2, 6]],
    ];
    for (const [number, values] of rows)
      session.add({ kind: 'calib', jpeg: picture(number), resolution, values, isValid: true, capturedMs: 0 });
    const rig = openRig(profile);
    const doubts = doubtfulSamples({ session }, rig);
    rig.view.referenceMat.release();
    const removedCount = await samplesStep(
      parts([
        ['samples', '7'],
        ['samples', '2 3'],
      ]),
      doubts,
    );

    expect(doubts.map(({ throwNumber, seen }) => `${throwNumber} ${seen}`)).toEqual([
      '2 read 3 5 6',
      expect.stringMatching(/^3 not read/),
    ]);
    expect(removedCount).toBe(2);
    expect(session.rows('calib').map(({ values }) => values)).toEqual([[4, 4, 2]]);
    expect(said).toContain('Numbers from 1 to 3 are needed, like 2 or 2 5.');
  });

  it('keeps each scene that must not be taken, and one that was taken only when it was as asked', async () => {
    knowEmptyTray();
    const [missing, leaning] = invalidScenes;
    const readings: ProposedValues[] = [
      { values: [3, 5, 6], cause: null, dice: [] },
      { values: null, cause: 'too-few-dice', dice: [] },
      { values: [4, 4, 2], cause: null, dice: [] },
    ];
    const asks: readonly Step[] = [
      ['scene', '', () => camera.show(picture('018'))],
      ['taken', 'again'],
      ['scene', '', () => camera.show(picture('016'))],
      ['scene', '', () => camera.show(picture('017'))],
      ['taken', ''],
    ];
    const scenes = [missing, leaning].filter((scene) => scene !== undefined);
    await scenesStep(parts(asks), scenes, tray, () => readings.shift() ?? { values: null, cause: 'moving', dice: [] });

    expect(session.rows('test')).toMatchObject([
      { valid: false, class: 'a die missing' },
      { valid: false, class: 'leaning die' },
    ]);
    expect(said).toContain('Not taken (too-few-dice): right.');
  });
});
