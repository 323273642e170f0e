import { type Face, isFace } from '../src/core/rules/dice.ts';
import type { Frame } from '../src/ports/frame-source.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';
import type { GuideParts, ProposedValues } from './guide-parts.ts';
import { guidePicture } from './guide-pictures.ts';
import { type Missing, missingOf } from './sample-plan.ts';
import { facesOf } from './session.ts';
import { showsTheSame } from './take-pictures.ts';

/** What a series of throws is for. */
export interface ThrowSeries {
  readonly kind: 'calib' | 'test';
  readonly throwCount: number;
  readonly faceCount: number;
  readonly tray: TrayCircle;
  /** Reads a picture; null where nothing can read yet. For samples of the fit it is shown as a proposal. In a validation the technician says first
   *  what lies there: a reading that need only be confirmed would be confirmed when it is wrong, too. */
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
  const { front, session, shaker, signal } = parts;
  const wanted = missing.throwCount <= 1 && missing.faces.length > 0 ? ` Shown too rarely: ${missing.faces.join(', ')}.` : '';
  const how = shaker === null ? 'Roll the dice, ENTER when they lie' : 'ENTER rolls; "hand" when you have rolled by hand';
  const order = await asked(parts, 'roll', `Throw ${doneCount + 1} of ${doneCount + missing.throwCount}.${wanted} ${how}`);
  if (order === 'undo' && series.kind === 'test') {
    // What may be taken back after it was read would be chosen.
    front.say('A throw of the validation counts as it lay; values that were read otherwise are asked for twice.');
    return;
  }
  if (order === 'undo') {
    const row = session.takeBack(series.kind);
    front.say(row === null ? 'There is nothing to take back.' : `${row.values.join(' ') || 'The last throw'} is taken back.`);
    return;
  }
  if (shaker !== null && order !== 'hand') {
    const failure = await shaker.roll(signal);
    if (failure !== null) {
      front.say(`${failure}. Put it right, or roll by hand and answer "hand".`);
      return;
    }
  }
  const frame = await guidePicture(parts, series.tray, true);
  if (frame === null) return;
  const before = [...session.rows('calib'), ...session.rows('test')].sort((a, b) => numberOf(a.file) - numberOf(b.file)).at(-1);
  if (before !== undefined && showsTheSame(session.jpegOf(before), frame.jpeg, series.tray)) {
    front.say('The dice lie as in the picture before. Roll them first.');
    return;
  }
  await label(parts, series, frame);
}

/** The answer in small letters, without spaces around it. */
async function asked({ front }: GuideParts, name: 'roll' | 'values', text: string): Promise<string> {
  return (await front.ask(name, text)).trim().toLowerCase();
}

function numberOf(file: string): number {
  return Number(/(\d+)\.jpg$/.exec(file)?.[1] ?? 0);
}

/** Keeps a throw with the values that the technician says. */
async function label(parts: GuideParts, { kind, read }: ThrowSeries, frame: Frame): Promise<void> {
  const reading = read?.(frame.jpeg) ?? null;
  if (reading?.cause === 'scene-changed') {
    parts.front.say(
      'Camera or tray have moved since the empty tray was taken. Put them back, or stop and begin anew: nothing was kept.',
    );
    return;
  }
  const said = kind === 'calib' ? await confirmed(parts, reading) : await saidBlind(parts, reading);
  const resolution = parts.session.rows('empty_ref')[0]?.resolution;
  if (resolution === undefined) return;
  if (said === null && kind === 'calib') {
    parts.front.say('Passed over.');
    return;
  }
  const values = said ?? [];
  parts.session.add({ kind, jpeg: frame.jpeg, resolution, values, isValid: said !== null, capturedMs: frame.capturedMonoMs });
  const seen = reading?.values?.join(' ') ?? null;
  if (said === null)
    parts.front.say(`Kept as a throw that must not be taken; ${seen === null ? 'it is not' : `it was TAKEN as ${seen}`}.`);
  else if (seen !== null && reading?.values?.join() !== sorted(said)) parts.front.say(`Read ${seen}, kept as ${said.join(' ')}.`);
}

/** @returns null for a throw that is passed over. */
async function confirmed(parts: GuideParts, reading: ProposedValues | null): Promise<readonly Face[] | null> {
  const text =
    reading !== null && reading.values !== null
      ? `Read ${reading.values.join(' ')}. ENTER when right, else type the values`
      : 'Not read yet. Type the values';
  for (;;) {
    const answer = await asked(parts, 'values', text);
    if (answer === 'skip') return null;
    const faces = answer === '' ? (reading?.values ?? null) : parsedFaces(answer);
    if (faces !== null) return faces;
    parts.front.say('Three values from 1 to 6 are needed, like 146; or "skip".');
  }
}

/** Asks what lies there before anything is shown, and again where the reading is another one. @returns null for dice that do not all lie flat. */
async function saidBlind(parts: GuideParts, reading: ProposedValues | null): Promise<readonly Face[] | null> {
  let text = 'Type the values that lie there';
  for (let isSecond = false; ; ) {
    const answer = await asked(parts, 'values', text);
    if (answer === 'no') return null;
    const faces = parsedFaces(answer);
    if (faces === null) {
      parts.front.say('Three values from 1 to 6 are needed, like 146; or "no" when they do not all lie flat.');
      continue;
    }
    const seen = reading?.values ?? null;
    if (isSecond || seen === null || seen.join() === sorted(faces)) return faces;
    isSecond = true;
    text = `You say ${faces.join(' ')}, another value was read. Look at the dice again and type what lies there`;
  }
}

function parsedFaces(answer: string): readonly Face[] | null {
  const digits = answer.replace(/[\s,;]+/g, '');
  const faces = [...digits].map(Number).filter(isFace);
  return /^[1-6]{3}$/.test(digits) ? faces : null;
}

function sorted(faces: readonly Face[]): string {
  return [...faces].sort((a, b) => a - b).join();
}
