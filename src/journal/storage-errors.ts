import Database from 'better-sqlite3';
import { StorageError } from '../errors.ts';

/** Turns what SQLite threw into the product's failure; anything that is not SQLite's comes back as it is, because it is a mistake in the program.
 *  `journal.damaged`: the file is corrupt, it never heals by itself. `journal.refused`: the journal's own constraints refused the record, for
 *  example a second end of a round. `journal.unwritable`: everything else (disk full, read-only, I/O error, locked by another program);
 *  trying again later may work. */
export function storageErrorFrom(error: unknown, doing: string, path: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const code = error.code;
  const said = `${doing} ${path}: ${code} (${error.message})`;
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return new StorageError('journal.damaged', `${said}; the file was kept as it is, run "sicbo verify"`, { cause: error });
  }
  if (code.startsWith('SQLITE_CONSTRAINT')) return new StorageError('journal.refused', said, { cause: error });
  return new StorageError('journal.unwritable', said, { cause: error });
}
