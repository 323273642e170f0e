import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { TableEvent } from '../core/round/events.ts';
import type { Instant } from '../core/time.ts';
import { StorageError } from '../errors.ts';
import type { Journal, JournalHead, JournalRecord } from '../ports/journal.ts';
import type { AnchorFile } from './anchor.ts';
import { migrateJournal } from './migrations.ts';
import { emptyHead, type JournalRow, recordOf, sealedRow, terminalKinds } from './record-hash.ts';
import { storageErrorFrom } from './storage-errors.ts';

export interface SqliteJournalOptions {
  /** Path of the database file; its folder exists. */
  readonly path: string;
  /** Names this run of the process; monotonic times compare only within one. */
  readonly bootId: string;
  /** Asked once for each append. */
  readonly isClockSynchronised: () => boolean;
  /** Where the head is signed after each terminal record and on close; null for none. */
  readonly anchor: AnchorFile | null;
  /** Released after the file is closed. */
  readonly onClosed?: () => void;
  /** How long an append waits for another program's lock before it fails, ms. Default 250: the table must not stand still for a person's
   *  forgotten transaction in the sqlite3 program. */
  readonly busyMsMax?: number;
}

/** WAL pages after which SQLite copies them into the database: 4 MB, its own default. */
const checkpointPageCount = 1_000;
/** Length to which the WAL is cut when it starts again, bytes; it grows beyond only while a reader holds it (failures.md DB-03). */
export const walBytesAfterRestart = 4 * 1_024 * 1_024;

/** Length of the WAL at which the table should warn, bytes: sixteen times what it needs when nobody holds it. */
export const walBytesAlarm = 16 * walBytesAfterRestart;

const columns = 'record_number, boot_id, wall_ms, mono_ms, is_clock_synchronised, kind, round_id, body, prev_hash, hash';

/** Journal in one SQLite file, WAL with `synchronous=FULL`: when `append` returns the records survive a power cut. Made by `openJournal`, which
 *  checks the file and holds the lock; use it directly only on a file that is known to be sound. Not safe across worker threads. */
export class SqliteJournal implements Journal {
  readonly path: string;
  readonly #options: SqliteJournalOptions;
  readonly #db: Database.Database;
  readonly #insert: Database.Statement<JournalRow>;
  readonly #insertAll: (rows: readonly JournalRow[]) => void;
  #head: JournalHead;
  #journalId: string | null = null;
  #anchoredNumber = 0;
  #lastWallMs = 0;
  #anchorFault: string | null = null;

