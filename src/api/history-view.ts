import type { Journal, JournalRecord } from '../ports/journal.ts';
import { publicEvent } from './public-event.ts';
import type { HistoryRow, RoundView, StatisticsView } from './views.ts';

/** Rounds of the statistics board and of the road (rule R9). */
export const boardRounds = 50;

/** Small, big or triple by the three dice; a triple is neither small nor big (rule R8). */
export function outcomeOf(dice: readonly [number, number, number]): 'small' | 'big' | 'triple' {
  if (dice[0] === dice[1] && dice[1] === dice[2]) return 'triple';
  return dice[0] + dice[1] + dice[2] <= 10 ? 'small' : 'big';
}

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

/** Counts over settled rounds. Pure. */
export function statisticsView(rows: readonly HistoryRow[]): StatisticsView {
  const faceCounts = [0, 0, 0, 0, 0, 0];
  const totalCounts = new Array<number>(16).fill(0);
  const outcomes = { small: 0, big: 0, triple: 0 };
  let roundCount = 0;
  for (const { dice, total, outcome } of rows) {
    if (dice === null || total === null || outcome === null) continue;
    roundCount += 1;
    outcomes[outcome] += 1;
    totalCounts[total - 3] = (totalCounts[total - 3] ?? 0) + 1;
    for (const face of dice) faceCounts[face - 1] = (faceCounts[face - 1] ?? 0) + 1;
  }
  return { roundCount, ...outcomes, faceCounts, totalCounts };
}
