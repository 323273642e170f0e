import type { PictureDefect } from '../src/core/judging/motion-sample.ts';
import { restShareMax } from '../src/core/judging/rest-watch.ts';
import { DeviceError } from '../src/errors.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Frame, FrameSource } from '../src/ports/frame-source.ts';
import { readJpegHeader } from '../src/vision/jpeg-header.ts';
import { MotionMeter, roughMotionArea } from '../src/vision/motion-meter.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';

/** Longest wait for the next picture of a camera, ms. */
const pictureMsMax = 8_000;

/** Takes pictures as they come. @param count how many, 1 or more.
 *  @throws DeviceError `calibration.no-pictures` when the camera delivers none for 8 s; whatever aborted `signal`. */
export async function takePictures(
  frames: FrameSource,
  clock: Clock,
  count: number,
  signal: AbortSignal,
): Promise<readonly Frame[]> {
  const taken: Frame[] = [];
  await watch(frames, clock, pictureMsMax, signal, (frame, end) => {
    taken.push(frame);
    if (taken.length >= count) end();
  });
  return taken;
}

/** What came of waiting for dice at rest. */
export type SettledPicture =
  | { readonly kind: 'settled'; readonly frame: Frame }
  /** Something still moved (a hand, a rolling die). */
  | { readonly kind: 'moving' }
  /** No picture was good enough to tell; the defect of the last one. */
  | { readonly kind: 'bad'; readonly defect: PictureDefect };

/** How long nothing may have moved before dice count as at rest, ms, and for how long that is waited for. */
const stillMs = 350;
const stillMsMax = 25_000;
/** For how long pictures may be of no use before the technician is told, ms: an automatic exposure has settled by then. */
const badMsMax = 4_000;

/** Waits until nothing moves in the tray. @param isStillSource pictures of a folder repeat; such a source shows what lies still.
 *  @returns the newest picture, or why there was none: something moved for 25 s, or no picture was of use for 4 s.
 *  @throws DeviceError `calibration.no-pictures`; whatever aborted `signal`. */
export async function takeSettledPicture(
  frames: FrameSource,
  clock: Clock,
  tray: TrayCircle,
  isStillSource: boolean,
  signal: AbortSignal,
): Promise<SettledPicture> {
  const [first] = await takePictures(frames, clock, 1, signal);
  const header = readJpegHeader(first?.jpeg ?? Buffer.alloc(0));
  if (first === undefined || header.kind === 'unusable') return { kind: 'bad', defect: 'undecodable' };
  const meter = new MotionMeter(roughMotionArea([header.width, header.height], tray.centrePx, tray.radiusPx));
  meter.measure(first.frameNumber, first.capturedMonoMs, first.jpeg);
  const beganMs = clock.now().monoMs;
  let goodMs = beganMs;
  let calmSinceMs = first.capturedMonoMs;
  let settled: Frame | null = null;
  let lastDefect: PictureDefect | null = null;
  await watch(frames, clock, pictureMsMax, signal, (frame, end) => {
    const { changedShare, defect } = meter.measure(frame.frameNumber, frame.capturedMonoMs, frame.jpeg);
    lastDefect = isStillSource && defect === 'frozen' ? null : defect;
    const isCalm = (defect === null && changedShare <= restShareMax) || (isStillSource && defect === 'frozen');
    if (!isCalm) calmSinceMs = frame.capturedMonoMs;
    if (frame.capturedMonoMs - calmSinceMs >= stillMs) settled = frame;
    const nowMs = clock.now().monoMs;
    if (lastDefect === null) goodMs = nowMs;
    if (settled !== null || nowMs - beganMs > stillMsMax || nowMs - goodMs > badMsMax) end();
  });
  if (settled !== null) return { kind: 'settled', frame: settled };
  return lastDefect === null ? { kind: 'moving' } : { kind: 'bad', defect: lastDefect };
}

/** Whether two pictures show the same dice at the same places: nobody has thrown in between. */
export function showsTheSame(before: Buffer, now: Buffer, tray: TrayCircle): boolean {
  const header = readJpegHeader(now);
  if (header.kind === 'unusable') return false;
  const meter = new MotionMeter(roughMotionArea([header.width, header.height], tray.centrePx, tray.radiusPx));
  meter.measure(1, 0, before);
  const { changedShare, defect } = meter.measure(2, 1, now);
  return defect === 'frozen' || (defect === null && changedShare <= restShareMax);
}

/** Calls `look` with each new picture until it ends the watch. */
function watch(
  frames: FrameSource,
  clock: Clock,
  silenceMsMax: number,
  signal: AbortSignal,
  look: (frame: Frame, end: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let cancelSilence: () => void = () => {};
    const close = (): void => {
      cancelSilence();
      stop();
      signal.removeEventListener('abort', onAbort);
    };
    const onAbort = (): void => {
      close();
      reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    };
    const waitOn = (): void => {
      cancelSilence();
      cancelSilence = clock.after(silenceMsMax, () => {
        close();
        reject(new DeviceError('calibration.no-pictures', `the camera delivered no picture for ${silenceMsMax / 1_000} s`));
      });
    };
    let isEnded = false;
    const stop = frames.onNotice((notice) => {
      if (notice.kind !== 'frame' || isEnded) return;
      waitOn();
      look(notice.frame, () => {
        isEnded = true;
        close();
        resolve();
      });
    });
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else waitOn();
  });
}
