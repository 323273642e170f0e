import type { FaultCode, WatchFailure } from '../core/round/faults.ts';
import type { FrameSource } from '../ports/frame-source.ts';
import type { FaultBoard } from './fault-board.ts';

/** Why nothing could be seen, if so: the vision process failed since the last good look, or no picture came. One per watch or reading. */
export class LookFailures {
  readonly #frames: FrameSource;
  readonly #board: FaultBoard;
  #hasFailed = false;

  constructor({ frames, board }: { readonly frames: FrameSource; readonly board: FaultBoard }) {
    this.#frames = frames;
    this.#board = board;
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
    if (standing.includes('camera.offline') || this.#frames.latest === null) return 'camera-lost';
    return this.#hasFailed || standing.includes('vision.down') ? 'vision-lost' : null;
  }
}
