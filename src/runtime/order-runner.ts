import type { Effect } from '../core/round/effects.ts';
import type { TableFact } from '../core/round/facts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Shaker } from '../ports/shaker.ts';
import type { DiceWatch } from './dice-watch.ts';

/** Tumbles ordered beyond those that the rules ask for, so that one weak tumble does not cost a re-shake. */
export const spareTumbles = 1;

/** Most tumbles that one activation may be ordered (firmware-protocol/README.md). */
const tumblesPerActivationMax = 9;

export interface OrderRunnerParts {
  readonly clock: Clock;
  readonly shaker: Shaker;
  readonly diceWatch: DiceWatch;
  readonly log: Log;
  /** Longest time from a shake order to its answer, ms, for the round being played. */
  readonly shakeMsMax: () => number;
  readonly dispatch: (fact: TableFact) => void;
}

/** Carries out the table's orders and brings each answer back as a fact with the order's number. One order runs at a time: a new one ends
 *  the one before, which then answers no more. `stopShaker` ends the shake but not its answer: when the act that stopped the motor could not be
 *  written, `aborted` is what the round goes on by; else the core refuses it as stale. */
export class OrderRunner {
  readonly #parts: OrderRunnerParts;
  #running = new AbortController();
  /** Number of the order whose answer is told; null when none is. */
  #wanted: number | null = null;

  constructor(parts: OrderRunnerParts) {
    this.#parts = parts;
  }

  run(effect: Effect): void {
    if (effect.kind !== 'stopShaker') this.#wanted = effect.orderNumber;
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.#carryOut(effect, signal).catch((error: unknown) => {
      // A device method that rejects breaks its own contract: a mistake in the program, of which the process is told as of any other.
      this.#parts.log.error({ effect: effect.kind, error: String(error) }, 'order ended with an unexpected failure');
      throw error;
    });
  }

  /** Ends whatever runs; nothing is answered any more. */
  close(): void {
    this.#wanted = null;
    this.#running.abort();
  }

  async #carryOut(effect: Effect, signal: AbortSignal): Promise<void> {
    switch (effect.kind) {
      case 'shake':
        return this.#shake(effect, signal);
      case 'stopShaker':
        return this.#parts.shaker.stop();
      case 'moveCover':
        return this.#moveCover(effect);
      case 'watchRest': {
        const answer = await this.#parts.diceWatch.watchRest(signal);
        return this.#answer({ ...answer, at: this.#parts.clock.now(), orderNumber: effect.orderNumber });
      }
      case 'readDice': {
        const answer = await this.#parts.diceWatch.readDice(signal);
        return this.#answer({ ...answer, at: this.#parts.clock.now(), orderNumber: effect.orderNumber });
      }
      default:
        return effect satisfies never;
    }
  }

  async #shake(effect: Extract<Effect, { kind: 'shake' }>, signal: AbortSignal): Promise<void> {
    const { clock, shaker, diceWatch, shakeMsMax } = this.#parts;
    diceWatch.beginShake();
    let isLate = false;
    const deadline = new AbortController();
    const cancelDeadline = clock.after(shakeMsMax(), () => {
      isLate = true;
      deadline.abort();
    });
    const order = {
      orderNumber: effect.orderNumber,
      activationCount: effect.activationCount,
      tumbleCount: Math.min(tumblesPerActivationMax, effect.tumblesMin + spareTumbles),
    };
    const outcome = await shaker.shake(order, AbortSignal.any([signal, deadline.signal]));
    cancelDeadline();
    // Another shake may have begun meanwhile; its end is not this one's.
    if (this.#wanted === effect.orderNumber) diceWatch.endShake();
    const base = { at: clock.now(), orderNumber: effect.orderNumber };
    if (outcome.kind === 'failed') {
      return this.#answer({ ...base, kind: 'shakeFailed', cause: isLate ? 'no-answer' : outcome.cause });
    }
    const { tumbleCount, activationCount, isSettled } = outcome;
    this.#answer({ ...base, kind: 'shakeFinished', tumbleCount, activationCount, isSettled });
  }

  async #moveCover(effect: Extract<Effect, { kind: 'moveCover' }>): Promise<void> {
    const { clock, shaker, diceWatch } = this.#parts;
    diceWatch.setCovered(true);
    const outcome = await shaker.moveCover(effect.orderNumber, effect.position);
    const base = { at: clock.now(), orderNumber: effect.orderNumber };
    if (outcome.kind === 'failed') return this.#answer({ ...base, kind: 'coverFailed', cause: outcome.cause });
    diceWatch.setCovered(effect.position === 'closed');
    this.#answer({ ...base, kind: 'coverMoved', position: effect.position });
  }

  /** An order that was replaced is not answered: the state has moved on without it. */
  #answer(fact: TableFact & { readonly orderNumber: number }): void {
    if (fact.orderNumber === this.#wanted) this.#parts.dispatch(fact);
  }
}
