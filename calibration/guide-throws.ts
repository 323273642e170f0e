import { type Face, isFace } from '../src/core/rules/dice.ts';
import type { Frame } from '../src/ports/frame-source.ts';
import { readJpegHeader } from '../src/vision/jpeg-header.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';
import type { GuideParts, ProposedValues } from './guide-parts.ts';
import { type Missing, missingOf } from './sample-plan.ts';
import { facesOf } from './session.ts';
import { showsTheSame, takeSettledPicture } from './take-pictures.ts';

/** What a series of throws is for. */
export interface ThrowSeries {
  readonly kind: 'calib' | 'test';
  readonly throwCount: number;
  readonly faceCount: number;
  readonly tray: TrayCircle;
  /** Reads a picture for the proposal; null where nothing can read yet. */
  readonly read: ((jpeg: Buffer) => ProposedValues) | null;
}

/** Asks for one throw after the other until nothing is missing. Each one is on disk before the next is asked for.
 *  @param isEnough ends the series early; asked before each throw. */
export async function throwsStep(parts: GuideParts, series: ThrowSeries, isEnough: () => boolean = () => false): Promise<void> {
  for (;;) {
    const known = validThrows(parts, series.kind);
    const missing = missingOf(known, series.throwCount, series.faceCount);
    if (missing === null || isEnough()) return;
    await oneThrow(parts, series, known.length, missing);
  }
}

/** Faces of the valid throws of a session. */
export function validThrows({ session }: GuideParts, kind: ThrowSeries['kind']): readonly (readonly Face[])[] {
  return session
    .rows(kind)
    .filter(({ valid }) => valid !== false)
    .map(facesOf);
}

async function oneThrow(parts: GuideParts, series: ThrowSeries, doneCount: number, missing: Missing): Promise<void> {
  const { front, session } = parts;
  const wanted =
    missing.throwCount <= 1 && missing.faces.length > 0 ? ` Still shown too rarely: ${missing.faces.join(', ')}.` : '';
  const text = `Throw ${doneCount + 1} of ${doneCount + missing.throwCount}.${wanted} Roll the dice, by hand or with the shaker; ENTER when they lie, "undo" takes the last one back`;
  const order = (await front.ask('roll', text)).trim();
  if (order === 'undo') {
    const row = session.takeBack(series.kind);
    front.say(row === null ? 'There is nothing to take back.' : `${row.values.join(' ') || 'The last throw'} is taken back.`);
    return;
  }
  const frame = await takeSettledPicture(parts.frames, parts.clock, series.tray, parts.isStillSource, parts.signal);
  if (frame === null) {
    front.say('Something still moves in the tray, or the picture is too dark or blurred. Once more.');
    return;
  }
  const before = [...session.rows('calib'), ...session.rows('test')].sort((a, b) => numberOf(a.file) - numberOf(b.file)).at(-1);
  if (before !== undefined && showsTheSame(session.jpegOf(before), frame.jpeg, series.tray)) {
    front.say('The dice lie as in the picture before. Roll them first.');
    return;
  }
  await label(parts, series, frame);
}

function numberOf(file: string): number {
  return Number(/(\d+)\.jpg$/.exec(file)?.[1] ?? 0);
}

/** Shows what was read and keeps what the technician says. */
async function label({ front, session }: GuideParts, { kind, read }: ThrowSeries, frame: Frame): Promise<void> {
  const reading = read?.(frame.jpeg) ?? null;
  const header = readJpegHeader(frame.jpeg);
  if (header.kind === 'unusable') return;
  const not = `or "${kind === 'calib' ? 'skip' : 'no'}" when they do not all lie flat with nothing else in the tray`;
  for (;;) {
    const answer = (await front.ask('values', `${proposalText(reading)} ${not}`)).trim().toLowerCase();
    if (answer === 'skip') {
      front.say('Passed over.');
      return;
    }
    const faces = answer === '' ? (reading?.values ?? null) : parsedFaces(answer);
    const isValid = answer !== 'no';
    if (isValid && faces === null) {
      front.say('Three values from 1 to 6 are needed, like 1 4 6.');
      continue;
    }
    if (!isValid && kind === 'calib') {
      front.say('Passed over.');
      return;
    }
    const { width, height } = header;
    const values = isValid && faces !== null ? faces : [];
    session.add({
      kind,
      jpeg: frame.jpeg,
      resolution: [width, height],
      values,
      isValid,
      capturedMs: frame.capturedMonoMs,
    });
    if (reading !== null && reading.values !== null && isValid && reading.values.join() !== sorted(values))
      front.say(`Read ${reading.values.join(' ')}, kept as ${values.join(' ')}.`);
    return;
  }
}

function proposalText(reading: ProposedValues | null): string {
  if (reading !== null && reading.values !== null)
    return `Read ${reading.values.join(' ')}. ENTER when right, else the three values,`;
  const why = reading === null ? 'Not read yet' : `Not read (${reading.cause})`;
  return `${why}. Type the three values,`;
}

function parsedFaces(answer: string): readonly Face[] | null {
  const digits = answer.replace(/[\s,;]+/g, '');
  const faces = [...digits].map(Number).filter(isFace);
  return /^[1-6]{3}$/.test(digits) ? faces : null;
}

function sorted(faces: readonly Face[]): string {
  return [...faces].sort((a, b) => a - b).join();
}
