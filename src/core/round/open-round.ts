import { capSpanMs, openingsWithinHour } from './apply-round-event.ts';
import { blockingFaults } from './live-round.ts';
import type { Person } from './person.ts';
import { orderShake } from './round-moves.ts';
import type { Refusal } from './step.ts';
import type { StepDraft } from './step-draft.ts';

/** Opens the next round: bets-first with the betting, shake-first with the shake under the closed cover.
 *  @param by who opened it; null when it opened by itself. @returns why it may not open, else null. */
export function openRound(draft: StepDraft, by: Person | null): Refusal | null {
  const { state, context } = draft;
  if (blockingFaults(state).length > 0) return 'blocked-by-fault';
  if (context.play.isUnattended && capDelayMs(draft) > 0) return 'cap-reached';
  const roundNumber = state.roundCount + 1;
  const roundId = roundIdOf(state.tableId, state.journalId, roundNumber);
  const { houseId, play } = context;
  draft.add({ kind: 'roundOpened', roundId, roundNumber, houseId, houseSha256: context.houseSha256(houseId), play, by });
  if (context.play.orderOfPlay === 'shake-first') {
    orderShake(draft, by);
    return null;
  }
  openBetting(draft);
  return null;
}

/** Starts the betting countdown of the open round. */
export function openBetting(draft: StepDraft): void {
  const { round } = draft;
  draft.add({
    kind: 'bettingOpened',
    roundId: round.roundId,
    orderNumber: draft.nextOrderNumber,
    durationMs: round.play.bettingMs,
  });
}

/** Keeps unattended play going: whenever the table stands between rounds with nothing against the next, the pause before it is running.
 *  Called after every fact that was taken, so that each way back to play (settled, void, fault gone, start, resume, unlock) leads through here. */
export function scheduleNextRound(draft: StepDraft): void {
  const { state, context } = draft;
  const isBetweenRounds = state.phase === 'closed' || state.phase === 'void';
  if (!isBetweenRounds || !context.play.isUnattended || state.isStopped || state.timer !== null) return;
  if (blockingFaults(state).length > 0) return;
  startPause(draft);
}

/** Starts the pause before the next round, long enough for the cap on rounds an hour. */
export function startPause(draft: StepDraft): void {
  const delayMs = Math.max(draft.context.play.nextRoundMs, capDelayMs(draft));
  draft.add({ kind: 'nextRoundScheduled', orderNumber: draft.nextOrderNumber, delayMs });
}

/** `<table>-<journal>-<six digits>`; the journal's random id keeps it from ever being used again, also after the journal was replaced. */
function roundIdOf(tableId: string, journalId: string, roundNumber: number): string {
  return `${tableId}-${journalId}-${String(roundNumber).padStart(6, '0')}`;
}

/** Time until the cap on rounds an hour lets the next one open, ms; 0 when it may open now. */
function capDelayMs(draft: StepDraft): number {
  const { roundsPerHourMax } = draft.context.play;
  if (roundsPerHourMax === 0) return 0;
  const openings = openingsWithinHour(draft.state.recentOpeningsMs, draft.at.wallMs);
  const blockingOpeningMs = openings[openings.length - roundsPerHourMax];
  return blockingOpeningMs === undefined ? 0 : blockingOpeningMs + capSpanMs - draft.at.wallMs;
}
