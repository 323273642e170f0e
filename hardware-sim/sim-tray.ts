import type { PictureDefect } from '../src/core/judging/motion-sample.ts';
import type { RefusalCause } from '../src/core/judging/reading.ts';
import type { Dice } from '../src/core/rules/dice.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Shaker } from '../src/ports/shaker.ts';
import { sceneBytes } from './sim-scene.ts';

export interface SimTrayOptions {
  readonly clock: Clock;
  /** Its tumbles roll the dice. */
  readonly shaker: Shaker;
  /** What the next activation throws: three faces, or why a reader would refuse them. Called when an activation begins. */
  readonly nextThrow: () => Dice | RefusalCause;
  /** How long the dice roll after a tumble, ms; shorter than the time between two tumbles, so that the bursts stand apart. */
  readonly rollMs?: number;
  /** What lies in the tray before the first throw; an empty tray by default. */
  readonly lies?: Dice | RefusalCause;
}

/** Share of the tray that changes from picture to picture while simulated dice roll. */
const rollingShare = 0.2;

/** The dice of a simulated table as its camera would see them at any moment. */
export class SimTray {
  readonly #options: Required<SimTrayOptions>;
  #lies: Dice | RefusalCause;
  #rollsUntilMonoMs = Number.NEGATIVE_INFINITY;
  #sceneCount = 0;
  /** Faults on command: every picture has this defect; tumbles do not show. */
  defect: PictureDefect | null = null;
  isMotionHidden = false;
  /** The tray never comes to rest. */
  isShaking = false;
  /** Somebody pushed the dice by this much, px. */
  shiftPx = 0;

  constructor(options: SimTrayOptions) {
    this.#options = { rollMs: 75, lies: 'too-few-dice', ...options };
    this.#lies = this.#options.lies;
    options.shaker.onNotice((notice) => {
      if (notice.kind === 'activationStarted') this.#lies = options.nextThrow();
      if (notice.kind === 'tumble') this.#rollsUntilMonoMs = options.clock.now().monoMs + this.#options.rollMs;
    });
  }

  /** What lies in the tray: the truth, for tests. */
  get lies(): Dice | RefusalCause {
    return this.#lies;
  }

  /** A picture taken now. */
  picture(): Buffer {
    this.#sceneCount += 1;
    const isRolling = this.isShaking || (this.#options.clock.now().monoMs < this.#rollsUntilMonoMs && !this.isMotionHidden);
    return sceneBytes({
      sceneNumber: this.#sceneCount,
      changedShare: isRolling ? rollingShare : 0.001,
      defect: this.defect,
      shiftPx: this.shiftPx,
      sees: isRolling ? 'moving' : this.#lies,
    });
  }
}
