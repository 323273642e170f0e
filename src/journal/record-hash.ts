import { createHash } from 'node:crypto';
import type { TableEvent } from '../core/round/events.ts';
import type { Instant } from '../core/time.ts';
import type { JournalHead, JournalRecord } from '../ports/journal.ts';
import { canonicalJson } from './canonical-json.ts';

/** A row of the table `events`, with the column names as they stand in the database. */
export interface JournalRow {
  readonly record_number: number;
  readonly boot_id: string;
  readonly wall_ms: number;
  readonly mono_ms: number;
  /** 1 or 0. */
  readonly is_clock_synchronised: number;
  readonly kind: string;
  /** Null for events of the table's life. */
  readonly round_id: string | null;
  /** The whole event as canonical JSON. */
  readonly body: string;
  readonly prev_hash: string;
  readonly hash: string;
}

/** Head of a journal without records; its hash is the `prev_hash` of record 1. */
export const emptyHead: JournalHead = { recordNumber: 0, hash: '0'.repeat(64) };

/** SHA-256 in 64 hex digits over the UTF-8 bytes of the JSON array of all other columns in the order of the table: the recipe that
 *  README.md of this folder gives to third parties. Changing it makes every existing journal look damaged. */
export function recordHash(row: Omit<JournalRow, 'hash'>): string {
  const sealed = JSON.stringify([
    row.record_number,
    row.boot_id,
    row.wall_ms,
    row.mono_ms,
    row.is_clock_synchronised,
    row.kind,
    row.round_id,
    row.body,
    row.prev_hash,
  ]);
  return createHash('sha256').update(sealed, 'utf8').digest('hex');
}

/** What is the same for all events of one append. */
export interface RecordContext {
  readonly bootId: string;
  readonly at: Instant;
  readonly isClockSynchronised: boolean;
}

/** The row that follows `head`. */
export function sealedRow(head: JournalHead, event: TableEvent, context: RecordContext): JournalRow {
  const row = {
    record_number: head.recordNumber + 1,
    boot_id: context.bootId,
    wall_ms: Math.round(context.at.wallMs),
    mono_ms: context.at.monoMs,
    is_clock_synchronised: context.isClockSynchronised ? 1 : 0,
    kind: event.kind,
    round_id: 'roundId' in event ? event.roundId : null,
    body: canonicalJson(event),
    prev_hash: head.hash,
  };
  return { ...row, hash: recordHash(row) };
}

/** The record in a row that was written by `sealedRow`; `verifyJournal` is what finds out whether it was. */
export function recordOf(row: JournalRow): JournalRecord {
  return {
    recordNumber: row.record_number,
    bootId: row.boot_id,
    at: { wallMs: row.wall_ms, monoMs: row.mono_ms },
    isClockSynchronised: row.is_clock_synchronised === 1,
    event: JSON.parse(row.body) as TableEvent,
    hash: row.hash,
  };
}

/** Kinds that end a round; exactly one of them exists in each round. */
export const terminalKinds: ReadonlySet<TableEvent['kind']> = new Set<TableEvent['kind']>(['roundSettled', 'roundVoided']);
