import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProfile } from '../../calibration/profile.ts';
import { demoCalibration } from '../../hardware-sim/demo-calibration.ts';
import { makeLabelledSet } from '../../hardware-sim/make-labelled-set.ts';
import { demoRig } from '../../hardware-sim/rig.ts';
import { readJpeg } from '../../src/vision/read-picture.ts';
import { openRig } from '../../src/vision/rig.ts';
import type { BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';

const throwCount = 40;
const passCount = 5;

/** Times one picture of 1280 × 720 px from JPEG bytes to the reading of both readers, on one core. */
export async function visionBench(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sicbo-vision-bench-'));
  try {
    const rig = openRig(readProfile(await demoCalibration(folder, (line) => process.stderr.write(`${line}\n`))));
    const throws = join(folder, 'throws');
    await makeLabelledSet({ rig: demoRig(), folder: throws, throwCount, seed: 9, isPlain: true });
    const files = readdirSync(throws).filter((name) => name.endsWith('.jpg'));
    const jpegs = files.map((name) => readFileSync(join(throws, name)));
    for (const jpeg of jpegs) readJpeg(rig, jpeg);
    const timesMs: number[] = [];
    for (let pass = 0; pass < passCount; pass += 1) {
      for (const jpeg of jpegs) {
        const startMs = performance.now();
        readJpeg(rig, jpeg);
        timesMs.push(performance.now() - startMs);
      }
    }
    const base = { unit: 'ms', note: `${timesMs.length} readings of ${jpegs.length} simulated pictures, 1280 × 720, one core` };
    return [
      { ...base, name: 'vision: JPEG to reading, median', value: percentile(timesMs, 0.5), target: '<= 15' },
      { ...base, name: 'vision: JPEG to reading, p99', value: percentile(timesMs, 0.99), target: '<= 30' },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
