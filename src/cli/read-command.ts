import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { readProfile } from '../../calibration/profile.ts';
import { InputError } from '../errors.ts';
import { drawOverlay } from '../vision/overlay.ts';
import { type ExplainedReading, readJpeg } from '../vision/read-picture.ts';
import { openRig } from '../vision/rig.ts';

interface ReadOptions {
  readonly profile: string;
  readonly json?: boolean;
  readonly overlay?: string;
}

/** `sicbo read`: judges pictures of a calibrated rig from files, one line each. Exit code 0 when every picture could be processed (a refusal is
 *  an answer), 2 when the calibration or a file cannot be read. */
export function readCommand(): Command {
  return new Command('read')
    .description('read the dice in pictures of a calibrated table')
    .requiredOption('--profile <file>', 'calibration file made by "sicbo calibrate fit"')
    .option('--json', 'one JSON object a picture instead of a table')
    .option('--overlay <folder>', 'write each picture with what was seen drawn into it')
    .argument('<pictures...>', 'JPEG files')
    .action((pictures: readonly string[], options: ReadOptions) => {
      readPictures(pictures, options);
    });
}

/** @throws InputError `calibration.*`, or `read.unreadable` with every file that could not be read. */
function readPictures(pictures: readonly string[], options: ReadOptions): void {
  const problems: string[] = [];
  const rig = openRig(readProfile(options.profile));
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
    const explained = readJpeg(rig, jpeg);
    const ms = Math.round((performance.now() - startMs) * 10) / 10;
    console.log(options.json ? jsonLine(file, explained, ms) : tableLine(file, explained, ms));
    if (options.overlay !== undefined) {
      const drawn = drawOverlay(rig, jpeg, explained);
      if (drawn !== null) writeFileSync(join(options.overlay, basename(file)), drawn);
    }
  }
  rig.view.referenceMat.release();
  if (problems.length > 0) throw new InputError('read.unreadable', `${problems.length} picture(s) cannot be read`, problems);
}

function jsonLine(file: string, { reading, evidence, detail }: ExplainedReading, ms: number): string {
  return JSON.stringify({
    file,
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
