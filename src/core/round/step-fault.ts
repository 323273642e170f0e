import type { FaultFact } from './facts.ts';
import { lastAttempt, liveRound } from './live-round.ts';
import { isOrderJump } from './order-jump.ts';
import { lockTable, voidRound } from './round-moves.ts';
import type { TableState } from './state.ts';
import type { Refusal } from './step.ts';
import type { StepDraft } from './step-draft.ts';

/** Decides what a device says of itself. A fault changes no phase by itself: it is looked at when a round would open, a shake would start or
 *  a reading would count; what runs ends by its own answer. @returns why it is refused, else null. */
export function stepFault(draft: StepDraft, fact: FaultFact): Refusal | null {
  const { state } = draft;
  switch (fact.kind) {
    case 'faultRaised':
      if (state.faults.has(fact.fault)) return 'unchanged';
      draft.add({ kind: 'faultRaised', fault: fact.fault, detail: fact.detail });
      return null;
    case 'faultCleared':
      if (!state.faults.has(fact.fault)) return 'unchanged';
      draft.add({ kind: 'faultCleared', fault: fact.fault });
      return null;
    case 'tamperSensed':
      if (state.lock !== null) return 'locked';
      lockTable(draft, `tamper: ${fact.detail}`);
      return null;
    case 'ordersSeen':
      if (isOrderJump(fact.orderNumber, state.orderCount)) return 'order-jump';
      if (!(fact.orderNumber > state.orderCount)) return 'unchanged';
      draft.add({ kind: 'ordersSeen', orderNumber: fact.orderNumber });
      return null;
    case 'coverSensed':
      if (state.cover === fact.position) return 'unchanged';
      draft.add({ kind: 'coverSensed', position: fact.position });
      if (fact.position === 'open' && areDiceExposed(state)) voidRound(draft, 'cover-opened', 'cover open before betting closed');
      return null;
    default:
      return fact satisfies never;
  }
}

/** True while thrown dice lie under the cover and bets can be placed, or could be after a resume: opening it shows the outcome. */
function areDiceExposed(state: TableState): boolean {
  const round = liveRound(state);
  if (round === null || round.play.orderOfPlay !== 'shake-first') return false;
  const phase = state.phase === 'held' ? state.hold?.from : state.phase;
  return phase === 'betting' && lastAttempt(round) !== null;
}
