import type { PictureDefect } from '../core/judging/motion-sample.ts';
import type { FaultCode, WatchFailure } from '../core/round/faults.ts';
import type { FaultBoard } from './fault-board.ts';

/** Looks in a row with the same kind of defect before it is a fault of the camera: one odd picture is not. */
export const defectsInARow = 3;

const faultOf: Readonly<Record<PictureDefect, FaultCode>> = {
  undecodable: 'camera.bad-picture',
  black: 'camera.bad-picture',
  'blown-out': 'camera.bad-picture',
  blurred: 'camera.bad-picture',
  frozen: 'camera.frozen',
  'wrong-size': 'camera.not-calibrated',
  'scene-changed': 'camera.scene-changed',
};

/** Turns defects of pictures into standing faults of the camera, and clears them when pictures are good again. */
export class PictureHealth {
  readonly #board: FaultBoard;
  #fault: FaultCode | null = null;
  #inARow = 0;
  #demand: string | null = null;

  constructor(board: FaultBoard) {
    this.#board = board;
  }

  /** Why nothing can be read from such pictures; null while they are good. */
  get failure(): WatchFailure | null {
    if (this.#fault === null) return null;
    return this.#fault === 'camera.frozen'
      ? 'camera-frozen'
      : this.#fault === 'camera.not-calibrated'
        ? 'not-calibrated'
        : 'camera-lost';
  }

  /** Says that the calibration does not fit what lies in the tray, whatever single pictures look like. @param reason null lets it be. */
  demandCalibration(reason: string | null): void {
    this.#demand = reason;
    if (reason !== null) this.#board.raise('camera.not-calibrated', reason);
  }

  take(defect: PictureDefect | null): void {
    const fault = defect === null ? null : faultOf[defect];
    this.#inARow = fault === this.#fault ? this.#inARow + 1 : 1;
    this.#fault = fault;
    if (this.#inARow < defectsInARow) return;
    for (const standing of new Set(Object.values(faultOf))) {
      const isDemanded = standing === 'camera.not-calibrated' && this.#demand !== null;
      if (standing !== fault && !isDemanded) this.#board.clear(standing);
    }
    if (fault !== null) this.#board.raise(fault, `pictures are ${defect}`);
  }
}
