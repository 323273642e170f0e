import type { Instant } from '../time.ts';
import { applyEvent } from './apply-event.ts';
import type { TableEvent } from './events.ts';
import { liveRound } from './live-round.ts';
import type { Round, TableState } from './state.ts';
import type { StepContext } from './step.ts';

/** The events that one fact leads to, while they are being decided. Each is folded at once, so the next decision sees the state after it
 *  exactly as replay will. Lives within one call of `stepTable`. */
export class StepDraft {
  readonly at: Instant;
  readonly context: StepContext;
  readonly events: TableEvent[] = [];
  #state: TableState;

  constructor(state: TableState, at: Instant, context: StepContext) {
    this.#state = state;
    this.at = at;
    this.context = context;
  }

  /** The state after the events so far. */
  get state(): TableState {
    return this.#state;
  }

  /** The round being played. @throws Error when there is none: the caller checks the phase first. */
  get round(): Round {
    const round = liveRound(this.#state);
    if (round === null) throw new Error(`no round is being played in phase ${this.#state.phase}`);
    return round;
  }

  /** Number for the next order or timer. */
  get nextOrderNumber(): number {
    return this.#state.orderCount + 1;
  }

  add(event: TableEvent): void {
    this.events.push(event);
    this.#state = applyEvent(this.#state, event, this.at);
  }
}
