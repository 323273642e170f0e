import { type CameraMeasures, type CameraPicture, measureCamera } from './camera-check.ts';
import { judgeCamera } from './camera-limits.ts';
import type { GuideParts } from './guide-parts.ts';
import type { LimitResult } from './limit-result.ts';
import { takePictures } from './take-pictures.ts';
import { validationLimits } from './validation-limits.ts';

/** Pictures of the empty tray: at 15 a second just under a second, enough for every phase of flickering lamps. */
const cameraPictureCount = 12;

/** Step 1: camera, lamps and the empty tray. Asks until a tray is found and all limits are kept or the technician goes on all the same.
 *  @returns what was measured; taken from the session when it was measured before. */
export async function cameraStep(parts: GuideParts): Promise<CameraMeasures> {
  const { session, front } = parts;
  const kept = session.rows('camera');
  if (kept.length > 0 && session.rows('empty_ref').length > 0) {
    front.say('Camera and empty tray are known from before.');
    return measureCamera(kept.map((row) => ({ jpeg: session.jpegOf(row), capturedMs: Number(row.captured_ms) })));
  }
  front.say('Step 1: camera, lamps and the empty tray.');
  for (;;) {
    await front.ask('empty', 'Take everything out of the tray, close the dome, light the lamps as in play. ENTER when ready');
    const frames = await takePictures(parts.frames, parts.clock, cameraPictureCount, parts.signal);
    const pictures = frames.map(({ jpeg, capturedMonoMs }) => ({ jpeg, capturedMs: capturedMonoMs }));
    const measures = measureCamera(pictures);
    const results = judgeCamera(measures);
    for (const line of resultLines(results)) front.say(line);
    if (await isTaken(parts, measures, results)) {
      keep(parts, measures, pictures);
      await trayStep(parts, measures);
      return measures;
    }
  }
}

async function isTaken({ front }: GuideParts, { tray }: CameraMeasures, results: readonly LimitResult[]): Promise<boolean> {
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  if (failed.length === 0) return true;
  if (tray === null) {
    front.say('Without a tray in the picture it cannot go on.');
    return false;
  }
  const text = `${failed.length} limit(s) not kept. Put it right and press ENTER to measure again, or type "go" to go on all the same`;
  return (await front.ask('camera', text)).trim() === 'go';
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

/** One line a limit, and what to do about those not kept. */
export function resultLines(results: readonly LimitResult[]): readonly string[] {
  const marks = { passed: '  ok     ', failed: '  FAILED ', 'not-measured': '  -      ' } as const;
  return results.flatMap(({ verdict, title, measured, limit, advice }) => {
    const line = `${marks[verdict]}${title}: ${measured} (${limit})`;
    return verdict === 'failed' ? [line, `         -> ${advice}`] : [line];
  });
}
