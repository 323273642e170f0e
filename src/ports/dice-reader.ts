import type { PictureReading } from '../core/judging/reading.ts';
import type { Frame } from './frame-source.ts';

/** How a picture differs from the one analysed before it, and whether it is usable at all. */
export interface FrameMotion {
  readonly frameNumber: number;
  readonly capturedMonoMs: number;
  /** Share of the tray area whose brightness changed beyond the noise since the previous picture given, 0 to 1. 1 for the first picture. */
  readonly changedShare: number;
  /** Null when usable; else why not (design section 6: cut, frozen, black, blown-out, blurred, wrongly sized). */
  readonly defect: 'undecodable' | 'wrong-size' | 'black' | 'blown-out' | 'blurred' | 'frozen' | 'scene-changed' | null;
  /** Places of dice-like bodies for the rest check; empty when not asked for. */
  readonly bodies: readonly { readonly centrePx: readonly [number, number]; readonly angleDeg: number }[];
}

export interface FrameReading {
  readonly frameNumber: number;
  readonly capturedMonoMs: number;
  readonly reading: PictureReading;
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
