import type { PlaylistEntry } from '../../hardware-sim/camera-pictures.ts';
import type { ActivationCourse } from '../../hardware-sim/shaker-physics.ts';

/** Course of a shake that is played with pictures, ms: each tumble changes the picture for `burstMs`, then it stands still for `pauseMs`. Four
 *  pictures a tumble at 15 a second, where the counter of tumbles needs two. */
const leadMs = 200;
const burstMs = 260;
const pauseMs = 300;
/** From the last tumble until the sensor says that the dice rest. */
const settledAfterMs = 150;
/** Deviation of the sensor's noise, grey levels of 255. */
const noiseSigma = 1.7;

/** Time of one shake with so many tumbles, ms. */
export function shakeMs(tumbleCount: number): number {
  return leadMs + tumbleCount * burstMs + (tumbleCount - 1) * pauseMs + settledAfterMs;
}

/** One picture, held with fresh noise. */
export function held(file: string): PlaylistEntry[] {
  return [{ file, holdMs: 1, noiseSigma }];
}

/** A shake as the camera and the firmware's sensor see it, both from the same times. The dice of the given throw lie there after the last tumble. */
export function throwCourse(
  tumbleCount: number,
  restPicture: string,
  tumblePictures: readonly [string, string],
  thrown: string,
): { readonly pictures: readonly PlaylistEntry[]; readonly sensor: ActivationCourse } {
  const burst: PlaylistEntry = { file: tumblePictures[0], otherFile: tumblePictures[1], holdMs: burstMs, noiseSigma };
  const pause: PlaylistEntry = { file: tumblePictures[0], holdMs: pauseMs, noiseSigma };
  const tumbles = Array.from({ length: tumbleCount }, (_, index) => index);
  return {
    pictures: [
      { file: restPicture, holdMs: leadMs, noiseSigma },
      ...tumbles.flatMap((index) => (index === tumbleCount - 1 ? [burst] : [burst, pause])),
      ...held(thrown),
    ],
    sensor: {
      tumbles: tumbles.map((index) => ({ atMs: leadMs + index * (burstMs + pauseMs) + burstMs, strengthMilliG: 1_300 })),
      settledAtMs: shakeMs(tumbleCount),
    },
  };
}
