import type { ThrowReading } from '../judging/reading.ts';
import type { Dice } from '../rules/dice.ts';
import type { FaultCode, ShakeFailure, WatchFailure } from './faults.ts';
import type { Person } from './person.ts';
import type { PlaySettings } from './settings.ts';
import type { HoldCause, ThrowFault, VoidCause } from './state.ts';

/** What the journal keeps: facts that were taken and the table's decisions about them, in order. The state is the fold of these alone
 *  (`applyEvent`), so a later version with another policy rebuilds the same past. `orderNumber` numbers orders to devices and timers. */
export type TableEvent = TableLifeEvent | RoundEvent;

export type TableLifeEvent =
  /** First record of a journal. `journalId` (8 hex digits, random) goes into every round id, so no id is ever used again. */
  | { readonly kind: 'journalCreated'; readonly journalId: string; readonly tableId: string }
  | {
      readonly kind: 'tableStarted';
      readonly bootId: string;
      readonly softwareVersion: string;
      readonly configSha256: string;
      /** Of the file of the house in force. */
      readonly houseSha256: string;
      readonly isClockSynchronised: boolean;
      /** True when the last record before this one was not `tableStopped`: power was lost or the process was killed. */
      readonly isAfterCrash: boolean;
    }
  | { readonly kind: 'tableStopped'; readonly signal: string }
  | { readonly kind: 'faultRaised'; readonly fault: FaultCode; readonly detail: string }
  | { readonly kind: 'faultCleared'; readonly fault: FaultCode }
  | { readonly kind: 'tableLocked'; readonly roundId: string | null; readonly cause: string }
  | { readonly kind: 'tableUnlocked'; readonly by: Person; readonly second: Person; readonly reason: string }
  /** Between rounds: no round opens by itself until resumed. */
  | { readonly kind: 'tableHeld'; readonly by: Person; readonly reason: string }
  | { readonly kind: 'tableResumed'; readonly by: Person }
  /** The cover's sensor spoke without having been asked (shake-first play). */
  /** Order numbers go on above this one, which the shaker knew already. */
  | { readonly kind: 'ordersSeen'; readonly orderNumber: number }
  | { readonly kind: 'coverSensed'; readonly position: 'open' | 'closed' }
  /** Unattended play: the next round opens by itself after `delayMs`, which already respects the cap on rounds an hour. */
  | { readonly kind: 'nextRoundScheduled'; readonly orderNumber: number; readonly delayMs: number };

export type RoundEvent = { readonly roundId: string } & (
  | {
      readonly kind: 'roundOpened';
      /** From 1, per journal. */
      readonly roundNumber: number;
      readonly houseId: string;
      /** SHA-256 of the bytes of the house's file, 64 hex digits. */
      readonly houseSha256: string;
      readonly play: PlaySettings;
      /** Who opened it; null when it opened by itself. */
      readonly by: Person | null;
    }
  | { readonly kind: 'bettingOpened'; readonly orderNumber: number; readonly durationMs: number }
  | { readonly kind: 'bettingClosed'; readonly orderNumber: number; readonly by: Person | null }
  | {
      readonly kind: 'shakeOrdered';
      readonly orderNumber: number;
      /** From 1, per round. */
      readonly shakeNumber: number;
      readonly activationCount: number;
      readonly tumblesMin: number;
      /** Null for the first shake of a round, else why the throw before it did not count. */
      readonly cause: ThrowFault | null;
      readonly by: Person | null;
    }
  | {
      readonly kind: 'shakeFinished';
      readonly shakeNumber: number;
      readonly tumbleCount: number;
      readonly activationCount: number;
      readonly isSettled: boolean;
    }
  | { readonly kind: 'shakeFailed'; readonly shakeNumber: number; readonly cause: ShakeFailure }
  | { readonly kind: 'coverOrdered'; readonly orderNumber: number; readonly position: 'open' | 'closed' }
  | { readonly kind: 'coverMoved'; readonly position: 'open' | 'closed' }
  | { readonly kind: 'coverFailed'; readonly cause: ShakeFailure }
  | { readonly kind: 'restWatchOrdered'; readonly orderNumber: number; readonly shakeNumber: number }
  | { readonly kind: 'diceRested'; readonly shakeNumber: number; readonly motionBurstCount: number | null }
  | { readonly kind: 'restFailed'; readonly shakeNumber: number; readonly cause: 'moving' | WatchFailure }
  | { readonly kind: 'readOrdered'; readonly orderNumber: number; readonly shakeNumber: number; readonly attemptNumber: number }
  | { readonly kind: 'diceRead'; readonly shakeNumber: number; readonly reading: ThrowReading }
  | { readonly kind: 'readFailed'; readonly shakeNumber: number; readonly cause: WatchFailure }
  /** This throw does not count; the round goes on by the policy. */
  | { readonly kind: 'throwVoided'; readonly shakeNumber: number; readonly cause: ThrowFault }
  | {
      readonly kind: 'resultDeclared';
      readonly orderNumber: number;
      readonly dice: Dice;
      readonly total: number;
      /** Ids of all winning zones of the house, in the order of the zone list. */
      readonly winningZones: readonly string[];
      readonly evidence: readonly string[];
    }
  /** Terminal. */
  | { readonly kind: 'roundSettled' }
  /** Terminal; all wagers of the round are refunded. A reading that existed stays in the journal. */
  | {
      readonly kind: 'roundVoided';
      readonly cause: VoidCause;
      readonly detail: string;
      readonly by: Person | null;
      readonly second: Person | null;
    }
  | { readonly kind: 'roundHeld'; readonly cause: HoldCause; readonly detail: string; readonly by: Person | null }
  /** `orderNumber` numbers the countdown that goes on with the time that was left, where one was running. */
  | { readonly kind: 'roundResumed'; readonly by: Person; readonly orderNumber: number }
);
