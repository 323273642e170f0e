import type { Effect } from './effects.ts';
import type { TableEvent } from './events.ts';
import type { TableState } from './state.ts';

/** Why a fact was not taken. */
export type Refusal =
  | 'wrong-phase'
  | 'stale-round'
  | 'stale-answer'
  | 'not-allowed'
  | 'second-person-needed'
  | 'blocked-by-fault'
  | 'locked'
  | 'cap-reached'
  /** The table has stopped or has not started. */
  | 'stopping'
  /** The fact says what the table knows already. */
  | 'unchanged';

/** What a fact does. `events` go to the journal in one transaction; `state` is `state` before folded over them; `effects` run after that.
 *  A refused fact has no events and no effects, and `state` is the very object that was given. */
export interface TableStep {
  readonly state: TableState;
  readonly events: readonly TableEvent[];
  readonly effects: readonly Effect[];
  readonly refused: Refusal | null;
}
