import type { TimerFact } from './facts.ts';
import { openRound, startPause } from './open-round.ts';
import { orderCover, orderShake } from './round-moves.ts';
import type { Refusal } from './step.ts';
import { closeBetting } from './step-act.ts';
import type { StepDraft } from './step-draft.ts';

/** Decides the end of a countdown. One that is not the state's own, by name and number, is stale. @returns why it is refused, else null. */
export function stepTimer(draft: StepDraft, fact: TimerFact): Refusal | null {
  const { timer } = draft.state;
  if (timer === null || timer.name !== fact.timer || timer.orderNumber !== fact.orderNumber) return 'stale-answer';
  switch (timer.name) {
    case 'betting':
      return closeBetting(draft, null);
    case 'no-more-bets':
      if (draft.round.play.orderOfPlay === 'shake-first') orderCover(draft, 'open');
      else orderShake(draft, null);
      return null;
    case 'review':
      draft.add({ kind: 'roundSettled', roundId: draft.round.roundId });
      return null;
    case 'next-round': {
      const refusal = openRound(draft, null);
      if (refusal !== 'cap-reached') return refusal;
      // The wall clock was set back, or the cap lowered, since the pause was measured: wait for the rest.
      startPause(draft);
      return null;
    }
    default:
      return timer.name satisfies never;
  }
}
