import type { ShakerFact } from './facts.ts';
import { lastAttempt } from './live-round.ts';
import { openBetting } from './open-round.ts';
import { applyRemedy, orderCover, orderRestWatch, orderShake } from './round-moves.ts';
import type { ThrowFault } from './state.ts';
import type { Refusal } from './step.ts';
import type { StepDraft } from './step-draft.ts';
import { remedyOfCover, remedyOfShake, remedyOfThrow } from './throw-policy.ts';

/** Decides an answer of the shaker or the cover. One that is not awaited is stale. @returns why it is refused, else null. */
export function stepShaker(draft: StepDraft, fact: ShakerFact): Refusal | null {
  const { pending } = draft.state;
  const question = fact.kind === 'shakeFinished' || fact.kind === 'shakeFailed' ? 'shake' : 'cover';
  if (pending === null || pending.kind !== question || pending.orderNumber !== fact.orderNumber) return 'stale-answer';
  const { roundId, attempts } = draft.round;
  const shakeNumber = attempts.length;
  switch (fact.kind) {
    case 'shakeFinished': {
      const { tumbleCount, activationCount, isSettled } = fact;
      draft.add({ kind: 'shakeFinished', roundId, shakeNumber, tumbleCount, activationCount, isSettled });
      afterShake(draft, shakeFault(draft, fact));
      return null;
    }
    case 'shakeFailed':
      draft.add({ kind: 'shakeFailed', roundId, shakeNumber, cause: fact.cause });
      applyRemedy(draft, remedyOfShake[fact.cause], 'unknown-shake', `shake ${shakeNumber}: ${fact.cause}`);
      return null;
    case 'coverMoved':
      afterCover(draft, fact.position);
      return null;
    case 'coverFailed':
      draft.add({ kind: 'coverFailed', roundId, cause: fact.cause });
      applyRemedy(draft, remedyOfCover[fact.cause], null, `cover: ${fact.cause}`);
      return null;
    default:
      return fact satisfies never;
  }
}

/** Why the shake does not count, found before anybody looks at the dice: the faces must not influence whether it counts. */
function shakeFault(draft: StepDraft, fact: ShakerFact & { readonly kind: 'shakeFinished' }): ThrowFault | null {
  const { round, state } = draft;
  const orderedCount = lastAttempt(round)?.activationCount ?? 0;
  if (!(fact.tumbleCount >= round.play.tumblesMin) || !(fact.activationCount >= orderedCount)) return 'too-few-tumbles';
  // Under the cover no picture can show rest, so the firmware's sensor must; in bets-first play the picture decides.
  if (round.play.orderOfPlay === 'shake-first' && (!fact.isSettled || state.cover !== 'closed')) return 'not-settled';
  return null;
}

function afterShake(draft: StepDraft, fault: ThrowFault | null): void {
  const { play, isBettingClosed } = draft.round;
  if (fault !== null) applyRemedy(draft, remedyOfThrow[fault], fault, fault);
  else if (play.orderOfPlay === 'bets-first') orderRestWatch(draft);
  // A re-shake after the betting changes no bet: the cover opens again at once.
  else if (isBettingClosed) orderCover(draft, 'open');
  else openBetting(draft);
}

function afterCover(draft: StepDraft, position: 'open' | 'closed'): void {
  const wanted = draft.state.phase === 'uncovering' ? 'open' : 'closed';
  draft.add({ kind: 'coverMoved', roundId: draft.round.roundId, position });
  if (position !== wanted) applyRemedy(draft, remedyOfCover.refused, null, `cover: ${position} instead of ${wanted}`);
  else if (wanted === 'open') orderRestWatch(draft);
  else orderShake(draft, null);
}
