import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { readProfile } from '../../calibration/profile.ts';
import { InputError } from '../errors.ts';
import { drawOverlay } from '../vision/overlay.ts';
import { type ExplainedReading, readJpeg } from '../vision/read-picture.ts';
import { openRig, type Rig } from '../vision/rig.ts';
import { readUncalibratedPicture } from './read-uncalibrated-picture.ts';

interface ReadOptions {
  readonly profile?: string;
  readonly json?: boolean;
  readonly overlay?: string;
}

/** One picture's answer, in the forms in which it can be given. */
export interface ReadPicture {
  json(ms: number): string;
  text(ms: number): string;
  /** The picture with what was seen drawn into it; null when it cannot be decoded. */
  draw(): Buffer | null;
}

/** `sicbo read`: judges pictures from files, one line each: those of a calibrated rig with its profile, any others without one, marked as
 *  uncalibrated. Exit code 0 when every picture could be processed (a refusal is an answer), 2 when the calibration or a file cannot be read. */
export function readCommand(): Command {
  return new Command('read')
    .description('read the dice in pictures of a calibrated table, or of any three dice seen from above')
    .option(
      '--profile <file>',
      'calibration file made by "sicbo calibrate fit"; without it pictures are read uncalibrated, never for play',
    )
    .option('--json', 'one JSON object a picture instead of a table')
    .option(
      '--overlay <folder>',
      'write each picture with what was seen drawn into it, into accepted/ and refused-CAUSE/ of this folder',
    )
    .argument('<pictures...>', 'JPEG files')
    .action((pictures: readonly string[], options: ReadOptions) => {
      readPictures(pictures, options);
    });
}

/** @throws InputError `calibration.*`, or `read.unreadable` with every file that could not be read. */
function readPictures(pictures: readonly string[], options: ReadOptions): void {
  const problems: string[] = [];
  const rig = options.profile === undefined ? null : openRig(readProfile(options.profile));
  if (options.overlay !== undefined) mkdirSync(options.overlay, { recursive: true });
  if (!options.json) console.log(`${'picture'.padEnd(28)} verdict   values  cause              ms  dice`);
  for (const file of pictures) {
    let jpeg: Buffer;
    try {
      jpeg = readFileSync(file);
    } catch (error) {
      problems.push(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`);
      continue;
    }
    const startMs = performance.now();
    const read = rig === null ? readUncalibratedPicture(file, jpeg) : readRigPicture(rig, file, jpeg);
    const ms = Math.round((performance.now() - startMs) * 10) / 10;
    console.log(options.json ? read.json(ms) : read.text(ms));
    if (options.overlay !== undefined) {
      const drawn = read.draw();
      if (drawn !== null) writeFileSync(join(options.overlay, basename(file)), drawn);
    }
  }
  rig?.view.referenceMat.release();
  if (problems.length > 0) throw new InputError('read.unreadable', `${problems.length} picture(s) cannot be read`, problems);
}

function readRigPicture(rig: Rig, file: string, jpeg: Buffer): ReadPicture {
  const explained = readJpeg(rig, jpeg);
  return {
    json: (ms) => jsonLine(file, explained, ms),
    text: (ms) => tableLine(file, explained, ms),
    draw: () => drawOverlay(rig, jpeg, explained),
  };
}

function jsonLine(file: string, { reading, evidence, detail }: ExplainedReading, ms: number): string {
  return JSON.stringify({
    file,
    calibrated: true,
    verdict: reading.verdict,
    values: reading.values,
    cause: reading.cause,
    dice: reading.dice,
    ms,
    detail,
    evidence,
  });
}

function tableLine(file: string, { reading, detail }: ExplainedReading, ms: number): string {
  const dice = reading.dice.map(
    (die) =>
      `${die.value ?? '?'}@${die.centrePx.map((v) => v.toFixed(0)).join(',')} (${die.confidence.toFixed(2)}, ${die.tiltDeg?.toFixed(0) ?? '?'}°)`,
  );
  const columns = [
    basename(file).padEnd(28),
    reading.verdict.padEnd(9),
    (reading.values?.join(',') ?? '-').padEnd(7),
    (reading.cause ?? '-').padEnd(16),
    ms.toFixed(1).padStart(5),
  ];
  return `${columns.join(' ')}  ${detail ?? dice.join(' ')}`;
}
