import type { TableEvent } from '../src/core/round/events.ts';
import type { Instant } from '../src/core/time.ts';
import { StorageError } from '../src/errors.ts';
import { emptyHead, type JournalRow, recordOf, sealedRow, terminalKinds } from '../src/journal/record-hash.ts';
import type { Journal, JournalHead, JournalRecord } from '../src/ports/journal.ts';

export interface MemoryJournalOptions {
  readonly bootId: string;
  /** Default: always true. */
  readonly isClockSynchronised?: () => boolean;
  /** Rows that exist already, as `rows` of an earlier run gave them: the table starts again on its journal. */
  readonly rows?: readonly JournalRow[];
}

/** A journal without a disk, for runs on a virtual clock. It seals records with the very recipe of `SqliteJournal` and keeps the same rules about
 *  rounds, so a run gives the same hashes on both. `isUnwritable` simulates a full disk, `isDamaged` a corrupt file. */
export class MemoryJournal implements Journal {
  /** While true every append fails with `journal.unwritable` and writes nothing. */
  isUnwritable = false;
  /** While true every append fails with `journal.damaged`, as from a file that is corrupt. */
  isDamaged = false;
  readonly #options: MemoryJournalOptions;
  readonly #rows: JournalRow[];
  readonly #byRound = new Map<string, JournalRow[]>();
  #isClosed = false;

  constructor(options: MemoryJournalOptions) {
    this.#options = options;
    this.#rows = [...(options.rows ?? [])];
    for (const row of this.#rows) this.#index(row);
  }

  get head(): JournalHead {
    const last = this.#rows.at(-1);
    return last === undefined ? emptyHead : { recordNumber: last.record_number, hash: last.hash };
  }

  /** The rows as they would stand in the database. */
  get rows(): readonly JournalRow[] {
    return [...this.#rows];
  }

  append(events: readonly TableEvent[], at: Instant): readonly JournalRecord[] {
    if (events.length === 0) return [];
    if (this.#isClosed) throw new StorageError('journal.unwritable', 'appending to the memory journal: it is closed');
    if (this.isDamaged) throw new StorageError('journal.damaged', 'appending to the memory journal: it was made damaged');
    if (this.isUnwritable)
      throw new StorageError('journal.unwritable', 'appending to the memory journal: it was made unwritable');
    const isClockSynchronised = this.#options.isClockSynchronised?.() ?? true;
    const context = { bootId: this.#options.bootId, at, isClockSynchronised };
    const rows: JournalRow[] = [];
    let head = this.head;
    for (const event of events) {
      const row = sealedRow(head, event, context);
      this.#refuseSecond(row, rows);
      rows.push(row);
      head = { recordNumber: row.record_number, hash: row.hash };
    }
    for (const row of rows) {
      this.#rows.push(row);
      this.#index(row);
    }
    return rows.map(recordOf);
  }

  read(afterRecordNumber: number, limit: number): readonly JournalRecord[] {
    const from = Math.max(0, afterRecordNumber);
    return this.#rows.slice(from, from + limit).map(recordOf);
  }

  roundRecords(roundId: string): readonly JournalRecord[] {
    return (this.#byRound.get(roundId) ?? []).map(recordOf);
  }

  endedRounds(
    limit: number,
    options: { readonly isSettledOnly?: boolean; readonly beforeRecordNumber?: number } = {},
  ): readonly string[] {
    const { isSettledOnly = false, beforeRecordNumber = Number.MAX_SAFE_INTEGER } = options;
    const roundIds: string[] = [];
    for (let index = Math.min(this.#rows.length, beforeRecordNumber - 1) - 1; index >= 0 && roundIds.length < limit; index -= 1) {
      const row = this.#rows[index];
      if (row === undefined || row.round_id === null) continue;
      if (isSettledOnly ? row.kind === 'roundSettled' : isTerminal(row)) roundIds.push(row.round_id);
    }
    return roundIds;
  }

  close(): void {
    this.#isClosed = true;
  }

  #index(row: JournalRow): void {
    if (row.round_id === null) return;
    const known = this.#byRound.get(row.round_id);
    if (known === undefined) this.#byRound.set(row.round_id, [row]);
    else known.push(row);
  }

  /** What the unique indexes of the database do. */
  #refuseSecond(row: JournalRow, pending: readonly JournalRow[]): void {
    const isSame = row.kind === 'roundOpened' ? (other: JournalRow) => other.kind === 'roundOpened' : isTerminal;
    if (row.kind !== 'roundOpened' && !isTerminal(row)) return;
    const ofRound = [
      ...(this.#byRound.get(row.round_id ?? '') ?? []),
      ...pending.filter((other) => other.round_id === row.round_id),
    ];
    if (ofRound.some(isSame)) throw new StorageError('journal.refused', `a second ${row.kind} of round ${row.round_id}`);
  }
}

function isTerminal(row: JournalRow): boolean {
  return (terminalKinds as ReadonlySet<string>).has(row.kind);
}
