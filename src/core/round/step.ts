import type { Dice } from '../rules/dice.ts';
import type { Effect } from './effects.ts';
import type { TableEvent } from './events.ts';
import type { PlaySettings } from './settings.ts';
import type { TableState } from './state.ts';

/** What the table is set up with; the same for every fact between two starts. */
export interface StepContext {
  /** The house of the next round. A round keeps the house with which it opened. */
  readonly houseId: string;
  /** SHA-256 of the file from which a house was loaded. Known of the house above and of that of the open round. */
  readonly houseSha256: (houseId: string) => string;
  /** How the next round is played. A round keeps the settings with which it opened. */
  readonly play: PlaySettings;
  /** Ids of all winning zones of the house `houseId` for sorted dice, in the order of its zone list. Called with the house of the round,
   *  which after a change of configuration need not be the house above. */
  readonly winningZones: (dice: Dice, houseId: string) => readonly string[];
}

/** Why a fact was not taken. */
export type Refusal =
  | 'wrong-phase'
  | 'stale-round'
  | 'stale-answer'
  /** A resume names another hold than the present one: what stops the table now was not looked at. */
  | 'stale-hold'
  | 'not-allowed'
  | 'second-person-needed'
  | 'blocked-by-fault'
  | 'locked'
  | 'cap-reached'
  /** The table has stopped or has not started. */
  | 'stopping'
  /** A shaker remembers an order too far above the journal's count: it is another table's, or its memory is spoilt. */
  | 'order-jump'
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
