import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FitPerson } from '../../calibration/fit.ts';
import { type CalibrationProfile, readProfile } from '../../calibration/profile.ts';
import { InputError } from '../errors.ts';
import { productRoot } from '../product-root.ts';

/** Fits a folder in a process of its own, so that camera and Ctrl-C are heard meanwhile: a fit takes up to a minute of one core.
 *  @throws InputError `calibration.*` with the words of the fit; whatever aborted `signal`. */
export async function fitInProcess(folder: string, person: FitPerson, signal: AbortSignal): Promise<CalibrationProfile> {
  const file = join(tmpdir(), `sicbo-fit-${process.pid}-${Date.now()}.json`);
  const program = join(productRoot, 'dist', 'src', 'cli', 'sicbo.js');
  const args = ['calibrate', 'fit', '--samples', folder, '--out', file, '--by', person.createdBy, '--why', person.why];
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let last = '';
  createInterface({ input: child.stderr }).on('line', (line) => {
    last = line;
  });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error) => reject(signal.aborted ? signal.reason : error));
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    // 2 is also the code of a calibration that was written and misreads a sample: it is used, and its validation fails.
    if (code !== 0 && !last.startsWith('calibration.misreads'))
      throw new InputError('calibration.fit-failed', last.trim() || `the fit ended with code ${code}`);
    return readProfile(file);
  } finally {
    rmSync(file, { force: true });
  }
}
