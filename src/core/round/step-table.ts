import { effectsOf } from './effects-of.ts';
import type { TableFact } from './facts.ts';
import { scheduleNextRound } from './open-round.ts';
import type { TableState } from './state.ts';
import type { Refusal, StepContext, TableStep } from './step.ts';
import { stepAct } from './step-act.ts';
import { stepDice } from './step-dice.ts';
import { StepDraft } from './step-draft.ts';
import { stepFault } from './step-fault.ts';
import { stepLifecycle } from './step-lifecycle.ts';
import { stepShaker } from './step-shaker.ts';
import { stepTimer } from './step-timer.ts';

/** Advances the table by one fact. Pure. The decision is the events; the new state is their fold, which is all that replay does; the effects
 *  are the orders among them. A fact that does not fit returns `state` itself with `refused` set. */
export function stepTable(state: TableState, fact: TableFact, context: StepContext): TableStep {
  const draft = new StepDraft(state, fact.at, context);
  const refused = decide(draft, fact);
  if (refused !== null) return { state, events: [], effects: [], refused };
  scheduleNextRound(draft);
  return { state: draft.state, events: draft.events, effects: effectsOf(state, draft.events, draft.state), refused: null };
}

function decide(draft: StepDraft, fact: TableFact): Refusal | null {
  // Between an orderly end and the next start nothing happens, whatever still arrives.
  if (draft.state.isStopped && fact.kind !== 'tableStarted') return 'stopping';
  switch (fact.kind) {
    case 'openRequested':
    case 'closeBettingRequested':
    case 'shakeRequested':
    case 'holdRequested':
    case 'resumeRequested':
    case 'voidRequested':
    case 'unlockRequested':
      return stepAct(draft, fact);
    case 'timerElapsed':
      return stepTimer(draft, fact);
    case 'shakeFinished':
    case 'shakeFailed':
    case 'coverMoved':
    case 'coverFailed':
      return stepShaker(draft, fact);
    case 'diceRested':
    case 'restFailed':
    case 'diceRead':
    case 'readFailed':
      return stepDice(draft, fact);
    case 'faultRaised':
    case 'faultCleared':
    case 'tamperSensed':
    case 'coverSensed':
    case 'ordersSeen':
      return stepFault(draft, fact);
    case 'tableStarted':
    case 'tableStopping':
      return stepLifecycle(draft, fact);
    default:
      return fact satisfies never;
  }
}
