import type { RefusalCause, ThrowReading } from '../judging/reading.ts';
import type { Dice } from '../rules/dice.ts';
import type { Instant } from '../time.ts';
import type { FaultCode, ShakeFailure, WatchFailure } from './faults.ts';
import type { PlaySettings } from './settings.ts';

/** What a dealer would call the moment. `uncovering` exists in shake-first play only. */
export type Phase =
  | 'closed'
  | 'betting'
  | 'no-more-bets'
  | 'shaking'
  | 'settling'
  | 'uncovering'
  | 'reading'
  | 'result'
  | 'held'
  | 'void'
  | 'locked';

export type TimerName = 'betting' | 'no-more-bets' | 'review' | 'next-round';

/** Why a throw (not the round) does not count. */
export type ThrowFault =
  /** Fewer tumbles of the last activation, or fewer activations, than ordered: found before anybody looks at the dice. */
  | 'too-few-tumbles'
  /** The picture does not bear out the tumbles that the firmware counted. */
  | 'tumbles-not-seen'
  /** Shake-first: the firmware did not see the dice settle under the cover, or the cover was not closed. */
  | 'not-settled'
  /** Nobody knows what became of the shake: it was stopped, or the table restarted while it ran. */
  | 'unknown-shake'
  | RefusalCause;

/** Why a person must act before the round goes on. */
export type HoldCause =
  | 'requested'
  | 'shakes-exhausted'
  | 'reads-exhausted'
  | 'foreign-object'
  | 'fault'
  | 'lid-open'
  | 'restarted'
  | 'stopping'
  | 'cover-failed';

/** Why a round ended without a result. */
export type VoidCause =
  | 'requested'
  | 'unreadable-throw'
  | 'shaker-lost'
  | 'shaker-reset'
  | 'shaker-jammed'
  | 'shaker-no-answer'
  | 'shaker-refused'
  | 'shaker-supply'
  | 'stopped'
  | 'restarted'
  /** The file of its house was changed while it was open, so nothing can be paid by the prices that players saw. */
  | 'house-changed'
  /** Shake-first: the cover opened while bets could still be placed. */
  | 'cover-opened'
  | 'locked';

/** One shake of a round with what became of it; shown as a step of the history. */
export interface Attempt {
  readonly shakeNumber: number;
  /** Activations ordered. */
  readonly activationCount: number;
  readonly tumbleCount: number | null;
  readonly motionBurstCount: number | null;
  readonly reading: ThrowReading | null;
  readonly failure: ShakeFailure | WatchFailure | null;
  /** Why it did not count; null while open and for the throw that became the result. */
  readonly fault: ThrowFault | null;
}

export interface Round {
  readonly roundId: string;
  readonly roundNumber: number;
  readonly houseId: string;
  /** Of the house's file when the round opened; by these prices and no others it is paid. */
  readonly houseSha256: string;
  readonly play: PlaySettings;
  readonly openedAt: Instant;
  /** True once betting of this round was closed; it never opens again. */
  readonly isBettingClosed: boolean;
  readonly attempts: readonly Attempt[];
  /** Shakes that may be ordered before the table holds; grows by `play.shakesMax` when a person resumes after `shakes-exhausted`. */
  readonly shakesAllowedCount: number;
  /** Rest watches and reads ordered for the present throw, since a person last resumed. */
  readonly restWatchCount: number;
  readonly readAttemptCount: number;
  readonly result: { readonly dice: Dice; readonly total: number; readonly winningZones: readonly string[] } | null;
  readonly end: 'settled' | 'voided' | null;
  readonly voidCause: VoidCause | null;
}

/** A question to a device whose answer is awaited. */
export interface PendingOrder {
  readonly orderNumber: number;
  readonly kind: 'shake' | 'cover' | 'rest' | 'read';
}

/** Whoever runs the table arms exactly this timer; it is derived from the journal like everything else. */
export interface Timer {
  readonly name: TimerName;
  readonly orderNumber: number;
  readonly startedAt: Instant;
  readonly durationMs: number;
}

export interface Hold {
  /** From 1, per journal; a resume names it, so that whoever looked at an earlier hold cannot end this one. */
  readonly holdNumber: number;
  readonly cause: HoldCause;
  readonly detail: string;
  readonly since: Instant;
  /** The phase to which a resume returns; `closed` for a hold between rounds. */
  readonly from: Phase;
  /** Time that was left on the timer when the hold began, ms. */
  readonly remainingMs: number | null;
}

export interface TableState {
  readonly tableId: string;
  readonly journalId: string;
  readonly bootId: string;
  readonly phase: Phase;
  /** When `phase` was entered. */
  readonly phaseSince: Instant;
  /** The round being played, or the last one while `closed` or `void`; null before the first. */
  readonly round: Round | null;
  readonly roundCount: number;
  /** Highest number given to an order or timer so far. */
  readonly orderCount: number;
  /** Holds so far, of rounds and between them. */
  readonly holdCount: number;
  readonly pending: PendingOrder | null;
  readonly timer: Timer | null;
  readonly hold: Hold | null;
  /** Survives restart; cleared by technician and supervisor only. */
  readonly lock: { readonly cause: string; readonly since: Instant } | null;
  readonly faults: ReadonlyMap<FaultCode, { readonly since: Instant; readonly detail: string }>;
  /** Cover position in shake-first play; `unknown` until the sensor spoke. */
  readonly cover: 'open' | 'closed' | 'unknown';
  /** Wall times at which rounds opened within the hour before the last opening, oldest first; for the cap. */
  readonly recentOpeningsMs: readonly number[];
  /** True before the first `tableStarted` and after `tableStopped`; the next record must be `tableStarted`. */
  readonly isStopped: boolean;
}
