import type { MotionSample } from './motion-sample.ts';

/** Share of the tray that must change for a burst to begin. Measured on three rendered shakes of 1, 2 and 3 tumbles at 30 pictures a second:
 *  every tumble peaks at 0.16 to 0.27, pictures at rest stay below 0.001. */
export const burstShareMin = 0.03;

/** A burst ends when the change falls below this part of its own peak; the next tumble lifts it again. */
export const burstEndRatio = 0.5;

/** A new burst must rise to this multiple of the lowest change since the last one, so that one long roll is not counted twice. */
export const burstRiseRatio = 1.8;

/** A burst lasts at least this long, ms, from the picture before it: two pictures at 30 a second, one at 15. A dice throw rolls for 200 ms and
 *  more; a lamp that flickers once changes a single picture of a fast camera, and a slow one has it taken out by the meter. */
export const burstMsMin = 60;

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
  /** Of the burst that runs; null between bursts. */
  let burst: { peak: number; readonly startMonoMs: number; isCounted: boolean } | null = null;
  let beforeMonoMs = fromMonoMs;
  for (const { capturedMonoMs, changedShare, defect } of samples) {
    if (capturedMonoMs < fromMonoMs || capturedMonoMs >= untilMonoMs) continue;
    if (defect !== null && defect !== 'blurred') continue;
    if (burst === null) valley = Math.min(valley, changedShare);
    if (burst === null && changedShare >= Math.max(burstShareMin, valley * burstRiseRatio)) {
      burst = { peak: changedShare, startMonoMs: beforeMonoMs, isCounted: false };
    }
    if (burst !== null) {
      burst.peak = Math.max(burst.peak, changedShare);
      if (changedShare < burst.peak * burstEndRatio) {
        burst = null;
        valley = changedShare;
      } else if (!burst.isCounted && capturedMonoMs - burst.startMonoMs >= burstMsMin) {
        burst.isCounted = true;
        count += 1;
      }
    }
    beforeMonoMs = capturedMonoMs;
  }
  return count;
}
