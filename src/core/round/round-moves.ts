import { blockingFaults, lastAttempt, liveRound } from './live-round.ts';
import type { Person } from './person.ts';
import type { HoldCause, ThrowFault, VoidCause } from './state.ts';
import type { StepDraft } from './step-draft.ts';
import type { Remedy } from './throw-policy.ts';

/** Orders a shake, or what must come before it: under a blocking fault or after the last allowed shake the round is held, and in shake-first
 *  play the cover is closed first. The only place that orders a shake. @param by who asked for it; null when the table did. */
export function orderShake(draft: StepDraft, by: Person | null): void {
  const { round } = draft;
  const blocking = blockingFaults(draft.state);
  if (blocking.length > 0) {
    holdRound(draft, 'fault', blocking.join(', '), null);
  } else if (round.attempts.length >= round.shakesAllowedCount) {
    holdRound(draft, 'shakes-exhausted', `${round.attempts.length} shakes without a result`, null);
  } else if (round.play.orderOfPlay === 'shake-first' && draft.state.cover !== 'closed') {
    orderCover(draft, 'closed');
  } else {
    addShake(draft, by);
  }
}

function addShake(draft: StepDraft, by: Person | null): void {
  const { round } = draft;
  const isFirst = round.attempts.length === 0;
  draft.add({
    kind: 'shakeOrdered',
    roundId: round.roundId,
    orderNumber: draft.nextOrderNumber,
    shakeNumber: round.attempts.length + 1,
    activationCount: isFirst ? round.play.shakeActivations : round.play.reshakeActivations,
    tumblesMin: round.play.tumblesMin,
    cause: lastAttempt(round)?.fault ?? null,
    by,
  });
}

/** Orders the cover to move (shake-first play). */
export function orderCover(draft: StepDraft, position: 'open' | 'closed'): void {
  draft.add({ kind: 'coverOrdered', roundId: draft.round.roundId, orderNumber: draft.nextOrderNumber, position });
}

/** Orders a watch until the dice rest, or holds when they were watched `readAttemptsMax` times in vain. */
export function orderRestWatch(draft: StepDraft): void {
  const { round } = draft;
  if (round.restWatchCount >= round.play.readAttemptsMax) {
    holdExhausted(draft, round.restWatchCount);
    return;
  }
  draft.add({
    kind: 'restWatchOrdered',
    roundId: round.roundId,
    orderNumber: draft.nextOrderNumber,
    shakeNumber: round.attempts.length,
  });
}

/** Orders a reading of the dice at rest, or holds when they were read `readAttemptsMax` times in vain. */
export function orderRead(draft: StepDraft): void {
  const { round } = draft;
  if (round.readAttemptCount >= round.play.readAttemptsMax) {
    holdExhausted(draft, round.readAttemptCount);
    return;
  }
  draft.add({
    kind: 'readOrdered',
    roundId: round.roundId,
    orderNumber: draft.nextOrderNumber,
    shakeNumber: round.attempts.length,
    attemptNumber: round.readAttemptCount + 1,
  });
}

/** Declares the throw, not the round, not to count. */
export function voidThrow(draft: StepDraft, cause: ThrowFault): void {
  draft.add({ kind: 'throwVoided', roundId: draft.round.roundId, shakeNumber: draft.round.attempts.length, cause });
}

/** Holds the round in its present phase until a person resumes it or voids it. @param by who asked for it; null when the table did. */
export function holdRound(draft: StepDraft, cause: HoldCause, detail: string, by: Person | null): void {
  draft.add({ kind: 'roundHeld', roundId: draft.round.roundId, cause, detail, by });
}

/** Ends the round without a result; wagers are refunded. @param persons those who asked for it. */
export function voidRound(draft: StepDraft, cause: VoidCause, detail: string, ...persons: readonly (Person | null)[]): void {
  const [by = null, second = null] = persons;
  draft.add({ kind: 'roundVoided', roundId: draft.round.roundId, cause, detail, by, second });
}

/** Locks the table. A round without a result ends void; one whose faces were read goes on to its end first. */
export function lockTable(draft: StepDraft, cause: string): void {
  const round = liveRound(draft.state);
  if (round !== null && round.result === null) voidRound(draft, 'locked', cause);
  draft.add({ kind: 'tableLocked', roundId: round?.roundId ?? null, cause });
}

/** Does what the policy says. @param fault what is noted with the throw where the remedy ends it; null when the throw is not concerned.
 *  @param detail for people, where the round is held, void or locked. */
export function applyRemedy(draft: StepDraft, remedy: Remedy, fault: ThrowFault | null, detail: string): void {
  switch (remedy.kind) {
    case 'read-again':
      if (draft.state.phase === 'settling') orderRestWatch(draft);
      else orderRead(draft);
      break;
    case 'void':
      voidRound(draft, remedy.cause, detail);
      break;
    case 'lock':
      lockTable(draft, detail);
      break;
    case 'hold':
      if (fault !== null) voidThrow(draft, fault);
      holdRound(draft, remedy.cause, detail, null);
      break;
    case 'reshake':
    case 'by-house':
      if (fault !== null) voidThrow(draft, fault);
      if (remedy.kind === 'by-house' && draft.round.play.unreadableThrow === 'void') voidRound(draft, 'unreadable-throw', detail);
      else orderShake(draft, null);
      break;
    default:
      remedy satisfies never;
  }
}

function holdExhausted(draft: StepDraft, lookCount: number): void {
  holdRound(draft, 'reads-exhausted', `looked ${lookCount} times without a usable picture`, null);
}
