import type { Database } from 'better-sqlite3';
import type { JournalHead, JournalRecord } from '../ports/journal.ts';
import type { JournalDamage } from './journal-damage.ts';
import { emptyHead, type JournalRow, recordHash, recordOf } from './record-hash.ts';

/** Records that are read at once. Bounds the memory and the time for which a running table's WAL is held. */
const pageRecordCount = 1_000;

export interface ChainReport {
  /** Last record up to which everything is sound. */
  readonly head: JournalHead;
  /** The first record that is wrong or missing; null when there is none. The walk ends there: nothing after it can be trusted. */
  readonly damage: JournalDamage | null;
}

/** Walks all records in order, recomputes every hash, and hands each sound record to `onRecord`. Works beside a running table. */
export function checkChain(db: Database, onRecord: (record: JournalRecord, row: JournalRow) => void = () => {}): ChainReport {
  let head = emptyHead;
  // Below 1 no record may exist: the walk begins under the lowest number there can be.
  let afterNumber = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const page = readablePage(db, afterNumber);
    for (const row of page.rows) {
      const sound = recordAfter(row, head, db);
      if ('cause' in sound) return { head, damage: sound };
      onRecord(sound, row);
      head = { recordNumber: row.record_number, hash: row.hash };
      afterNumber = row.record_number;
    }
    if (page.failure !== null) {
      return { head, damage: { recordNumber: head.recordNumber + 1, cause: 'unreadable', detail: page.failure } };
    }
    if (page.rows.length < pageRecordCount) return { head, damage: null };
  }
}

/** The next records; where SQLite fails, those before the one that cannot be read. */
function readablePage(
  db: Database,
  afterNumber: number,
): { readonly rows: readonly JournalRow[]; readonly failure: string | null } {
  const rows: JournalRow[] = [];
  try {
    const page = db.prepare<[number, number], JournalRow>(
      'SELECT * FROM events WHERE record_number > ? ORDER BY record_number LIMIT ?',
    );
    for (const row of page.iterate(afterNumber, pageRecordCount)) rows.push(row);
    return { rows, failure: null };
  } catch (error) {
    return { rows, failure: `SQLite cannot read it: ${String(error)}` };
  }
}

/** The sound record after `head`, or what is wrong with the row that stands there. */
function recordAfter(row: JournalRow, head: JournalHead, db: Database): JournalRecord | JournalDamage {
  const expectedNumber = head.recordNumber + 1;
  const at = (cause: JournalDamage['cause'], detail: string, recordNumber = expectedNumber): JournalDamage => ({
    recordNumber,
    cause,
    detail,
  });
  if (row.record_number < expectedNumber) {
    return at('record-contradictory', `number ${row.record_number} stands where ${expectedNumber} is next`, row.record_number);
  }
  if (row.record_number > expectedNumber) {
    const last = row.record_number - 1;
    return at('record-missing', last === expectedNumber ? 'it is missing' : `records ${expectedNumber} to ${last} are missing`);
  }
  const computedHash = recordHash(row);
  if (computedHash !== row.hash) {
    const place = placeOfSuccessor(db, head, expectedNumber);
    if (place !== null) return at('swapped', `the record that belongs here stands at number ${place}`);
    return at('hash-mismatch', `its content has hash ${computedHash}, it carries ${row.hash}`);
  }
  if (row.prev_hash !== head.hash) {
    if (head.recordNumber === 0) return at('replaced', `the first record must follow ${head.hash}, it follows ${row.prev_hash}`);
    const detail = `record ${expectedNumber} was written upon a record with hash ${row.prev_hash}, here stands one with ${head.hash}`;
    return at('replaced', detail, head.recordNumber);
  }
  return consistentRecord(row, at);
}

/** Number of the row that says it follows `head`, when that is another than `expectedNumber`. */
function placeOfSuccessor(db: Database, head: JournalHead, expectedNumber: number): number | null {
  try {
    const numbers = db
      .prepare<[string, number], number>('SELECT record_number FROM events WHERE prev_hash = ? AND record_number <> ?')
      .pluck();
    return numbers.get(head.hash, expectedNumber) ?? null;
  } catch {
    return null;
  }
}

function consistentRecord(
  row: JournalRow,
  at: (cause: JournalDamage['cause'], detail: string) => JournalDamage,
): JournalRecord | JournalDamage {
  let record: JournalRecord;
  try {
    record = recordOf(row);
  } catch (error) {
    return at('record-contradictory', `its body is not JSON: ${String(error)}`);
  }
  // The hash fits, so whoever wrote it knew the recipe; what is left to check is that its columns say what its body says.
  const { kind, roundId = null } = record.event as { readonly kind?: unknown; readonly roundId?: unknown };
  if (kind !== row.kind) return at('record-contradictory', `its kind is ${row.kind}, its body says ${String(kind)}`);
  if (roundId !== row.round_id) {
    return at('record-contradictory', `its round is ${row.round_id}, its body says ${String(roundId)}`);
  }
  if ((kind === 'journalCreated') !== (row.record_number === 1)) {
    return at('record-contradictory', `kind ${row.kind} at number ${row.record_number}: only record 1 is journalCreated`);
  }
  return record;
}