  /** @throws StorageError `journal.unwritable`, `journal.damaged`, `journal.newer-version`, `journal.not-a-journal`. */
  constructor(options: SqliteJournalOptions) {
    this.#options = options;
    this.path = options.path;
    this.#db = openDatabase(options);
    try {
      this.#insert = this.#db.prepare(
        `INSERT INTO events (${columns}) VALUES (@record_number, @boot_id, @wall_ms, @mono_ms, @is_clock_synchronised, @kind, @round_id, @body, @prev_hash, @hash)`,
      );
      this.#insertAll = this.#db.transaction((rows: readonly JournalRow[]) => {
        for (const row of rows) this.#insert.run(row);
      }).immediate;
      const last = this.#rows('ORDER BY record_number DESC LIMIT 1')[0];
      this.#head = last === undefined ? emptyHead : { recordNumber: last.record_number, hash: last.hash };
      this.#lastWallMs = last?.wall_ms ?? 0;
      this.#journalId = this.#readJournalId();
    } catch (error) {
      this.#db.close();
      throw storageErrorFrom(error, 'reading the head of', this.path);
    }
  }

  get head(): JournalHead {
    return this.#head;
  }

  /** Number of the last record that the anchor vouches for, 0 before the first, and why the last attempt to sign failed (null when it did not). A
   *  failed anchor never fails an append, which is on disk by then; it is tried again after the next append. */
  get anchorStatus(): { readonly recordNumber: number; readonly fault: string | null } {
    return { recordNumber: this.#anchoredNumber, fault: this.#anchorFault };
  }

  /** Length of the WAL, bytes. Above `walBytesAlarm` a reader holds it open: somebody should look before it fills the disk. */
  get walByteCount(): number {
    return statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  append(events: readonly TableEvent[], at: Instant): readonly JournalRecord[] {
    if (events.length === 0) return [];
    if (!this.#db.open) throw new StorageError('journal.unwritable', `appending to ${this.path}: it is closed`);
    const context = { bootId: this.#options.bootId, at, isClockSynchronised: this.#options.isClockSynchronised() };
    const rows: JournalRow[] = [];
    let head = this.#head;
    for (const event of events) {
      const row = sealedRow(head, event, context);
      rows.push(row);
      head = { recordNumber: row.record_number, hash: row.hash };
    }
    try {
      this.#insertAll(rows);
    } catch (error) {
      throw storageErrorFrom(error, `appending record ${this.#head.recordNumber + 1} to`, this.path);
    }
    this.#head = head;
    this.#lastWallMs = at.wallMs;
    this.#journalId ??= this.#readJournalId();
    if (this.#anchorFault !== null || events.some((event) => terminalKinds.has(event.kind))) this.anchorHead();
    return rows.map(recordOf);
  }

  /** Signs the present head into the anchor; `append` and `close` do it by themselves when it is due. A failure shows in `anchorStatus`. */
  anchorHead(): void {
    if (this.#options.anchor === null || this.#journalId === null) return;
    try {
      this.#options.anchor.write({ journalId: this.#journalId, ...this.#head, wallMs: this.#lastWallMs });
      this.#anchoredNumber = this.#head.recordNumber;
      this.#anchorFault = null;
    } catch (error) {
      this.#anchorFault = String(error);
    }
  }

  read(afterRecordNumber: number, limit: number): readonly JournalRecord[] {
    return this.#records('WHERE record_number > ? ORDER BY record_number LIMIT ?', afterRecordNumber, limit);
  }

  roundRecords(roundId: string): readonly JournalRecord[] {
    return this.#records('WHERE round_id = ? ORDER BY record_number', roundId);
  }

  endedRounds(
    limit: number,
    options: { readonly isSettledOnly?: boolean; readonly beforeRecordNumber?: number } = {},
  ): readonly string[] {
    const { isSettledOnly = false, beforeRecordNumber = Number.MAX_SAFE_INTEGER } = options;
    try {
      return this.#db
        .prepare<[number, number], string>(
          `SELECT round_id FROM events INDEXED BY ended_rounds
           WHERE kind IN ('roundSettled', 'roundVoided') ${isSettledOnly ? "AND kind = 'roundSettled'" : ''} AND record_number < ?
           ORDER BY record_number DESC LIMIT ?`,
        )
        .pluck()
        .all(beforeRecordNumber, limit);
    } catch (error) {
      throw storageErrorFrom(error, 'reading', this.path);
    }
  }

  /** Signs the head, copies the WAL into the database and lets the lock go. Later calls do nothing. */
  close(): void {
    if (!this.#db.open) return;
    if (this.#head.recordNumber > this.#anchoredNumber) this.anchorHead();
    try {
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // A full disk or a reader: the WAL stays beside the database and is part of it at the next opening.
    }
    this.#db.close();
    this.#options.onClosed?.();
  }

  #readJournalId(): string | null {
    const first = this.#rows('WHERE record_number = 1')[0];
    const event = first === undefined ? null : recordOf(first).event;
    return event?.kind === 'journalCreated' ? event.journalId : null;
  }

  #rows(rest: string, ...values: readonly (number | string)[]): readonly JournalRow[] {
    return this.#db.prepare<(number | string)[], JournalRow>(`SELECT ${columns} FROM events ${rest}`).all(...values);
  }

  #records(rest: string, ...values: readonly (number | string)[]): readonly JournalRecord[] {
    try {
      return this.#rows(rest, ...values).map(recordOf);
    } catch (error) {
      throw storageErrorFrom(error, 'reading', this.path);
    }
  }
}

function openDatabase(options: SqliteJournalOptions): Database.Database {
  let db: Database.Database | null = null;
  try {
    db = new Database(options.path, { timeout: options.busyMsMax ?? 250 });
    db.pragma('journal_mode = WAL');
    // After the change to WAL, which lowers it to NORMAL in this build: NORMAL loses the last commits in a power cut.
    db.pragma('synchronous = FULL');
    db.pragma(`wal_autocheckpoint = ${checkpointPageCount}`);
    db.pragma(`journal_size_limit = ${walBytesAfterRestart}`);
    if (db.pragma('journal_mode', { simple: true }) !== 'wal' || db.pragma('synchronous', { simple: true }) !== 2) {
      throw new StorageError('journal.unwritable', `${options.path} cannot be kept in WAL mode with full synchronisation`);
    }
    migrateJournal(db);
    return db;
  } catch (error) {
    db?.close();
    throw storageErrorFrom(error, 'opening', options.path);
  }
}
