import Database from 'better-sqlite3';
import { InputError } from '../src/errors.ts';

/** A file that no other process can lock until `release`. */
export interface FileLock {
  release(): void;
}

/** Locks a file for this process, made where it is missing. Node has no flock, so the lock is the exclusive transaction of a small SQLite database: a
 *  lock of the kernel (fcntl) that ends with the process, however it ends, and never goes stale. Nobody else needs to open that file, and no part of
 *  this process may: closing any descriptor of it would drop the lock.
 *  @param waitMs longest wait for another process, ms; blocks meanwhile.
 *  @throws InputError `calibration.locked` when another process holds it, `calibration.unwritable` when the file cannot be made. */
export function lockFile(path: string, waitMs = 0): FileLock {
  let db: Database.Database | null = null;
  try {
    db = new Database(path, { timeout: waitMs });
    // Without a rollback file the lock itself writes nothing, so that it can be taken on a full disk.
    db.pragma('journal_mode = OFF');
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db?.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new InputError('calibration.locked', `another process is at work: ${path} is locked ("fuser ${path}" shows it)`);
    throw new InputError('calibration.unwritable', `the lock ${path} cannot be taken: ${String(error)}`, [], { cause: error });
  }
  const held = db;
  return {
    release() {
      held.close();
    },
  };
}
