import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { type CameraFault, faultyPicture } from '../../hardware-sim/camera-faults.ts';
import type { CameraPictures } from '../../hardware-sim/camera-pictures.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import { checkPictures, startVision } from '../../src/doctor/check-vision.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import type { Frame } from '../../src/ports/frame-source.ts';
import { silentLog } from '../../src/ports/log.ts';
import { WorkerDiceReader } from '../../src/vision/worker-dice-reader.ts';
import { calibrationOfTests, picturesAtRest } from '../demo-camera.ts';

/** What is said of a picture does not depend on how busy the machine of the tests is. */
const patienceMs = 25_000;

let calibrationFile = '';
let pictures: CameraPictures;
let reader: WorkerDiceReader | null = null;

beforeAll(async () => {
  calibrationFile = await calibrationOfTests();
  pictures = await picturesAtRest();
}, 240_000);

afterEach(async () => {
  await reader?.close();
});

/** Has the real vision process look at three pictures of the calibrated camera under a fault. */
async function examined(fault: CameraFault | null, file = calibrationFile): Promise<readonly Finding[]> {
  const clock = new SystemClock();
  const frames: Frame[] = [];
  for (const frameNumber of [1, 2, 3]) {
    const jpeg = await faultyPicture(await pictures.take(), fault, frameNumber);
    frames.push({ frameNumber, jpeg, arrivedMonoMs: frameNumber, capturedMonoMs: frameNumber, capturedWallMs: frameNumber });
  }
  reader = new WorkerDiceReader({ calibrationFile: file, clock, log: silentLog, answerMsMax: patienceMs, openMsMax: patienceMs });
  const started = await startVision(reader, clock, patienceMs);
  return started.verdict === 'ok' ? [started, ...(await checkPictures(reader, frames, clock, patienceMs))] : [started];
}

it('starts the vision process, times a picture and reads the dice', async () => {
  const findings = await examined(null);

  expect(findings.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['vision', 'picture', 'reading']));
  expect(findings.at(-1)?.detail).toMatch(/^\d+ ms a picture, at most 100 ms wanted; the newest: reads [1-6] [1-6] [1-6]$/);
});

it.each([
  ['black', { kind: 'black' }],
  ['blurred', { kind: 'blurred', sigmaPx: 6 }],
  ['blown-out', { kind: 'exposure', gain: 8 }],
  ['wrong-size', { kind: 'wrong-size' }],
] as const)('says that pictures are %s and what to do', async (defect, fault) => {
  const findings = await examined(fault);

  expect(findings.find(({ check }) => check === 'picture')).toMatchObject({
    verdict: 'problem',
    detail: expect.stringMatching(new RegExp(`^(\\d) of \\1 pictures are ${defect}$`)),
    advice: expect.any(String),
  });
});

it('says that the calibration cannot be used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sicbo-doctor-'));
  const file = join(folder, 'calibration.json');
  writeFileSync(file, '{}');

  const findings = await examined(null, file);
  await rm(folder, { recursive: true });

  expect(findings).toMatchObject([
    { check: 'vision', verdict: 'problem', advice: expect.stringContaining('sicbo calibrate fit') },
  ]);
});
