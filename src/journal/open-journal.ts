import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Instant } from '../core/time.ts';
import { StorageError } from '../errors.ts';
import type { JournalRecord } from '../ports/journal.ts';
import { AnchorFile } from './anchor.ts';
import { makeFolderDurably, syncFolder } from './durable-file.ts';
import { damageLine } from './journal-damage.ts';
import { lockJournal } from './journal-lock.ts';
import { SqliteJournal } from './sqlite-journal.ts';
import { verifyJournal } from './verify-journal.ts';

export interface OpenJournalOptions {
  readonly journalPath: string;
  /** Where the signed anchor and its key live: outside the journal's folder, at best on another disk. */
  readonly anchorFolder: string;
  readonly tableId: string;
  readonly bootId: string;
  readonly isClockSynchronised: () => boolean;
  /** Time of the first record, should the journal be new. */
  readonly at: Instant;
  /** Called for each record that is in the journal already, in order, while it is checked; spares a second pass to whoever folds them. */
  readonly onRecord?: (record: JournalRecord) => void;
  /** See `SqliteJournalOptions`. */
  readonly busyMsMax?: number;
}

/** Claims, checks and opens the table's journal, or begins one where there is neither file nor anchor. Nothing is written to a file in which damage
 *  was found, and none is ever deleted.
 *  @throws StorageError `journal.locked-by-other`: another process has it. `journal.damaged`: with the first wrong record in the message; the table
 *  stays closed until a person restored a backup or ran `sicbo journal set-aside`. `journal.other-table`,
 *  `journal.anchor-key-missing`, `journal.not-a-journal`, `journal.newer-version`, `journal.unwritable`. */
export function openJournal(options: OpenJournalOptions): SqliteJournal {
  const path = settledPath(options.journalPath);
  const lock = lockJournal(path);
  let journal: SqliteJournal | null = null;
  try {
    checkBeforePlay(path, options);
    const anchor = new AnchorFile(options.anchorFolder);
    journal = new SqliteJournal({
      path,
      bootId: options.bootId,
      isClockSynchronised: options.isClockSynchronised,
      anchor,
      onClosed: () => lock.release(),
      ...(options.busyMsMax === undefined ? {} : { busyMsMax: options.busyMsMax }),
    });
    if (journal.head.recordNumber === 0) {
      syncFolder(dirname(path));
      const journalId = randomBytes(4).toString('hex');
      const created = journal.append([{ kind: 'journalCreated', journalId, tableId: options.tableId }], options.at);
      for (const record of created) options.onRecord?.(record);
    }
    // Also vouches for records that were written after the last anchor before a crash: they have just been checked.
    journal.anchorHead();
    return journal;
  } catch (error) {
    journal?.close();
    lock.release();
    throw error;
  }
}

/** The path with links resolved, so that two names of one journal share one lock; its folder is made.
 *  @throws StorageError `journal.unwritable`. */
export function settledPath(journalPath: string): string {
  const folder = dirname(journalPath);
  try {
    makeFolderDurably(folder);
    if (statSync(journalPath, { throwIfNoEntry: false }) !== undefined) return realpathSync(journalPath);
    return join(realpathSync(folder), basename(journalPath));
  } catch (error) {
    throw new StorageError('journal.unwritable', `the folder ${folder} cannot be used: ${String(error)}`, { cause: error });
  }
}

function checkBeforePlay(path: string, options: OpenJournalOptions): void {
  const report = verifyJournal({
    journalPath: path,
    anchorFolder: options.anchorFolder,
    evidence: null,
    isWithRules: false,
    pages: 'quick',
    ...(options.onRecord === undefined ? {} : { onRecord: options.onRecord }),
  });
  const [first] = report.damages;
  if (first !== undefined) {
    throw new StorageError(
      'journal.damaged',
      `${path}: ${damageLine(first)}. The table stays closed and the file is kept as it is. Look with "sicbo verify"; then restore a backup, or begin a new journal with "sicbo journal set-aside", which renames this one`,
    );
  }
  if (report.tableId !== null && report.tableId !== options.tableId) {
    throw new StorageError(
      'journal.other-table',
      `${path} is the journal of table "${report.tableId}", this table is "${options.tableId}"`,
    );
  }
}
