import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fitProfile } from '../../calibration/fit.ts';
import { makeLabelledSet } from '../../hardware-sim/make-labelled-set.ts';
import { demoRig, type Rig as SimulatedRig } from '../../hardware-sim/rig.ts';
import { MotionMeter, motionAreaOf } from '../../src/vision/motion-meter.ts';
import { decodeJpeg } from '../../src/vision/picture.ts';
import { readJpeg } from '../../src/vision/read-picture.ts';
import { openRig, type Rig } from '../../src/vision/rig.ts';
import type { BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';

const throwCount = 40;
const passCount = 5;
/** Sizes of the cameras, px. The targets are set for the second. */
const sizes: readonly (readonly [number, number])[] = [
  [640, 480],
  [1280, 720],
  [1920, 1080],
];
const targetSize = 1280;

/** Times pictures of three sizes from JPEG bytes to the reading of both readers, decoding alone, and motion metering. Times are processor time of
 *  this one process, which other programs on the machine change little, and beside it what a clock shows. */
export async function visionBench(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const size of sizes) rows.push(...(await benchSize(size)));
  return rows;
}

async function benchSize([width, height]: readonly [number, number]): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sicbo-vision-bench-'));
  try {
    await makeLabelledSet({ rig: rigOfSize(width, height), folder, throwCount, seed: 9, isPlain: true });
    const why = { createdBy: 'bench', why: 'bench', createdAt: new Date(0).toISOString() };
    const rig = openRig(fitProfile(folder, why, () => undefined));
    // The throws are the last pictures of the set.
    const files = readdirSync(folder).filter((name) => name.endsWith('.jpg'));
    const jpegs = files.slice(-throwCount).map((name) => readFileSync(join(folder, name)));
    return rowsOf(rig, jpegs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The demo's table under a camera of another size: the same field of view by its height. */
function rigOfSize(widthPx: number, heightPx: number): SimulatedRig {
  const rig = demoRig();
  const scale = heightPx / rig.camera.heightPx;
  return { ...rig, camera: { ...rig.camera, widthPx, heightPx, focalPx: rig.camera.focalPx * scale } };
}

function rowsOf(rig: Rig, jpegs: readonly Buffer[]): BenchRow[] {
  const size = `${rig.resolution[0]} x ${rig.resolution[1]}`;
  const reading = times(jpegs, (jpeg) => readJpeg(rig, jpeg));
  const decoding = times(jpegs, (jpeg) => {
    const decoded = decodeJpeg(jpeg);
    if (decoded.kind === 'picture') decoded.mat.release();
  });
  const meter = new MotionMeter(motionAreaOf(rig.resolution, rig.view));
  let frameNumber = 0;
  const metering = times(jpegs, (jpeg) => {
    frameNumber += 1;
    meter.measure(frameNumber, frameNumber, jpeg);
  });
  const isTarget = rig.resolution[0] === targetSize;
  const row = (what: string, value: number, unit: string, target: string, note: string): BenchRow => ({
    name: `vision ${size}: ${what}`,
    value,
    unit,
    target: isTarget ? target : '',
    note,
  });
  const of = `${reading.cpuMs.length} of ${jpegs.length} simulated pictures`;
  return [
    row(
      'JPEG to reading, median',
      percentile(reading.cpuMs, 0.5),
      'ms',
      '<= 15',
      `processor time, ${of}; ${clock(reading, 0.5)}`,
    ),
    row('JPEG to reading, p99', percentile(reading.cpuMs, 0.99), 'ms', '<= 30', `processor time; ${clock(reading, 0.99)}`),
    row('decoding alone, median', percentile(decoding.cpuMs, 0.5), 'ms', '', `processor time; ${clock(decoding, 0.5)}`),
    row(
      'motion metering on one core',
      1_000 / percentile(metering.cpuMs, 0.5),
      'frames/s',
      '>= 60',
      `processor time, decoding included; ${clock(metering, 0.5)}`,
    ),
  ];
}

interface Times {
  readonly cpuMs: readonly number[];
  readonly wallMs: readonly number[];
}

function clock({ wallMs }: Times, share: number): string {
  return `${percentile(wallMs, share).toFixed(1)} ms by the clock`;
}

/** Runs work on every picture once to warm up, then `passCount` times on the clock. */
function times(jpegs: readonly Buffer[], work: (jpeg: Buffer) => void): Times {
  for (const jpeg of jpegs) work(jpeg);
  const cpuMs: number[] = [];
  const wallMs: number[] = [];
  for (let pass = 0; pass < passCount; pass += 1) {
    for (const jpeg of jpegs) {
      const cpuBefore = process.cpuUsage();
      const startMs = performance.now();
      work(jpeg);
      wallMs.push(performance.now() - startMs);
      const { user, system } = process.cpuUsage(cpuBefore);
      cpuMs.push((user + system) / 1_000);
    }
  }
  return { cpuMs, wallMs };
}
