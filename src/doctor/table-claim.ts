import { existsSync } from 'node:fs';
import { StorageError } from '../errors.ts';
import { lockJournal } from '../journal/journal-lock.ts';
import { settledPath } from '../journal/open-journal.ts';

/** Who controls the table at the moment. */
export type TableClaim =
  /** Nobody; while the claim is held no table can start and open the devices at the same time. */
  | { readonly kind: 'ours'; release(): void }
  | { readonly kind: 'running' }
  | { readonly kind: 'unknown'; readonly detail: string };

/** Claims the table through the lock beside its journal, as a starting daemon does. Makes no file: where no lock file is, no table has ever run,
 *  and a file made by another user (sudo) would keep the table from starting. */
export function claimTable(journalPath: string): TableClaim {
  if (!existsSync(`${journalPath}.lock`)) return { kind: 'ours', release: () => {} };
  try {
    const lock = lockJournal(settledPath(journalPath));
    return { kind: 'ours', release: () => lock.release() };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return error.code === 'journal.locked-by-other' ? { kind: 'running' } : { kind: 'unknown', detail: error.message };
  }
}
