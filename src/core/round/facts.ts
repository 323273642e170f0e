import type { ThrowReading } from '../judging/reading.ts';
import type { Instant } from '../time.ts';
import type { FaultCode, ShakeFailure, WatchFailure } from './faults.ts';
import type { Person } from './person.ts';
import type { TimerName } from './state.ts';

/** Something that happened outside and reaches the table through its one queue. A fact that does not fit the state is refused and counted. */
export type TableFact = ActFact | TimerFact | ShakerFact | DiceFact | FaultFact | ProcessFact;

/** An operator's act. `roundId` is the round the operator was looking at, so that a stale page cannot act; null when none was shown. */
export type ActFact = { readonly at: Instant; readonly by: Person; readonly roundId: string | null } & (
  | { readonly kind: 'openRequested' }
  | { readonly kind: 'closeBettingRequested' }
  | { readonly kind: 'shakeRequested' }
  | { readonly kind: 'holdRequested'; readonly reason: string }
  /** `holdNumber` is the hold that the person was looking at. */
  | { readonly kind: 'resumeRequested'; readonly holdNumber: number }
  /** `second` is the other person; needed once faces were read, one of both a supervisor. */
  | { readonly kind: 'voidRequested'; readonly reason: string; readonly second: Person | null }
  /** Clears a fault lock: a technician and a supervisor (`by` and `second`, in either order). */
  | { readonly kind: 'unlockRequested'; readonly reason: string; readonly second: Person | null }
);

/** The state's timer `name` with number `orderNumber` ran out. */
export interface TimerFact {
  readonly at: Instant;
  readonly kind: 'timerElapsed';
  readonly timer: TimerName;
  readonly orderNumber: number;
}

/** An answer to a `shake` or `moveCover` effect; `orderNumber` names the question. */
export type ShakerFact = { readonly at: Instant; readonly orderNumber: number } & (
  | {
      readonly kind: 'shakeFinished';
      /** Tumbles of the last activation that the firmware's sensor proved. */
      readonly tumbleCount: number;
      readonly activationCount: number;
      /** True when the firmware saw the dice settle. */
      readonly isSettled: boolean;
    }
  | { readonly kind: 'shakeFailed'; readonly cause: ShakeFailure }
  | { readonly kind: 'coverMoved'; readonly position: 'open' | 'closed' }
  | { readonly kind: 'coverFailed'; readonly cause: ShakeFailure }
);

/** An answer to a `watchRest` or `readDice` effect. */
export type DiceFact = { readonly at: Instant; readonly orderNumber: number } & (
  | {
      readonly kind: 'diceRested';
      /** Motion bursts seen in the picture between the order of the last activation and rest; null where no picture is allowed (shake-first). */
      readonly motionBurstCount: number | null;
    }
  /** The dice did not come to rest in time (`moving`), or nobody could look. */
  | { readonly kind: 'restFailed'; readonly cause: 'moving' | WatchFailure }
  | { readonly kind: 'diceRead'; readonly reading: ThrowReading }
  | { readonly kind: 'readFailed'; readonly cause: WatchFailure }
);

/** A device's standing condition began or ended, or a sensor spoke. Tamper locks the table. A report of what is known already is refused. */
export type FaultFact = { readonly at: Instant } & (
  | { readonly kind: 'faultRaised'; readonly fault: FaultCode; readonly detail: string }
  | { readonly kind: 'faultCleared'; readonly fault: FaultCode }
  | { readonly kind: 'tamperSensed'; readonly detail: string }
  /** The shaker told, at its handshake, the last order that it knows. Orders go on above it: it runs no number twice, also when the journal is new. */
  | { readonly kind: 'ordersSeen'; readonly orderNumber: number }
  /** The cover's sensor spoke without having been asked; only needed in shake-first play. */
  | { readonly kind: 'coverSensed'; readonly position: 'open' | 'closed' }
);

export type ProcessFact = { readonly at: Instant } & (
  | {
      readonly kind: 'tableStarted';
      readonly bootId: string;
      readonly softwareVersion: string;
      /** SHA-256 of the configuration file as read. */
      readonly configSha256: string;
      readonly isClockSynchronised: boolean;
    }
  /** SIGTERM or Ctrl-C: before the shake the round is void, later it holds. */
  | { readonly kind: 'tableStopping'; readonly signal: string }
);
