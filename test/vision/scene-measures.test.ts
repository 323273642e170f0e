import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProfile } from '../../calibration/profile.ts';
import { type DriftState, driftAfter, driftFindings } from '../../src/core/judging/drift.ts';
import { readJpeg } from '../../src/vision/read-picture.ts';
import { openRig, type Rig } from '../../src/vision/rig.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-a');

describe('what readings tell about light, camera and dice of a rendered rig', { timeout: 60_000 }, () => {
  let rig: Rig;
  beforeAll(() => {
    rig = openRig(readProfile(join(folder, 'calibration.json')));
  });
  afterAll(() => rig.view.referenceMat.release());

  /** Findings after the pictures were read until the running means have settled. */
  async function findingsOf(files: readonly string[], change: (picture: Buffer) => Promise<Buffer> = async (jpeg) => jpeg) {
    const measures = [];
    for (const file of files) {
      const { scene } = readJpeg(rig, await change(readFileSync(join(folder, file))));
      if (scene !== null) measures.push(scene);
    }
    let state: DriftState | null = null;
    for (let k = 0; k < 60; k += 1) state = driftAfter(state, measures[k % measures.length] as (typeof measures)[number]);
    return driftFindings(state as DriftState).map(({ what, advice }) => `${what} ${advice}`);
  }

  const flat = ['rig-a_013.jpg', 'rig-a_014.jpg', 'rig-a_027.jpg'];

  it('finds no drift in pictures like those of the calibration', async () => {
    expect(await findingsOf(flat)).toEqual([]);
  });

  it('warns of darker pictures whose dice are still read', async () => {
    const darker = (jpeg: Buffer): Promise<Buffer> => sharp(jpeg).linear(0.7, 0).jpeg({ quality: 95 }).toBuffer();

    for (const file of flat)
      expect(readJpeg(rig, await darker(readFileSync(join(folder, file)))).reading.verdict).toBe('accepted');
    expect(await findingsOf(flat, darker)).toEqual(['light advised']);
  });

  it('warns of light that fades before the first picture is refused, and reads nothing wrong on the way (CAM-05)', async () => {
    let state: DriftState | null = null;
    const warnedAt: number[] = [];
    const refusedAt: number[] = [];
    for (let k = 0; k < 80; k += 1) {
      const gain = 1 - (0.65 * k) / 80;
      const jpeg = await sharp(join(folder, 'rig-a_013.jpg'))
        .linear([gain, gain * (1 - 0.2 * (k / 80)), gain * (1 - 0.4 * (k / 80))], [0, 0, 0])
        .jpeg({ quality: 95 })
        .toBuffer();
      const { reading, scene } = readJpeg(rig, jpeg);
      if (reading.verdict === 'accepted') expect(reading.values).toEqual([2, 2, 4]);
      else refusedAt.push(k);
      if (scene !== null) state = driftAfter(state, scene);
      if (state !== null && driftFindings(state).length > 0) warnedAt.push(k);
    }
    expect(warnedAt[0]).toBeLessThan(50);
    expect(warnedAt[0]).toBeLessThan(refusedAt[0] ?? 80);
  });

  it('warns of pictures that go out of focus', async () => {
    const softer = (jpeg: Buffer): Promise<Buffer> => sharp(jpeg).blur(1.3).jpeg({ quality: 95 }).toBuffer();

    expect(await findingsOf(flat, softer)).toContain('focus advised');
  });

  it('warns of a camera that has moved by less than what changes the scene', async () => {
    const moved = (jpeg: Buffer): Promise<Buffer> =>
      sharp(jpeg)
        .affine([1, 0, 0, 1], { odx: 1.6, interpolator: 'bilinear' })
        .extract({ left: 0, top: 0, width: 1280, height: 720 })
        .jpeg({ quality: 95 })
        .toBuffer();

    expect(await findingsOf(flat, moved)).toContain('camera advised');
  });
});
