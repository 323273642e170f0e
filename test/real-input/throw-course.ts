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

/** One picture, held with fresh noise. */
export function held(file: string): PlaylistEntry[] {
  return [{ file, holdMs: 1, noiseSigma }];
}

export interface ThrowCourse {
  readonly tumbleCount: number;
  /** Factor on the time of tumbles and pauses. */
  readonly slowness: number;
  /** What lies in the tray before. */
  readonly restPicture: string;
  readonly tumblePictures: readonly [string, string];
  /** What lies there after the last tumble. */
  readonly thrown: string;
}

/** A shake as the camera and the firmware's sensor see it, both from the same times. */
export function throwCourse({ tumbleCount, slowness, restPicture, tumblePictures, thrown }: ThrowCourse): {
  readonly pictures: readonly PlaylistEntry[];
  readonly sensor: ActivationCourse;
} {
  const [file, otherFile] = tumblePictures;
  const burst: PlaylistEntry = { file, otherFile, holdMs: burstMs * slowness, noiseSigma };
  const pause: PlaylistEntry = { file, holdMs: pauseMs * slowness, noiseSigma };
  const tumbles = Array.from({ length: tumbleCount }, (_, index) => index);
  const endMs = (index: number): number => leadMs + (index * (burstMs + pauseMs) + burstMs) * slowness;
  return {
    pictures: [
      { file: restPicture, holdMs: leadMs, noiseSigma },
      ...tumbles.flatMap((index) => (index === tumbleCount - 1 ? [burst] : [burst, pause])),
      ...held(thrown),
    ],
    sensor: {
      tumbles: tumbles.map((index) => ({ atMs: endMs(index), strengthMilliG: 1_300 })),
      settledAtMs: endMs(tumbleCount - 1) + settledAfterMs,
    },
  };
}
