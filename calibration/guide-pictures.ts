import type { PictureDefect } from '../src/core/judging/motion-sample.ts';
import { DeviceError } from '../src/errors.ts';
import type { Frame } from '../src/ports/frame-source.ts';
import { readJpegHeader } from '../src/vision/jpeg-header.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';
import type { GuideParts } from './guide-parts.ts';
import { takePictures, takeSettledPicture } from './take-pictures.ts';

const defectWords: Readonly<Record<PictureDefect, string>> = {
  undecodable: 'cannot be decoded',
  'wrong-size': 'have another size',
  black: 'are black: look at lamps, lens cap and exposure',
  'blown-out': 'are white: look at exposure and lamps',
  blurred: 'are blurred: look at the focus',
  frozen: 'repeat one another: the camera hangs, switch it off and on',
  'scene-changed': 'show another scene',
};

/** The picture of what lies in the tray, once nothing moves. @param isStill false takes the next picture, whatever moves.
 *  @returns null when there was none of use, after the technician was told why: he is asked again, and nothing is lost. */
export async function guidePicture(parts: GuideParts, tray: TrayCircle, isStill: boolean): Promise<Frame | null> {
  const { front } = parts;
  const frame = await heard(parts, async () => {
    if (!isStill) return (await takePictures(parts.frames, parts.clock, 1, parts.signal))[0] ?? null;
    const taken = await takeSettledPicture(parts.frames, parts.clock, tray, parts.isStillSource, parts.signal);
    if (taken.kind === 'settled') return taken.frame;
    const why = taken.kind === 'moving' ? 'Something still moves in the tray' : `The pictures ${defectWords[taken.defect]}`;
    front.say(`${why}. Once more.`);
    return null;
  });
  return frame !== null && isCalibratedSize(parts, frame) ? frame : null;
}

/** Does something with the camera. @returns null when the camera delivered nothing, after the technician was told. */
export async function heard<T>({ front }: GuideParts, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    front.say(`${error.message}: look at its power, cable and address. Once more.`);
    return null;
  }
}

/** A camera that was set otherwise in the middle: its pictures do not belong to those before. */
function isCalibratedSize({ front, session }: GuideParts, { jpeg }: Frame): boolean {
  const wanted = session.rows('empty_ref')[0]?.resolution;
  const header = readJpegHeader(jpeg);
  if (header.kind === 'unusable') {
    front.say('The picture cannot be decoded. Once more.');
    return false;
  }
  if (wanted === undefined || (header.width === wanted[0] && header.height === wanted[1])) return true;
  front.say(
    `The picture is ${header.width} x ${header.height} px now, the empty tray was taken with ${wanted.join(' x ')}: set the camera back, or begin anew.`,
  );
  return false;
}
