import { z } from 'zod';
import { boardRoundCountMax } from '../core/statistics/board.ts';
import type { JournalRecord } from '../ports/journal.ts';
import type { ApiParts, PresentView } from './api-parts.ts';
import type { FeedLimits } from './feed-limits.ts';
import { historyRow, historyRows } from './history-view.ts';
import { publicEvent } from './public-event.ts';
import type { FeedMessage, HistoryRow, TableView } from './views.ts';

/** A message as it goes to every listener: made into bytes once. */
export interface FeedFrame {
  readonly seq: number;
  readonly bytes: Buffer;
}

/** Where a listener wants to go on: the last record it has seen, and of which journal. */
export const resumeRequest = z.strictObject({
  resumeAfter: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  journalId: z.string().max(64).optional(),
});
export type ResumeRequest = z.infer<typeof resumeRequest>;

/** Makes the feed's messages out of the journal and the present table. Keeps only what can be made again: the board's rows between two
 *  results, and the bytes of records told lately, so that a thousand listeners that come back at once cost one encoding. */
export class FeedMessages {
  readonly #parts: ApiParts;
  readonly #view: PresentView;
  readonly #limits: Pick<FeedLimits, 'heartbeatMs' | 'replayRecordsMax'>;
  readonly #told = new Map<number, FeedFrame>();
  #board: readonly HistoryRow[] | null = null;

  constructor(parts: ApiParts, view: PresentView, limits: Pick<FeedLimits, 'heartbeatMs' | 'replayRecordsMax'>) {
    this.#parts = parts;
    this.#view = view;
    this.#limits = limits;
  }

  /** Forgets the board when one of the records settled a round. To be called for each append, also when nobody listens. */
  noteAppended(records: readonly JournalRecord[]): void {
    if (records.some(({ event }) => event.kind === 'roundSettled')) this.#board = null;
  }

  /** One frame a record. The present table goes with the last of them, so call it while the last one is the head. */
  records(records: readonly JournalRecord[]): FeedFrame[] {
    return records.map((record, index) =>
      index === records.length - 1 ? frame(this.#message(record, this.#view())) : this.#withoutTable(record),
    );
  }

  #withoutTable(record: JournalRecord): FeedFrame {
    const told = this.#told.get(record.recordNumber);
    if (told !== undefined) return told;
    const made = frame(this.#message(record, null));
    this.#told.set(made.seq, made);
    const [oldest] = this.#told.keys();
    if (oldest !== undefined && this.#told.size > this.#limits.replayRecordsMax) this.#told.delete(oldest);
    return made;
  }

  #message(record: JournalRecord, table: TableView | null): FeedMessage {
    const { event } = record;
    const isEnd = event.kind === 'roundSettled' || event.kind === 'roundVoided';
    return {
      type: 'event',
      seq: record.recordNumber,
      atMs: record.at.wallMs,
      event: publicEvent(event),
      table,
      row: isEnd ? historyRow(this.#parts.journal.roundRecords(event.roundId)) : null,
    };
  }

  snapshot(): FeedFrame {
    const { head } = this.#parts.table;
    this.#board ??= historyRows(this.#parts.journal, boardRoundCountMax, { isSettledOnly: true });
    return frame({
      type: 'snapshot',
      seq: head.recordNumber,
      hash: head.hash,
      heartbeatMs: this.#limits.heartbeatMs,
      table: this.#view(),
      history: [...this.#board],
    });
  }

  heartbeat(): FeedFrame {
    const { head } = this.#parts.table;
    return frame({
      type: 'heartbeat',
      seq: head.recordNumber,
      hash: head.hash,
      heartbeatMs: this.#limits.heartbeatMs,
      remainingMs: this.#view().countdown?.remainingMs ?? null,
    });
  }

  /** What a listener gets that has everything up to `request`; null asks for everything. */
  answer(request: ResumeRequest | null): readonly FeedFrame[] {
    const { table, journal } = this.#parts;
    const { replayRecordsMax } = this.#limits;
    const head = table.head.recordNumber;
    if (request === null || request.resumeAfter > head || head - request.resumeAfter > replayRecordsMax) return [this.snapshot()];
    // Numbers of another journal say nothing about this one.
    if (request.journalId !== undefined && request.journalId !== table.state.journalId) return [this.snapshot()];
    if (request.resumeAfter === head) return [this.heartbeat()];
    const missed = journal.read(request.resumeAfter, replayRecordsMax);
    return missed.at(-1)?.recordNumber === head ? this.records(missed) : [this.snapshot()];
  }
}

function frame(message: FeedMessage): FeedFrame {
  return { seq: message.seq, bytes: Buffer.from(JSON.stringify(message)) };
}
