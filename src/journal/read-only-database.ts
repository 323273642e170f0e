import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';

/** A database opened for looking only: database and WAL stay as they are, also when it is closed. SQLite may leave an empty `-wal` and a `-shm` beside
 *  it, which mean nothing; they are not removed, because a table may have opened them meanwhile. */
export interface ReadOnlyDatabase {
  readonly db: Database.Database;
  close(): void;
}

/** Opens the file beside a running table or on its own. Where SQLite cannot make its `-shm` file (a read-only disk of evidence), a copy of
 *  database and WAL in the temporary folder is read instead.
 *  @throws SqliteError as SQLite gives it. */
export function openReadOnly(path: string): ReadOnlyDatabase {
  try {
    return opened(path, () => {});
  } catch (error) {
    const isFolderReadOnly =
      error instanceof Database.SqliteError &&
      (error.code.startsWith('SQLITE_CANTOPEN') || error.code.startsWith('SQLITE_READONLY'));
    if (!isFolderReadOnly || !existsSync(path)) throw error;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sicbo-verify-'));
  const removeCopy = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    return opened(copy, removeCopy);
  } catch (error) {
    removeCopy();
    throw error;
  }
}

function opened(path: string, afterwards: () => void): ReadOnlyDatabase {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    // The first read is what opens the WAL.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    db,
    close() {
      db.close();
      afterwards();
    },
  };
}
