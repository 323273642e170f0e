import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProfile } from '../../calibration/profile.ts';
import { cameraRollDeg } from '../../src/vision/camera-roll.ts';
import { copyPart, decodeJpeg } from '../../src/vision/picture.ts';
import { readJpeg } from '../../src/vision/read-picture.ts';
import { openRig, type Rig } from '../../src/vision/rig.ts';
import { turnedPicture } from './turned-picture.ts';

const rigFolder = join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d');
const labels = readFileSync(join(rigFolder, 'labels.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { file: string; kind: string; valid: boolean; values: (number | null)[] })
  .filter(({ kind }) => kind === 'test');

describe('a camera that turns about its own axis', { timeout: 120_000 }, () => {
  let rig: Rig;
  beforeAll(() => {
    rig = openRig(readProfile(join(rigFolder, 'calibration.json')));
  });
  afterAll(() => rig.view.referenceMat.release());

  const turned = (file: string, deg: number): Promise<Buffer> => turnedPicture(readFileSync(join(rigFolder, file)), deg);

  function rollIn(jpeg: Buffer): number | null {
    const decoded = decodeJpeg(jpeg);
    if (decoded.kind === 'unusable') throw new Error(decoded.detail);
    const { width, height } = rig.view.tray.reference;
    const picture = copyPart(decoded.mat, rig.view.rect, width, height);
    decoded.mat.release();
    return cameraRollDeg(rig.scene.roll, picture);
  }

  it.each([-3, -2, -1, 0.5, 1, 2, 3])('is told by the floor, within a quarter of a degree: %d', async (deg) => {
    expect(Math.abs((rollIn(await turned('rig-d_018.jpg', deg)) ?? 99) - deg)).toBeLessThan(0.25);
  });

  it('is not suspected where nobody turned it: dice of every class, less light', async () => {
    const dark = await sharp(readFileSync(join(rigFolder, 'rig-d_018.jpg')))
      .linear(0.5, 0)
      .jpeg()
      .toBuffer();

    for (const { file } of labels) expect(Math.abs(rollIn(readFileSync(join(rigFolder, file))) ?? 0)).toBeLessThan(0.25);
    expect(Math.abs(rollIn(dark) ?? 0)).toBeLessThan(0.25);
  });

  it('never makes it read other values or take what must not be, and refuses by its name', async () => {
    for (const deg of [1, 2, 5]) {
      for (const { file, valid, values } of labels) {
        const { reading } = readJpeg(rig, await turned(file, deg));
        if (reading.verdict === 'refused') continue;
        expect({ file, deg, valid, values: reading.values }).toEqual({ file, deg, valid: true, values: [...values].sort() });
      }
    }
    const leaning = readJpeg(rig, await turned('rig-d_015.jpg', 2));
    expect(leaning.reading.cause).toBe('scene-changed');
    expect(leaning.detail).toMatch(/^the camera has turned about its axis by (1\.[89]|2\.[0-2]) degrees$/);
  });
});
