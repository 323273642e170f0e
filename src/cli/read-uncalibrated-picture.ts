import { basename } from 'node:path';
import { drawUncalibrated } from '../vision/uncalibrated/draw-uncalibrated.ts';
import { readUncalibrated } from '../vision/uncalibrated/read-uncalibrated.ts';
import type { UncalibratedReading } from '../vision/uncalibrated/uncalibrated-reading.ts';
import type { ReadPicture } from './read-command.ts';

/** Reads a picture without calibration and words the answer as `sicbo read` prints it, marked as uncalibrated. */
export function readUncalibratedPicture(file: string, jpeg: Buffer): ReadPicture {
  const reading = readUncalibrated(jpeg);
  return {
    cause: reading.refusedFor,
    json: (ms) => jsonLine(file, reading, ms),
    text: (ms) => tableLine(file, reading, ms),
    draw: () => drawUncalibrated(jpeg, reading),
  };
}

/** The line's shape is that of a calibrated reading, with `calibrated` false. */
function jsonLine(file: string, reading: UncalibratedReading, ms: number): string {
  return JSON.stringify({
    file,
    calibrated: reading.isCalibrated,
    verdict: reading.seenValues === null ? 'refused' : 'accepted',
    values: reading.seenValues,
    cause: reading.refusedFor,
    dice: reading.seenDice,
    ms,
    detail: reading.detail,
  });
}

function tableLine(file: string, reading: UncalibratedReading, ms: number): string {
  const dice = reading.seenDice.map(
    (die) => `${die.value}@${die.centrePx.map((v) => v.toFixed(0)).join(',')} (${die.confidence.toFixed(2)})`,
  );
  const columns = [
    basename(file).padEnd(28),
    (reading.seenValues === null ? 'refused' : 'accepted').padEnd(9),
    (reading.seenValues?.join(',') ?? '-').padEnd(7),
    (reading.refusedFor ?? '-').padEnd(16),
    ms.toFixed(1).padStart(5),
  ];
  return `${columns.join(' ')}  uncalibrated: ${[dice.join(' '), reading.detail].filter((each) => each !== null && each !== '').join('; ')}`;
}
