import { type Dice, isFace, sortedDice } from '../core/rules/dice.ts';
import { outcomeOf, statisticsBoard } from '../core/statistics/board.ts';
import type { Journal, JournalRecord } from '../ports/journal.ts';
import { publicEvent } from './public-event.ts';
import type { HistoryRow, RoundView, StatisticsView } from './views.ts';

/** The row of an ended round, from its records alone. Pure. @returns null while the round has no terminal record. */
export function historyRow(records: readonly JournalRecord[]): HistoryRow | null {
  const opened = records.find(({ event }) => event.kind === 'roundOpened');
  const ended = records.find(({ event }) => event.kind === 'roundSettled' || event.kind === 'roundVoided');
  if (opened?.event.kind !== 'roundOpened' || ended === undefined) return null;
  const isSettled = ended.event.kind === 'roundSettled';
  const declared = records.find(({ event }) => event.kind === 'resultDeclared')?.event;
  // A void round keeps its reading in the journal, but has no result that anybody may count.
  const result = isSettled && declared?.kind === 'resultDeclared' ? declared : null;
  return {
    recordNumber: ended.recordNumber,
    roundId: opened.event.roundId,
    roundNumber: opened.event.roundNumber,
    openedAtMs: opened.at.wallMs,
    endedAtMs: ended.at.wallMs,
    end: isSettled ? 'settled' : 'voided',
    voidCause: ended.event.kind === 'roundVoided' ? ended.event.cause : null,
    shakeCount: records.filter(({ event }) => event.kind === 'shakeOrdered').length,
    dice: result === null ? null : [...result.dice],
    total: result === null ? null : result.total,
    outcome: result === null ? null : outcomeOf(result.dice),
    winningZones: result === null ? [] : [...result.winningZones],
  };
}

/** Rows of ended rounds, newest first. @param beforeRecordNumber pages back: only rounds whose terminal record is older. */
export function historyRows(
  journal: Pick<Journal, 'endedRounds' | 'roundRecords'>,
  limit: number,
  options: { readonly isSettledOnly?: boolean; readonly beforeRecordNumber?: number } = {},
): HistoryRow[] {
  return journal
    .endedRounds(limit, options)
    .map((roundId) => historyRow(journal.roundRecords(roundId)))
    .filter((row) => row !== null);
}

/** SHA-256 of every picture that an event names. */
function evidenceOf({ event }: JournalRecord): string[] {
  if (event.kind === 'diceRead') return event.reading.evidence.map(({ sha256 }) => sha256);
  return event.kind === 'resultDeclared' ? [...event.evidence] : [];
}

/** A round with every record as a step, in journal order. Pure. */
export function roundView(roundId: string, records: readonly JournalRecord[]): RoundView {
  const summary = historyRow(records);
  return {
    roundId,
    isEnded: summary !== null,
    summary,
    steps: records.map((record) => ({
      recordNumber: record.recordNumber,
      at: { wallMs: record.at.wallMs, monoMs: record.at.monoMs },
      bootId: record.bootId,
      isClockSynchronised: record.isClockSynchronised,
      hash: record.hash,
      event: publicEvent(record.event),
      evidence: evidenceOf(record).map((sha256) => ({ sha256, url: `/api/evidence/${sha256}` })),
    })),
  };
}

/** The statistics board (rule R9) over rows of settled rounds, newest first. Pure. */
export function statisticsView(rows: readonly HistoryRow[]): StatisticsView {
  const board = statisticsBoard(rows.flatMap(({ dice }) => diceOf(dice)));
  return {
    roundCount: board.roundCount,
    small: board.small.count,
    big: board.big.count,
    triple: board.triple.count,
    odd: board.odd.count,
    even: board.even.count,
    faceCounts: board.faces.map(({ count }) => count),
    totalCounts: board.totals.map(({ count }) => count),
    hotTotals: [...board.hot],
    coldTotals: [...board.cold],
  };
}

function diceOf(values: readonly number[] | null): readonly Dice[] {
  const [a, b, c] = values ?? [];
  return isFace(a) && isFace(b) && isFace(c) ? [sortedDice(a, b, c)] : [];
}
