import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productRoot } from '../../src/product-root.ts';
import { labelledRigs } from '../real-input/labelled-rig.ts';
import { type JudgedThrow, playRig } from '../real-input/play-rig.ts';

/** Values of the dice in the pictures; null where no result may be taken. */
const whiteDiceOnGreen = { 'rig-a_014.jpg': '3,5,6', 'rig-a_015.jpg': null } as const;
const redDiceOnBlue = { 'rig-d_017.jpg': '2,4,4', 'rig-d_019.jpg': '1,5,6', 'rig-d_029.jpg': null } as const;

const folders: string[] = [];

/** Plays these throws of a rig on a daemon of its own. */
async function played(name: string, values: Readonly<Record<string, string | null>>): Promise<readonly JudgedThrow[]> {
  const [rig] = labelledRigs(join(productRoot, 'test/fixtures/vision'), name);
  if (rig === undefined) throw new Error(`no rig ${name}`);
  const folder = mkdtempSync(join(tmpdir(), 'real-input-'));
  folders.push(folder);
  const throws = rig.throws.filter(({ file }) => basename(file) in values);
  return playRig({ ...rig, throws }, { folder, calibrationFile: join(rig.folder, 'calibration.json'), slowness: 1.7 });
}

function declaredBy(throws: readonly JudgedThrow[]): Record<string, string | null> {
  return Object.fromEntries(throws.map(({ file, declared }) => [basename(file), declared]));
}

describe('a real table with a camera, a shaker and labelled throws', () => {
  let green: readonly JudgedThrow[] = [];
  let blue: readonly JudgedThrow[] = [];
  beforeAll(async () => {
    green = await played('rig-a', whiteDiceOnGreen);
    blue = await played('rig-d', redDiceOnBlue);
  }, 300_000);
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it('declares what the dice show, and nothing where they lean or lie on each other', () => {
    expect(declaredBy(green)).toEqual(whiteDiceOnGreen);
    expect(declaredBy(blue)).toEqual(redDiceOnBlue);
  });

  it('settles the rounds with a result, and shakes again before it calls a person for the others', () => {
    const throws = [...green, ...blue];

    expect(throws.map(({ end }) => end)).toEqual([
      'settled',
      'held: shakes-exhausted',
      'settled',
      'settled',
      'held: shakes-exhausted',
    ]);
    expect(throws.filter(({ declared }) => declared === null).map(({ shakeCount }) => shakeCount)).toEqual([2, 2]);
  });

  it('sees in the picture the three tumbles that make a throw count', () => {
    for (const { motionBurstCounts } of [...green, ...blue])
      expect(Math.max(...motionBurstCounts.map(Number))).toBeGreaterThanOrEqual(3);
  });
});
