import type { ProcessFact } from './facts.ts';
import { liveRound } from './live-round.ts';
import { holdRound, voidRound, voidThrow } from './round-moves.ts';
import type { Refusal } from './step.ts';
import type { StepDraft } from './step-draft.ts';

/** Decides a start or an orderly end of the process. Never orders anything of a device. @returns why it is refused, else null. */
export function stepLifecycle(draft: StepDraft, fact: ProcessFact): Refusal | null {
  const { state } = draft;
  switch (fact.kind) {
    case 'tableStarted': {
      if (state.bootId === fact.bootId) return 'unchanged';
      // Round ids come from the journal's own id, so a table without one may not play.
      if (state.journalId === '') return 'wrong-phase';
      const { bootId, softwareVersion, configSha256, isClockSynchronised } = fact;
      const isAfterCrash = !state.isStopped;
      const houseSha256 = draft.context.houseSha256(draft.context.houseId);
      draft.add({ kind: 'tableStarted', bootId, softwareVersion, configSha256, houseSha256, isClockSynchronised, isAfterCrash });
      voidUnderOtherHouse(draft);
      interrupt(draft, 'restarted', 'restarted', 'the table restarted');
      return null;
    }
    case 'tableStopping':
      interrupt(draft, 'stopped', 'stopping', fact.signal);
      draft.add({ kind: 'tableStopped', signal: fact.signal });
      return null;
    default:
      return fact satisfies never;
  }
}

/** A round that can no longer be paid by the prices that its players saw is void. A result stands: its winning zones are in its record, in the
 *  same transaction as the faces that were read. */
function voidUnderOtherHouse(draft: StepDraft): void {
  const round = liveRound(draft.state);
  if (round === null || round.result !== null || draft.context.houseSha256(round.houseId) === round.houseSha256) return;
  voidRound(draft, 'house-changed', `the file of house ${round.houseId} was changed`);
}

/** What an interruption does to a round: before its first shake was ordered it is void, from then on it is held for a person. A result stands
 *  and goes on to its end; held stays held and locked stays locked. */
function interrupt(
  draft: StepDraft,
  voidCause: 'restarted' | 'stopped',
  holdCause: 'restarted' | 'stopping',
  detail: string,
): void {
  const { state } = draft;
  const round = liveRound(state);
  if (round === null || round.result !== null || state.phase === 'held') return;
  if (round.attempts.length === 0) {
    voidRound(draft, voidCause, detail);
    return;
  }
  // Whether the machine shook, and how, is not known any more.
  if (state.pending?.kind === 'shake') voidThrow(draft, 'unknown-shake');
  holdRound(draft, holdCause, detail, null);
}
