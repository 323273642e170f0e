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
  /** Longest time from a shake order to its answer, ms. */
  readonly shakeMsMax: number;
  readonly dispatch: (fact: TableFact) => void;
}

/** Carries out the table's orders and brings each answer back as a fact with the order's number. One order runs at a time: a new one ends
 *  the one before, whose late answer the core then refuses as stale. */
export class OrderRunner {
  readonly #parts: OrderRunnerParts;
  #running = new AbortController();

  constructor(parts: OrderRunnerParts) {
    this.#parts = parts;
  }

  run(effect: Effect): void {
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    this.#carryOut(effect, signal).catch((error: unknown) => {
      // A device method that rejects breaks its own contract; the order stays without an answer, and the table holds at its deadline.
      this.#parts.log.error({ effect: effect.kind, error: String(error) }, 'order ended with an unexpected failure');
      throw error;
    });
  }

  /** Ends whatever runs; nothing is answered any more. */
  close(): void {
    this.#running.abort();
  }

  async #carryOut(effect: Effect, signal: AbortSignal): Promise<void> {
    switch (effect.kind) {
      case 'shake':
        return this.#shake(effect, signal);
      case 'stopShaker':
        return this.#parts.shaker.stop();
      case 'moveCover':
        return this.#moveCover(effect, signal);
      case 'watchRest': {
        const answer = await this.#parts.diceWatch.watchRest(signal);
        return this.#answer(signal, { ...answer, at: this.#parts.clock.now(), orderNumber: effect.orderNumber });
      }
      case 'readDice': {
        const answer = await this.#parts.diceWatch.readDice(signal);
        return this.#answer(signal, { ...answer, at: this.#parts.clock.now(), orderNumber: effect.orderNumber });
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
    const cancelDeadline = clock.after(shakeMsMax, () => {
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
    diceWatch.endShake();
    const base = { at: clock.now(), orderNumber: effect.orderNumber };
    if (outcome.kind === 'failed') {
      return this.#answer(signal, { ...base, kind: 'shakeFailed', cause: isLate ? 'no-answer' : outcome.cause });
    }
    const { tumbleCount, activationCount, isSettled } = outcome;
    this.#answer(signal, { ...base, kind: 'shakeFinished', tumbleCount, activationCount, isSettled });
  }

  async #moveCover(effect: Extract<Effect, { kind: 'moveCover' }>, signal: AbortSignal): Promise<void> {
    const { clock, shaker, diceWatch } = this.#parts;
    diceWatch.setCovered(true);
    const outcome = await shaker.moveCover(effect.orderNumber, effect.position);
    const base = { at: clock.now(), orderNumber: effect.orderNumber };
    if (outcome.kind === 'failed') return this.#answer(signal, { ...base, kind: 'coverFailed', cause: outcome.cause });
    diceWatch.setCovered(effect.position === 'closed');
    this.#answer(signal, { ...base, kind: 'coverMoved', position: effect.position });
  }

  /** An order that was replaced is not answered: the state has moved on without it. */
  #answer(signal: AbortSignal, fact: TableFact): void {
    if (!signal.aborted) this.#parts.dispatch(fact);
  }
}
