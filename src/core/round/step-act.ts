import { mayAsk, mayUnlock, mayVoidAfterReading } from './act-permissions.ts';
import type { ActFact } from './facts.ts';
import { blockingFaults, hasFacesRead, liveRound } from './live-round.ts';
import { openRound } from './open-round.ts';
import type { Person } from './person.ts';
import { holdRound, orderCover, orderRestWatch, orderShake, voidRound, voidThrow } from './round-moves.ts';
import type { Refusal } from './step.ts';
import type { StepDraft } from './step-draft.ts';

/** Decides an operator's act. Checked in this order: may this person ask, do they look at the present round, does a lock forbid it, does it
 *  fit the phase. @returns why it is refused, else null. */
export function stepAct(draft: StepDraft, fact: ActFact): Refusal | null {
  const { state } = draft;
  if (!mayAsk(fact.by, fact.kind)) return 'not-allowed';
  if (fact.roundId !== (state.round?.roundId ?? null)) return 'stale-round';
  if (fact.kind === 'unlockRequested') return unlock(draft, fact.by, fact.second, fact.reason);
  if (state.phase === 'locked') return 'locked';
  switch (fact.kind) {
    case 'openRequested':
      return state.phase === 'closed' || state.phase === 'void' ? openRound(draft, fact.by) : 'wrong-phase';
    case 'closeBettingRequested':
      return state.phase === 'betting' ? closeBetting(draft, fact.by) : 'wrong-phase';
    case 'shakeRequested':
      return shake(draft, fact.by);
    case 'holdRequested':
      return hold(draft, fact.by, fact.reason);
    case 'resumeRequested':
      return state.phase === 'held' ? resume(draft, fact.by, fact.holdNumber) : 'wrong-phase';
    case 'voidRequested':
      return voidByPersons(draft, fact.by, fact.second, fact.reason);
    default:
      return fact satisfies never;
  }
}

/** No more bets. @param by who closed it; null when the countdown ended. */
export function closeBetting(draft: StepDraft, by: Person | null): null {
  draft.add({ kind: 'bettingClosed', roundId: draft.round.roundId, orderNumber: draft.nextOrderNumber, by });
  return null;
}

function shake(draft: StepDraft, by: Person): Refusal | null {
  if (draft.state.phase !== 'no-more-bets' || draft.round.play.orderOfPlay !== 'bets-first') return 'wrong-phase';
  if (blockingFaults(draft.state).length > 0) return 'blocked-by-fault';
  orderShake(draft, by);
  return null;
}

function hold(draft: StepDraft, by: Person, reason: string): Refusal | null {
  const { phase, pending } = draft.state;
  if (phase === 'held') return 'wrong-phase';
  if (liveRound(draft.state) === null) {
    draft.add({ kind: 'tableHeld', by, reason });
    return null;
  }
  // The motor is stopped, so what the dice did is no shake.
  if (pending?.kind === 'shake') voidThrow(draft, 'unknown-shake');
  holdRound(draft, 'requested', reason, by);
  return null;
}

function resume(draft: StepDraft, by: Person, holdNumber: number): Refusal | null {
  if (draft.state.hold?.holdNumber !== holdNumber) return 'stale-hold';
  const { from } = draft.state.hold;
  if (liveRound(draft.state) === null) {
    draft.add({ kind: 'tableResumed', by });
    return null;
  }
  if (from === 'shaking' && blockingFaults(draft.state).length > 0) return 'blocked-by-fault';
  // Bets go on over thrown dice only while the sensor says that nobody can see them; without its word the round can still be voided.
  const isCovered = draft.round.play.orderOfPlay !== 'shake-first' || draft.state.cover === 'closed';
  if (from === 'betting' && !isCovered) return 'blocked-by-fault';
  draft.add({ kind: 'roundResumed', roundId: draft.round.roundId, by, orderNumber: draft.nextOrderNumber });
  switch (from) {
    case 'shaking':
      orderShake(draft, by);
      break;
    case 'settling':
    case 'reading':
      // Somebody may have touched the dice: rest is proven anew, on frames taken from now on.
      orderRestWatch(draft);
      break;
    case 'uncovering':
      orderCover(draft, 'open');
      break;
  }
  return null;
}

function voidByPersons(draft: StepDraft, by: Person, second: Person | null, reason: string): Refusal | null {
  const round = liveRound(draft.state);
  if (round === null) return 'wrong-phase';
  if (!hasFacesRead(round)) {
    if (by.role !== 'supervisor') return 'not-allowed';
  } else {
    if (second === null) return 'second-person-needed';
    if (!mayVoidAfterReading(by, second)) return 'second-person-needed';
  }
  voidRound(draft, 'requested', reason, by, second);
  return null;
}

function unlock(draft: StepDraft, by: Person, second: Person | null, reason: string): Refusal | null {
  if (draft.state.phase !== 'locked') return 'wrong-phase';
  if (second === null || !mayUnlock(by, second)) return 'second-person-needed';
  draft.add({ kind: 'tableUnlocked', by, second, reason });
  return null;
}
