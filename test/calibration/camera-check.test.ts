import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { type CameraPicture, measureCamera } from '../../calibration/camera-check.ts';
import { judgeCamera } from '../../calibration/camera-limits.ts';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';

const empty = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d', 'rig-d_000.jpg'));

/** Pictures of the empty tray, 40 ms apart, with noise of their own. @param gainAt factor on the brightness of a row in a picture. */
async function pictures(count: number, gainAt: (picture: number, row: number) => number = () => 1): Promise<CameraPicture[]> {
  const { data, info } = await sharp(empty).raw().toBuffer({ resolveWithObject: true });
  const random = seededRandom(3);
  const taken: CameraPicture[] = [];
  for (let k = 0; k < count; k += 1) {
    const raw = Uint8ClampedArray.from(data, (level, i) => {
      return level * gainAt(k, Math.floor(i / (3 * info.width))) + random.between(-5, 5);
    });
    const jpeg = await sharp(raw, { raw: { width: info.width, height: info.height, channels: 3 } })
      .jpeg({ quality: 95 })
      .toBuffer();
    taken.push({ jpeg, capturedMs: 40 * k });
  }
  return taken;
}

async function failedWith(taken: readonly CameraPicture[]): Promise<readonly string[]> {
  return judgeCamera(measureCamera(taken)).flatMap(({ id, verdict }) => (verdict === 'failed' ? [id] : []));
}

async function changed(change: (picture: Sharp) => Sharp): Promise<CameraPicture[]> {
  return [{ jpeg: await change(sharp(empty)).jpeg({ quality: 95 }).toBuffer(), capturedMs: null }];
}

describe('checking camera and lamps on the empty tray', { timeout: 60_000 }, () => {
  it('finds nothing wrong with a good camera, and tells rate, noise and the tray', async () => {
    const measures = measureCamera(await pictures(5));

    expect(judgeCamera(measures).map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
      'camera-size passed',
      'camera-alive passed',
      'camera-rate passed',
      'tray-found passed',
      'tray-centred passed',
      'focus passed',
      'exposure passed',
      'glare passed',
      'noise passed',
      'flicker passed',
      'bands passed',
    ]);
    expect(measures.picturesPerSecond).toBeCloseTo(25, 5);
    // Even noise of ±5 has a deviation of 2.9, of which the JPEG takes some.
    expect(measures.noiseLevels).toBeGreaterThan(1.6);
    expect(measures.noiseLevels).toBeLessThan(3);
    expect(measures.tray?.centrePx[0]).toBeCloseTo(321, -1);
  });

  it('notices a lens out of focus', async () => {
    expect(await failedWith(await changed((picture) => picture.blur(2.4)))).toEqual(['focus']);
  });

  it('notices a picture that is too dark or too bright', async () => {
    expect(await failedWith(await changed((picture) => picture.linear(0.2, 0)))).toContain('exposure');
    expect(await failedWith(await changed((picture) => picture.linear(4, 0)))).toContain('exposure');
  });

  it('notices lamps that flicker, and their bands across the picture', async () => {
    expect(await failedWith(await pictures(4, (picture) => (picture % 2 === 0 ? 1 : 0.9)))).toContain('flicker');
    expect(await failedWith(await pictures(4, (picture, row) => 1 + 0.1 * Math.sin(row / 60 + picture)))).toContain('bands');
  });

  it('notices glare and says how much of the floor lies under it', async () => {
    const glare = Buffer.from(
      '<svg width="640" height="480"><circle cx="260" cy="230" r="25" fill="white"/><circle cx="380" cy="290" r="18" fill="white"/></svg>',
    );
    const taken = await changed((picture) => picture.composite([{ input: glare, left: 0, top: 0 }]));

    expect(await failedWith(taken)).toEqual(['glare']);
    // Two discs of 25 and 18 px on a floor with a radius of 189 px are 2.7 %; the rig's own glare is 1.0 %.
    expect(measureCamera(taken).glare?.floorShare).toBeGreaterThan(0.032);
    expect(measureCamera(taken).glare?.floorShare).toBeLessThan(0.042);
  });

  it('notices a camera that repeats itself or is too slow', async () => {
    const [picture] = await pictures(1);
    const repeated = [0, 200, 400, 600].map((capturedMs) => ({ jpeg: picture?.jpeg ?? Buffer.alloc(0), capturedMs }));

    expect(await failedWith(repeated)).toEqual(['camera-alive', 'camera-rate']);
  });

  it('finds no tray where there is none', async () => {
    const plain = sharp({ create: { width: 640, height: 480, channels: 3, background: '#406040' } });
    const jpeg = await plain.jpeg().toBuffer();

    expect(await failedWith([{ jpeg, capturedMs: null }])).toContain('tray-found');
  });

  it('refuses pictures of several sizes', async () => {
    const small = await sharp(empty).resize(640, 360).jpeg().toBuffer();

    expect(() => measureCamera([empty, small].map((jpeg) => ({ jpeg, capturedMs: null })))).toThrowError(
      expect.objectContaining({ code: 'calibration.pictures' }),
    );
  });
});
