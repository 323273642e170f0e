import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readProfile } from '../calibration/profile.ts';
import { InputError, TableError } from '../src/errors.ts';
import { productRoot } from '../src/product-root.ts';
import { productVersion } from '../src/product-version.ts';
import { makeLabelledSet } from './make-labelled-set.ts';
import { demoRig } from './rig.ts';

/** The calibration of the demo's camera, made as a technician would: pictures of known dice, then `sicbo calibrate fit`. Kept in the folder and
 *  made anew for another version of the product. @returns the file. @throws Error with the words of `sicbo calibrate fit` when it fails. */
export async function demoCalibration(folder: string, say: (line: string) => void): Promise<string> {
  const file = join(folder, `calibration-${productVersion}.json`);
  if (isUsable(file)) return file;
  say('Calibrating the simulated camera (once, about half a minute) …');
  const samples = join(folder, 'samples');
  await makeLabelledSet({ rig: demoRig(), folder: samples, throwCount: 0, seed: 1, isPlain: true });
  const args = ['calibrate', 'fit', '--samples', samples, '--out', file, '--by', 'demo', '--why', 'first start of the demo'];
  const child = spawn(process.execPath, [join(productRoot, 'dist/src/cli/sicbo.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      words += chunk;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new TableError('demo.failed', `sicbo calibrate fit ended with code ${code}:\n${words}`);
  return file;
}

function isUsable(file: string): boolean {
  try {
    readProfile(file);
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
