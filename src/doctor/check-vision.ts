import type { PictureDefect } from '../core/judging/motion-sample.ts';
import { DeviceError, InputError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { DiceReader, FrameMotion, FrameReading } from '../ports/dice-reader.ts';
import type { Frame } from '../ports/frame-source.ts';
import { atMost } from './at-most.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Longest time from the start of the vision process to its first answer, and for all its answers about pictures together, ms. */
const startMsMax = 12_000;
const answersMsMax = 6_000;
/** The process gets faster with each picture until its code is compiled: for this long the pictures are read again and again, ms, and the last readings count. */
const warmMs = 2_000;
const warmReadingsMax = 30;
const countedReadings = 5;
/** So close to the deadline no lost process is replaced, ms. */
const reopenMarginMs = 500;
/** Longest time for one picture, ms: several pictures must agree within the 300 ms from rest to result (design of the table). */
const pictureMsMax = 100;

const adviceOf: Readonly<Record<PictureDefect, string>> = {
  undecodable: 'the pictures are damaged on their way: check cable and network of the camera',
  'wrong-size': 'set the camera back to the size it was calibrated with, or calibrate again',
  black: 'take the cap off the lens, switch the lamps on, or lengthen the exposure',
  'blown-out': 'shorten the exposure or dim the lamps; exposure must not be automatic',
  blurred: 'clean lens and dome, then set the focus by hand; it must not be automatic',
  frozen: 'switch the camera off and on: it shows the same pixels again and again',
  'scene-changed': 'camera, tray or lamps have moved since the calibration: put them back or calibrate again',
};

/** Starts the vision process; can go on while the camera is looked at. The caller closes the reader. */
export async function startVision(reader: DiceReader, clock: Clock, msMax = startMsMax): Promise<Finding> {
  const startedMs = clock.now().monoMs;
  const outcome = await atMost(clock, msMax, opened(reader));
  if (outcome === null) {
    return problem('vision', `the vision process did not start within ${msMax} ms`, 'look at the load of this machine');
  }
  if (outcome !== 'opened') return outcome;
  const startMs = Math.round(clock.now().monoMs - startedMs);
  return ok('vision', `started in ${startMs} ms with calibration ${reader.calibrationId ?? 'none'}`);
}

/** Has the started vision process look at the newest pictures of the camera and read them. */
export async function checkPictures(
  reader: DiceReader,
  frames: readonly Frame[],
  clock: Clock,
  msMax = answersMsMax,
): Promise<readonly Finding[]> {
  // What still runs after the deadline must start no process anew: the caller closes the reader then, once.
  const giveUpMs = clock.now().monoMs + msMax;
  const looked = await atMost(clock, msMax, look(reader, frames, clock, giveUpMs));
  if (looked !== null) return looked;
  const detail = `no answer about ${frames.length} pictures within ${msMax} ms`;
  return [problem('reading', detail, 'look at the load of this machine')];
}

async function opened(reader: DiceReader): Promise<'opened' | Finding> {
  try {
    await reader.open();
    return 'opened';
  } catch (error) {
    if (error instanceof InputError) return problem('vision', error.message, 'calibrate again with "sicbo calibrate fit"');
    if (error instanceof DeviceError)
      return problem(
        'vision',
        `${error.code}: ${error.message}`,
        'build the product and its OpenCV binding with "npm run setup"',
      );
    throw error;
  }
}

async function look(reader: DiceReader, frames: readonly Frame[], clock: Clock, giveUpMs: number): Promise<readonly Finding[]> {
  const warmUntilMs = clock.now().monoMs + warmMs;
  const motions: FrameMotion[] = [];
  const readings: FrameReading[] = [];
  const lost: string[] = [];
  for (const frame of frames) {
    try {
      motions.push(await reader.motion(frame));
      readings.push(await reader.read(frame));
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      lost.push(`${error.code}: ${error.message}`);
      // The process that did not answer has been killed; the next picture goes to another.
      if (clock.now().monoMs >= giveUpMs - reopenMarginMs) break;
      await opened(reader);
    }
  }
  const advice = 'look at the load and the memory of this machine';
  const detail = `${lost.length} of ${frames.length} pictures got no answer (${lost[0]})`;
  if (readings.length === 0) return [problem('reading', detail, advice)];
  const newest = frames.at(-1);
  while (lost.length === 0 && newest !== undefined && readings.length < warmReadingsMax && clock.now().monoMs < warmUntilMs) {
    const again = await reader.read(newest).catch((error: unknown) => {
      if (error instanceof DeviceError) return null;
      throw error;
    });
    if (again === null) break;
    readings.push(again);
  }
  return [...(lost.length > 0 ? [warning('reading', detail, advice)] : []), quality(motions), speed(readings)];
}

/** One odd picture is not a fault of the camera; the same defect in all of them is. */
function quality(motions: readonly FrameMotion[]): Finding {
  const defects = motions.flatMap(({ defect }) => (defect === null ? [] : [defect]));
  const [first] = defects;
  if (first === undefined)
    return ok(
      'picture',
      `${motions.length} of ${motions.length} pictures are bright and sharp enough and show the calibrated scene`,
    );
  const detail = `${defects.length} of ${motions.length} pictures are ${first}`;
  return defects.length === motions.length
    ? problem('picture', detail, adviceOf[first])
    : warning('picture', detail, adviceOf[first]);
}

function speed(readings: readonly FrameReading[]): Finding {
  const times = readings
    .slice(-countedReadings)
    .map(({ durationMs }) => durationMs)
    .sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const reading = readings.at(-1)?.reading;
  const seen =
    reading?.verdict === 'accepted' ? `reads ${reading.values.join(' ')}` : `refuses it as ${reading?.cause ?? 'unknown'}`;
  const detail = `${median.toFixed(0)} ms a picture, at most ${pictureMsMax} ms wanted; the newest: ${seen}`;
  if (median <= pictureMsMax) return ok('reading', detail);
  return warning('reading', detail, 'results come late: take load off this machine or use a faster one');
}
