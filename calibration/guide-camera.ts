import { InputError } from '../src/errors.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';
import { type CameraMeasures, type CameraPicture, measureCamera } from './camera-check.ts';
import { judgeCamera } from './camera-limits.ts';
import type { GuideParts } from './guide-parts.ts';
import { heard } from './guide-pictures.ts';
import type { LimitResult } from './limit-result.ts';
import { showsTheSame, takePictures } from './take-pictures.ts';
import { validationLimits } from './validation-limits.ts';

/** Pictures of the empty tray: at 15 a second just under a second, enough for every phase of flickering lamps. */
const cameraPictureCount = 12;

/** Step 1: camera, lamps and the empty tray. Asks until a tray is found and all limits are kept or the technician goes on all the same.
 *  @returns what was measured; taken from the session when it was measured before. */
export async function cameraStep(parts: GuideParts): Promise<CameraMeasures> {
  const { session, front } = parts;
  const kept = session.rows('camera');
  if (kept.length > 0 && session.rows('empty_ref').length > 0) {
    front.say('Step 1 of 5: camera and empty tray are known from before.');
    return measureCamera(kept.map((row) => ({ jpeg: session.jpegOf(row), capturedMs: Number(row.captured_ms) })));
  }
  front.say('Step 1 of 5: camera, lamps and the empty tray.');
  for (;;) {
    await front.ask('empty', 'Take everything out of the tray, close the dome, light the lamps as in play. ENTER when ready');
    const frames = await heard(parts, () => takePictures(parts.frames, parts.clock, cameraPictureCount, parts.signal));
    if (frames === null) continue;
    const pictures = frames.map(({ jpeg, capturedMonoMs }) => ({ jpeg, capturedMs: capturedMonoMs }));
    const measures = measuredOrNull(parts, pictures);
    if (measures === null) continue;
    const results = judgeCamera(measures);
    for (const line of resultLines(results)) front.say(line);
    if (await isTaken(parts, measures, pictures, results)) {
      keep(parts, measures, pictures);
      await trayStep(parts, measures);
      return measures;
    }
  }
}

/** @returns null for pictures that cannot be measured, after the technician was told why. */
function measuredOrNull({ front }: GuideParts, pictures: readonly CameraPicture[]): CameraMeasures | null {
  try {
    return measureCamera(pictures);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    front.say(`${error.message}. Put it right, then once more.`);
    return null;
  }
}

async function isTaken(
  parts: GuideParts,
  { tray }: CameraMeasures,
  pictures: readonly CameraPicture[],
  results: readonly LimitResult[],
): Promise<boolean> {
  const { front } = parts;
  if (tray === null) {
    front.say('Without a tray in the picture it cannot go on.');
    return false;
  }
  const failed = results.filter(({ verdict }) => verdict !== 'passed').length;
  const doubts = failed === 0 ? [] : [`${failed} limit(s) not kept: the validation will not pass`];
  const dieCount = parts.readUncalibrated?.(pictures[0]?.jpeg ?? Buffer.alloc(0)).dice.length ?? 0;
  if (dieCount > 0) doubts.push(`${dieCount} die or dice seem to lie in the tray`);
  if (hasMoved(pictures, tray)) doubts.push('something moved while the pictures were taken');
  if (doubts.length === 0) return true;
  const text = `${doubts.join('; ')}. Put it right and press ENTER to measure again, or type "go" to go on all the same`;
  return (await front.ask('camera', text)).trim().toLowerCase() === 'go';
}

/** A hand or a person in pictures that are to show nothing but the tray. */
function hasMoved(pictures: readonly CameraPicture[], tray: TrayCircle): boolean {
  const [first] = pictures;
  return first !== undefined && pictures.some(({ jpeg }) => jpeg !== first.jpeg && !showsTheSame(first.jpeg, jpeg, tray));
}

function keep({ session }: GuideParts, { resolution }: CameraMeasures, pictures: readonly CameraPicture[]): void {
  session.clear('camera', 'empty_ref');
  const [first] = pictures;
  for (const { jpeg, capturedMs } of pictures) {
    session.add({ kind: 'camera', jpeg, resolution, values: [], isValid: true, capturedMs });
  }
  if (first !== undefined) {
    session.add({ kind: 'empty_ref', jpeg: first.jpeg, resolution, values: [], isValid: true, capturedMs: first.capturedMs });
  }
}

/** The scale, as far as it can be told before dice are seen: too few px would show only after all throws. */
async function trayStep({ front, session }: GuideParts, { tray }: CameraMeasures): Promise<void> {
  const dieEdgeMm = session.settings?.dieEdgeMm;
  if (tray === null || dieEdgeMm === undefined) return;
  const answer = await front.ask('tray-diameter-mm', 'Inner diameter of the tray in mm (ENTER when nobody knows)');
  const diameterMm = Number(answer.replace(',', '.'));
  if (answer.trim() === '' || !(diameterMm > 2 * dieEdgeMm)) return;
  const edgePx = (2 * tray.radiusPx * dieEdgeMm) / diameterMm;
  const { dieEdgePxMin } = validationLimits;
  front.say(
    `A die will be about ${edgePx.toFixed(0)} px wide${edgePx < dieEdgePxMin ? `; at least ${dieEdgePxMin} px are needed: move the camera nearer` : '.'}`,
  );
}

/** One line a limit, and what to do about those not kept or not measured. */
export function resultLines(results: readonly LimitResult[]): readonly string[] {
  const marks = { passed: '  ok      ', failed: '  FAILED  ', 'not-measured': '  UNKNOWN ' } as const;
  return results.flatMap(({ verdict, title, measured, limit, advice }) => {
    const line = `${marks[verdict]}${title}: ${measured} (${limit})`;
    return verdict === 'passed' ? [line] : [line, `          -> ${advice}`];
  });
}
