import type { TableEvent } from '../core/round/events.ts';
import type { Instant } from '../core/time.ts';

/** One line of the journal. `hash` covers every other field and the hash before it, so a changed, missing or swapped record shows. */
export interface JournalRecord {
  /** From 1, without gaps. The only order there is; wall time is for people. */
  readonly recordNumber: number;
  readonly bootId: string;
  readonly at: Instant;
  readonly isClockSynchronised: boolean;
  readonly event: TableEvent;
  /** SHA-256, 64 hex digits. */
  readonly hash: string;
}

export interface JournalHead {
  /** 0 when empty. */
  readonly recordNumber: number;
  /** 64 zeros when empty. */
  readonly hash: string;
}

/** Append-only truth of the table. Real: `SqliteJournal`, also in tests, on a file. Simulated: `MemoryJournal` for virtual-clock runs. */
export interface Journal {
  readonly head: JournalHead;
  /** Writes all events in one transaction and returns only once they are on the disk. Synchronous.
   *  @throws StorageError and writes nothing: `journal.unwritable` (trying again later may work), `journal.damaged` (it will not),
   *  `journal.refused` (a second opening or a second end of a round: a mistake in the program). */
  append(events: readonly TableEvent[], at: Instant): readonly JournalRecord[];
  /** Records after `afterRecordNumber`, oldest first, at most `limit`. */
  read(afterRecordNumber: number, limit: number): readonly JournalRecord[];
  /** All records of a round, oldest first; empty when unknown. */
  roundRecords(roundId: string): readonly JournalRecord[];
  /** Ids of rounds with a terminal record (`settled` or any), newest first; `beforeRecordNumber` pages back. */
  endedRounds(
    limit: number,
    options?: { readonly isSettledOnly?: boolean; readonly beforeRecordNumber?: number },
  ): readonly string[];
  close(): void;
}

/** Keeps pictures by the SHA-256 of their bytes. */
export interface EvidenceStore {
  /** Writes the bytes durably (once) and returns their SHA-256. @throws StorageError `evidence.unwritable`. */
  keep(jpeg: Buffer): string;
  /** The bytes, checked against the hash; null when there are none. @throws StorageError `evidence.damaged`. */
  read(sha256: string): Buffer | null;
}
