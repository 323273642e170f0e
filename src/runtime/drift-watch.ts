import { type DriftState, driftAfter, driftFindings } from '../core/judging/drift.ts';
import type { SceneMeasures } from '../core/judging/scene-measures.ts';
import type { FaultBoard } from './fault-board.ts';

/** Keeps the running means of what readings measure against the calibration, and warns long before dice get refused: `camera.drifting` advises to
 *  put it right or to calibrate again, and lets the table play. */
export class DriftWatch {
  readonly #board: FaultBoard;
  #state: DriftState | null = null;
  #calibrationId: string | null = null;

  constructor(board: FaultBoard) {
    this.#board = board;
  }

  /** Takes one reading. @param scene null when the picture could not be looked into. @param calibrationId another one begins anew.
   *  @returns why nothing may be read any more until calibrated again; null while all is well. */
  take(scene: SceneMeasures | null, calibrationId: string | null): string | null {
    if (calibrationId !== this.#calibrationId) this.#state = null;
    this.#calibrationId = calibrationId;
    if (scene !== null) this.#state = driftAfter(this.#state, scene);
    const findings = this.#state === null ? [] : driftFindings(this.#state);
    if (findings.length === 0) this.#board.clear('camera.drifting');
    else this.#board.raise('camera.drifting', findings.map(({ detail }) => detail).join('; '));
    return findings.find(({ advice }) => advice === 'demanded')?.detail ?? null;
  }

  /** Running means for the health page, thousandths of the calibrated value; empty before the first reading. */
  get counters(): Readonly<Record<string, number>> {
    const state = this.#state;
    if (state === null) return {};
    const thousandths = (value: number | null): number => Math.round(1_000 * (value ?? 0));
    const [blue, green, red] = state.gain;
    return {
      lightPermille: thousandths((blue + green + red) / 3),
      unevennessPermille: thousandths(state.unevenness),
      sharpnessPermille: thousandths(state.sharpnessRatio),
      diceSizePermille: thousandths(state.spacingRatio),
      displacementPermilleOfDie: thousandths(state.displacementEdges),
    };
  }
}
