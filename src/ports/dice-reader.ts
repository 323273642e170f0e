import type { MotionSample } from '../core/judging/motion-sample.ts';
import type { PictureReading } from '../core/judging/reading.ts';
import type { SceneMeasures } from '../core/judging/scene-measures.ts';
import type { Frame } from './frame-source.ts';

/** What a look at one picture tells: how it differs from the one given before it (1 for the first), and whether it is usable at all. */
export interface FrameMotion extends MotionSample {
  readonly frameNumber: number;
}

export interface FrameReading {
  readonly frameNumber: number;
  readonly capturedMonoMs: number;
  readonly reading: PictureReading;
  /** Light, camera and dice against the calibration; null when the picture could not be looked into. */
  readonly scene: SceneMeasures | null;
  /** Time from JPEG to reading inside the reader, ms. */
  readonly durationMs: number;
}

/** Looks at pictures. Real: `WorkerDiceReader` (a child process, the only one that loads OpenCV). Simulated: `SimDiceReader`.
 *  One question at a time is answered; a newer `motion` question replaces one that waits. */
export interface DiceReader {
  /** Loads the calibration; resolves when ready to answer. @throws DeviceError `vision.not-ready`, InputError `calibration.*`. */
  open(): Promise<void>;
  readonly calibrationId: string | null;
  /** @throws DeviceError `vision.lost` (process died), `vision.timed-out` (deadline 2,000 ms). A defect of the picture is a value. */
  motion(frame: Frame): Promise<FrameMotion>;
  /** @throws as `motion`. */
  read(frame: Frame): Promise<FrameReading>;
  /** Counters: frames, restarts, deadlines missed; `rssMb` of the child. */
  readonly counters: Readonly<Record<string, number>>;
  onNotice(listener: (notice: { readonly kind: 'up' } | { readonly kind: 'down'; readonly detail: string }) => void): () => void;
  close(): Promise<void>;
}
