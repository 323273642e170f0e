import Database from 'better-sqlite3';
import { StorageError } from '../errors.ts';

/** Held from before the journal is opened until after it is closed. */
export interface JournalLock {
  release(): void;
}

/** Claims the journal for this process. Node has no flock, so the lock is the exclusive transaction of a small SQLite database `<journal>.lock`
 *  beside it: a lock of the kernel (fcntl) that ends with the process, however it ends, and never goes stale. Nobody else needs to open that
 *  file, and no part of this process may: closing any descriptor of it would drop the lock.
 *  @throws StorageError `journal.locked-by-other` when a process holds it, `journal.unwritable` when the file cannot be made. */
export function lockJournal(journalPath: string): JournalLock {
  const lockPath = `${journalPath}.lock`;
  let db: Database.Database;
  try {
    db = new Database(lockPath, { timeout: 0 });
  } catch (error) {
    throw new StorageError('journal.unwritable', `the lock ${lockPath} cannot be opened: ${String(error)}`, { cause: error });
  }
  try {
    // Without a rollback file the lock itself writes nothing, so that it can be taken on a full disk.
    db.pragma('journal_mode = OFF');
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new StorageError(
        'journal.locked-by-other',
        `another process controls this table: ${lockPath} is locked; stop it first ("fuser ${lockPath}" shows it)`,
        { cause: error },
      );
    }
    throw new StorageError('journal.unwritable', `the lock ${lockPath} cannot be taken: ${String(error)}`, { cause: error });
  }
  return {
    release() {
      db.close();
    },
  };
}
