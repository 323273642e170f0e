import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CameraFault, faultyPicture } from '../../hardware-sim/camera-faults.ts';
import { PlaylistPictures } from '../../hardware-sim/camera-pictures.ts';
import { VirtualClock } from '../virtual-clock.ts';

let folder = '';
let grey: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playlist-'));
  const pattern = Buffer.from(Array.from({ length: 160 * 120 * 3 }, (_, i) => ((i >> 5) % 2) * 90 + 60));
  grey = await sharp(pattern, { raw: { width: 160, height: 120, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
  await writeFile(join(folder, 'a.jpg'), grey);
  await writeFile(join(folder, 'b.jpg'), await sharp(grey).negate().jpeg({ quality: 95 }).toBuffer());
});
afterAll(() => rm(folder, { recursive: true }));

const meanOf = async (jpeg: Buffer): Promise<number> => (await sharp(jpeg).greyscale().stats()).channels[0]?.mean ?? 0;
const faulty = (fault: CameraFault, number = 1): Promise<Buffer> => faultyPicture(grey, fault, number);

describe('a playlist', () => {
  it('shows each picture for its time, keeps the last one, and begins anew with another list', async () => {
    const clock = new VirtualClock();
    const a = { file: join(folder, 'a.jpg'), holdMs: 1_000, noiseSigma: 0 };
    const b = { file: join(folder, 'b.jpg'), holdMs: 500, noiseSigma: 0 };
    const pictures = new PlaylistPictures(clock, [a, b], 1);
    expect((await pictures.take()).equals(grey)).toBe(true);
    await clock.advance(1_000);
    expect((await pictures.take()).equals(grey)).toBe(false);
    await clock.advance(60_000);
    expect(pictures.entryIndex).toBe(1);
    pictures.load([b, a]);

    expect(pictures.entryIndex).toBe(0);
  });

  it('lays fresh noise over every showing', async () => {
    const pictures = new PlaylistPictures(new VirtualClock(), [{ file: join(folder, 'a.jpg'), holdMs: 1_000, noiseSigma: 2 }], 1);
    const [first, second] = [await pictures.take(), await pictures.take()];

    expect(first.equals(second)).toBe(false);
    expect(await meanOf(first)).toBeCloseTo(await meanOf(grey), -1);
  });
});

describe('a picture fault', () => {
  it('makes pictures black, blown out, of another size or of another place', async () => {
    expect(await meanOf(await faulty({ kind: 'black' }))).toBeLessThan(6);
    expect(await meanOf(await faulty({ kind: 'exposure', gain: 4 }))).toBeGreaterThan(230);
    expect(await sharp(await faulty({ kind: 'wrong-size' })).metadata()).toMatchObject({ width: 320, height: 240 });
    expect(await sharp(await faulty({ kind: 'other-scene' })).metadata()).toMatchObject({ width: 160, height: 120 });
    expect(await sharp(await faulty({ kind: 'png' })).metadata()).toMatchObject({ format: 'png' });
  });

  it('freezes the pixels while the bytes go on changing', async () => {
    const [first, second] = [await faulty({ kind: 'frozen-pixels' }, 1), await faulty({ kind: 'frozen-pixels' }, 2)];

    expect(first.equals(second)).toBe(false);
    expect((await sharp(first).raw().toBuffer()).equals(await sharp(second).raw().toBuffer())).toBe(true);
  });

  it('blurs, cuts, damages and swells', async () => {
    const sharpness = async (jpeg: Buffer): Promise<number> => (await sharp(jpeg).stats()).sharpness;

    expect(await sharpness(await faulty({ kind: 'blurred', sigmaPx: 3 }))).toBeLessThan((await sharpness(grey)) / 2);
    expect((await faulty({ kind: 'cut' })).length).toBe(Math.floor(grey.length * 0.6));
    expect((await faulty({ kind: 'damaged' })).equals(grey)).toBe(false);
    expect((await faulty({ kind: 'damaged' })).length).toBe(grey.length);
    expect((await faulty({ kind: 'oversized', byteCount: 9_000_000 })).length).toBe(grey.length + 9_000_000);
  });
});
