import { existsSync } from 'node:fs';
import { StorageError } from '../errors.ts';
import { damageLine } from '../journal/journal-damage.ts';
import { type JournalReport, verifyJournal } from '../journal/verify-journal.ts';
import type { Clock } from '../ports/clock.ts';
import { userName } from './account.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Longest time for the check of the records, ms; a longer journal is checked up to there and `sicbo verify` named for the rest. */
export const journalMsMax = 5_000;

class OutOfTime extends Error {}

/** Checks every record's hash, the anchor and SQLite's pages, as a start of the table does, also beside a running table. Writes nothing.
 *  @param msMax see `journalMsMax`. */
export function checkJournal(
  journal: { readonly path: string; readonly anchorFolder: string },
  tableId: string,
  clock: Clock,
  msMax = journalMsMax,
): Finding {
  const { path, anchorFolder } = journal;
  if (!existsSync(path) && !existsSync(`${anchorFolder}/anchor.json`))
    return ok('journal', `none yet; the first start makes ${path}`);
  const giveUpMs = clock.now().monoMs + msMax;
  let recordCount = 0;
  try {
    const report = verifyJournal({
      journalPath: path,
      anchorFolder,
      evidence: null,
      isWithRules: false,
      pages: 'quick',
      onRecord: () => {
        recordCount += 1;
        if (clock.now().monoMs > giveUpMs) throw new OutOfTime();
      },
    });
    return judged(report, tableId);
  } catch (error) {
    if (error instanceof OutOfTime) {
      return warning(
        'journal',
        `the first ${recordCount} records are sound; the ${msMax} ms for this check were used up`,
        'check all of it with "sicbo verify"',
      );
    }
    if (!(error instanceof StorageError)) throw error;
    return problem('journal', `${error.code}: ${error.message}`, adviceFor(error.code));
  }
}

function judged({ journalPath, head, tableId, roundCount, damages }: JournalReport, wantedId: string): Finding {
  const [first] = damages;
  if (first !== undefined) {
    const advice = 'keep the files as they are; look with "sicbo verify", then restore a backup or use "sicbo journal set-aside"';
    return problem('journal', `${journalPath}: ${damageLine(first)}`, advice);
  }
  if (tableId !== null && tableId !== wantedId) {
    return problem(
      'journal',
      `${journalPath} belongs to table "${tableId}", this is "${wantedId}"`,
      'set journal.path to the journal of this table',
    );
  }
  return ok('journal', `${head.recordNumber} records sound, ${roundCount} rounds, chain and anchor agree`);
}

function adviceFor(code: string): string {
  if (code === 'journal.newer-version') return 'run the version of the product that wrote it, or a newer one';
  if (code === 'journal.not-a-journal') return 'set journal.path to the journal of this table';
  return `see that ${userName()} may read and write the file and its folder`;
}
