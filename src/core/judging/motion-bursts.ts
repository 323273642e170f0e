import type { MotionSample } from './motion-sample.ts';

/** Share of the tray that must change for a burst to begin. Measured on three rendered shakes of 1, 2 and 3 tumbles at 30 pictures a second:
 *  every tumble peaks at 0.16 to 0.27, pictures at rest stay below 0.001. */
export const burstShareMin = 0.03;

/** A burst ends when the change falls below this part of its own peak; the next tumble lifts it again. */
export const burstEndRatio = 0.5;

/** A new burst must rise to this multiple of the lowest change since the last one, so that one long roll is not counted twice. */
export const burstRiseRatio = 1.8;

/** A burst shows in at least this many pictures: a lamp that flickers once changes a single picture. */
export const burstPicturesMin = 2;

/** Counts the tumbles that the pictures show: rises of the changed share that stand out from the calm, or from the fading motion, before them.
 *  @param samples in order of capture; pictures with a defect are passed over, except that motion blurs, so `blurred` ones count.
 *  @returns how many bursts began at or after `fromMonoMs` and before `untilMonoMs`. */
export function countMotionBursts(
  samples: readonly MotionSample[],
  fromMonoMs: number,
  untilMonoMs = Number.POSITIVE_INFINITY,
): number {
  let count = 0;
  let valley = 0;
  let peak = 0;
  let picturesInBurst = 0;
  for (const { capturedMonoMs, changedShare, defect } of samples) {
    if (capturedMonoMs < fromMonoMs || capturedMonoMs >= untilMonoMs) continue;
    if (defect !== null && defect !== 'blurred') continue;
    if (picturesInBurst === 0) {
      valley = Math.min(valley, changedShare);
      if (changedShare < Math.max(burstShareMin, valley * burstRiseRatio)) continue;
      peak = changedShare;
      picturesInBurst = 1;
      continue;
    }
    peak = Math.max(peak, changedShare);
    if (changedShare >= peak * burstEndRatio) {
      picturesInBurst += 1;
      if (picturesInBurst === burstPicturesMin) count += 1;
      continue;
    }
    picturesInBurst = 0;
    valley = changedShare;
  }
  return count;
}
