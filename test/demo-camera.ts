import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { readProfile } from '../calibration/profile.ts';
import type { CameraPictures } from '../hardware-sim/camera-pictures.ts';
import { demoCalibration } from '../hardware-sim/demo-calibration.ts';
import { type SeededRandom, seededRandom } from '../hardware-sim/seeded-random.ts';
import { InputError } from '../src/errors.ts';
import { productRoot } from '../src/product-root.ts';

/** Kept beside the build, which is thrown away when a source changes: fitting takes half a minute. */
const folder = join(productRoot, 'dist/calibration-of-tests');

/** The calibration of the simulated camera, fitted from simulated pictures as the demo does it. @returns its file. */
export async function calibrationOfTests(): Promise<string> {
  const file = await demoCalibration(folder, () => {});
  try {
    readProfile(file);
    return file;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    rmSync(file);
    return demoCalibration(folder, () => {});
  }
}

/** Pictures of three dice at rest as the calibrated camera sees them, each with noise of its own: encoded beforehand, so that serving them takes no time. */
export async function picturesAtRest(): Promise<CameraPictures> {
  await calibrationOfTests();
  const rows = readFileSync(join(folder, 'samples/labels.jsonl'), 'utf8').trim().split('\n');
  const labels = rows.map((row) => JSON.parse(row) as { readonly file: string; readonly kind: string; readonly valid: boolean });
  const file = labels.find(({ kind, valid }) => kind === 'calib' && valid)?.file;
  if (file === undefined || !existsSync(join(folder, 'samples', file)))
    throw new Error('the samples hold no picture of three dice');
  const { data, info } = await sharp(join(folder, 'samples', file))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const random = seededRandom(7);
  const jpegs = await Promise.all(Array.from({ length: 6 }, () => noisy(data, info, random)));
  let takenCount = 0;
  return {
    take: async () => {
      takenCount += 1;
      return jpegs[takenCount % jpegs.length] ?? Buffer.alloc(0);
    },
  };
}

function noisy(clean: Buffer, { width, height }: { width: number; height: number }, random: SeededRandom): Promise<Buffer> {
  const raw = Uint8ClampedArray.from(clean, (level) => level + Math.round(random.between(-2, 2)));
  return sharp(raw, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 93 })
    .toBuffer();
}
