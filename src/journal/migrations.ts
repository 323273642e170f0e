import type { Database } from 'better-sqlite3';
import { StorageError } from '../errors.ts';

/** `application_id` of a table's journal: the bytes "SicB". */
export const journalApplicationId = 0x53696342;

/** Schema of version 1 as it was released. Frozen: a later schema is a further entry of `migrations`, never an edit (a test pins the bytes).
 *  The triggers keep honest programs from changing the past; what a dishonest one changes shows in the hashes. The unique indexes make a
 *  second opening or a second end of a round impossible whatever the program above does (failures.md OPS-04, rule 22). */
export const schemaVersion1 = `
CREATE TABLE events (
  record_number INTEGER PRIMARY KEY,
  boot_id TEXT NOT NULL,
  wall_ms INTEGER NOT NULL,
  mono_ms REAL NOT NULL,
  is_clock_synchronised INTEGER NOT NULL,
  kind TEXT NOT NULL,
  round_id TEXT,
  body TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_round ON events (round_id, record_number) WHERE round_id IS NOT NULL;
CREATE INDEX ended_rounds ON events (record_number, round_id) WHERE kind IN ('roundSettled', 'roundVoided');
CREATE UNIQUE INDEX one_opening_per_round ON events (round_id) WHERE kind = 'roundOpened';
CREATE UNIQUE INDEX one_end_per_round ON events (round_id) WHERE kind IN ('roundSettled', 'roundVoided');
CREATE TRIGGER events_never_change BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER events_never_go BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER events_have_no_gaps BEFORE INSERT ON events
  WHEN NEW.record_number IS NOT (SELECT coalesce(max(record_number), 0) + 1 FROM events)
  BEGIN SELECT RAISE(ABORT, 'record_number must be one more than the last'); END;
`;

/** Entry n leads from version n to version n + 1. */
const migrations: readonly string[] = [schemaVersion1];

/** The `user_version` that this program writes. */
export const journalSchemaVersion = migrations.length;

/** Version of the schema in the file; 0 for a database in which nothing was ever created.
 *  @throws StorageError `journal.not-a-journal` when it is another program's database, `journal.newer-version` when a later release wrote it. */
export function checkedSchemaVersion(db: Database): number {
  const version = db.pragma('user_version', { simple: true }) as number;
  const applicationId = db.pragma('application_id', { simple: true }) as number;
  const objectCount = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get() ?? 0;
  if (version === 0 && applicationId === 0 && objectCount === 0) return 0;
  if (applicationId !== journalApplicationId) {
    throw new StorageError(
      'journal.not-a-journal',
      `${db.name} is a database of another program (application_id ${applicationId}, expected ${journalApplicationId}); it was left untouched`,
    );
  }
  if (version > journalSchemaVersion) {
    throw new StorageError(
      'journal.newer-version',
      `${db.name} was written by a newer release: its schema is version ${version}, this release knows up to ${journalSchemaVersion}; install that release or a later one`,
    );
  }
  return version;
}

/** Brings the schema to `journalSchemaVersion` in one transaction; does nothing when it is there. */
export function migrateJournal(db: Database): void {
  const version = checkedSchemaVersion(db);
  if (version === journalSchemaVersion) return;
  db.transaction(() => {
    for (const step of migrations.slice(version)) db.exec(step);
    db.pragma(`application_id = ${journalApplicationId}`);
    db.pragma(`user_version = ${journalSchemaVersion}`);
  }).immediate();
}
