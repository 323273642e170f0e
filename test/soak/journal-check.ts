import { damageLine } from '../../src/journal/journal-damage.ts';
import { verifyJournal } from '../../src/journal/verify-journal.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';

/** A journal as it stands, read whole and checked: hashes, anchor, rules of a round. */
export interface CheckedJournal {
  readonly records: readonly JournalRecord[];
  readonly problems: readonly string[];
}

/** Reads the journal of a table and says everything that is wrong with it. */
export function checkedJournal(journalPath: string, anchorFolder: string): CheckedJournal {
  const records: JournalRecord[] = [];
  const { damages } = verifyJournal({
    journalPath,
    anchorFolder,
    evidence: null,
    isWithRules: true,
    pages: 'quick',
    onRecord: (record) => records.push(record),
  });
  return { records, problems: [...damages.map(damageLine), ...roundProblems(records), ...startProblems(records)] };
}

/** What is wrong with the ends of rounds: each has exactly one, the newest may have none yet; and at most one result. */
export function roundProblems(records: readonly JournalRecord[]): readonly string[] {
  const opened: string[] = [];
  const counts = new Map<string, { ends: number; results: number }>();
  for (const { event } of records) {
    if (!('roundId' in event) || event.roundId === null) continue;
    const count = counts.get(event.roundId) ?? { ends: 0, results: 0 };
    counts.set(event.roundId, count);
    if (event.kind === 'roundOpened') opened.push(event.roundId);
    if (event.kind === 'roundSettled' || event.kind === 'roundVoided') count.ends += 1;
    if (event.kind === 'resultDeclared') count.results += 1;
  }
  return opened.flatMap((roundId, index) => {
    const { ends, results } = counts.get(roundId) ?? { ends: 0, results: 0 };
    const isRunning = index === opened.length - 1 && ends === 0;
    return [
      ...(ends === 1 || isRunning ? [] : [`round ${roundId} has ${ends} terminal records`]),
      ...(results <= 1 ? [] : [`round ${roundId} has ${results} results`]),
    ];
  });
}

/** What is wrong with the starts: a start after a kill says so, and orders no shake before a person resumed or a countdown ended in this very run. */
export function startProblems(records: readonly JournalRecord[]): readonly string[] {
  const problems: string[] = [];
  let hasDecided = false;
  let isStopped = true;
  let startCount = 0;
  for (const { event, recordNumber } of records) {
    if (event.kind === 'tableStarted') {
      startCount += 1;
      hasDecided = false;
      if (startCount > 1 && event.isAfterCrash === isStopped)
        problems.push(`record ${recordNumber}: the start says isAfterCrash ${event.isAfterCrash}`);
      isStopped = false;
    }
    if (event.kind === 'tableStopped') isStopped = true;
    if (event.kind === 'bettingClosed' || event.kind === 'roundResumed') hasDecided = true;
    if (event.kind === 'shakeOrdered' && !hasDecided) problems.push(`record ${recordNumber}: the restart itself ordered a shake`);
  }
  return problems;
}
