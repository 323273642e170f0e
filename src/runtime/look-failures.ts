import type { FaultCode, WatchFailure } from '../core/round/faults.ts';
import type { Clock } from '../ports/clock.ts';
import type { FrameSource } from '../ports/frame-source.ts';
import type { FaultBoard } from './fault-board.ts';

/** Time without any picture after which a watch or a reading is given up, ms. With the way to the feed it stays within 2 s of the moment at which the camera falls
 *  silent (failures.md CAM-08). It counts pictures that arrive, not those that were looked at: a slow reader is no silent camera, and has its whole time. */
export const silentMsMax = 1_500;

/** Why nothing could be seen, if so: the vision process failed since the last good look, or no picture came. One per watch or reading. */
export class LookFailures {
  readonly #clock: Clock;
  readonly #frames: FrameSource;
  readonly #board: FaultBoard;
  readonly #beganMonoMs: number;
  #hasFailed = false;

  constructor({ clock, frames, board }: { readonly clock: Clock; readonly frames: FrameSource; readonly board: FaultBoard }) {
    this.#clock = clock;
    this.#frames = frames;
    this.#board = board;
    this.#beganMonoMs = clock.now().monoMs;
  }

  /** How much longer the camera may be silent, ms; 0 when it has been for too long. Always some for a frozen one, which sends pictures and may thaw. */
  get silenceLeftMs(): number {
    if (this.#board.standing.includes('camera.frozen')) return silentMsMax;
    const heardMonoMs = Math.max(this.#beganMonoMs, this.#frames.latest?.arrivedMonoMs ?? 0);
    return Math.max(0, heardMonoMs + silentMsMax - this.#clock.now().monoMs);
  }

  /** A look failed. */
  note(): void {
    this.#hasFailed = true;
  }

  /** A look worked. */
  forget(): void {
    this.#hasFailed = false;
  }

  /** Null when neither camera nor vision process explains it. */
  get cause(): WatchFailure | null {
    const standing: readonly FaultCode[] = this.#board.standing;
    if (standing.includes('camera.not-calibrated')) return 'not-calibrated';
    if (standing.includes('camera.frozen')) return 'camera-frozen';
    if (standing.includes('camera.offline') || this.#frames.latest === null || this.silenceLeftMs === 0) return 'camera-lost';
    return this.#hasFailed || standing.includes('vision.down') ? 'vision-lost' : null;
  }
}
