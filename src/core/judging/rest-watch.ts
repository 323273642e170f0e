import type { BodyPlace, MotionSample } from './motion-sample.ts';

/** Largest changed share of a picture in which nothing moves; sensor noise stays below 0.001 on rendered pictures, a rolling die above 0.02. */
export const restShareMax = 0.005;

/** A body at rest is found again within this distance (px) and angle (degrees): the repeatability of the finder on a still scene. */
export const restShiftPxMax = 2;
export const restTurnDegMax = 2.5;

/** Fewest pictures that can prove rest over a settle window. */
export const restPicturesMin = 3;

/** Judges rest: over the last `settleMs` no usable picture shows a change, and every body lies where it lay at the window's start.
 *  @param samples in order of capture, of pictures captured after the end of the shake only.
 *  @returns true when the newest samples prove rest for the whole window. */
export function isAtRest(samples: readonly MotionSample[], settleMs: number): boolean {
  const newest = samples.at(-1);
  if (newest === undefined) return false;
  const first = samples.findLastIndex((sample) => newest.capturedMonoMs - sample.capturedMonoMs >= settleMs);
  if (first === -1) return false;
  const window = samples.slice(first);
  const start = window[0];
  if (start === undefined || window.length < restPicturesMin) return false;
  // The window's first picture is compared with one before the window, so its own change does not count.
  return window.every(
    (sample, index) =>
      sample.defect === null &&
      (index === 0 || sample.changedShare <= restShareMax) &&
      areSamePlaces(start.bodies, sample.bodies),
  );
}

/** True when each body of one list is found in the other within the limits. */
export function areSamePlaces(before: readonly BodyPlace[], after: readonly BodyPlace[]): boolean {
  if (before.length !== after.length) return false;
  return before.every((body) => after.some((other) => isSamePlace(body, other)));
}

function isSamePlace(a: BodyPlace, b: BodyPlace): boolean {
  const shiftPx = Math.hypot(a.centrePx[0] - b.centrePx[0], a.centrePx[1] - b.centrePx[1]);
  // A square looks the same after a quarter turn: 89.5 and 0.5 degrees are one degree apart.
  const turnDeg = Math.abs(((a.angleDeg - b.angleDeg + 45 + 360) % 90) - 45);
  return shiftPx <= restShiftPxMax && turnDeg <= restTurnDegMax;
}
