import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { readProfile } from '../../calibration/profile.ts';
import type { RefusalCause } from '../core/judging/reading.ts';
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
  /** Why it was refused; null when accepted. */
  readonly cause: RefusalCause | null;
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
  const overlays = new Set<string>();
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
      const folder = join(options.overlay, read.cause === null ? 'accepted' : `refused-${read.cause}`);
      if (drawn !== null) writeOverlay(folder, basename(file), drawn, overlays);
    }
  }
  rig?.view.referenceMat.release();
  if (problems.length > 0) throw new InputError('read.unreadable', `${problems.length} picture(s) cannot be read`, problems);
}

/** Pictures of several folders may have one name; none overwrites another of this run. */
function writeOverlay(folder: string, name: string, jpeg: Buffer, written: Set<string>): void {
  mkdirSync(folder, { recursive: true });
  let path = join(folder, name);
  for (let count = 2; written.has(path); count += 1) path = join(folder, `${count}-${name}`);
  written.add(path);
  writeFileSync(path, jpeg);
}

function readRigPicture(rig: Rig, file: string, jpeg: Buffer): ReadPicture {
  const explained = readJpeg(rig, jpeg);
  return {
    cause: explained.reading.cause,
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
