import type { FeedMessage, HistoryRow, TableView } from '../../api/views.ts';

/** What a page knows of the table. Everything in it came over the feed; the page computes no result of its own. */
export interface DisplayModel {
  readonly table: TableView | null;
  /** Settled rounds, newest first, at most `boardRounds`. */
  readonly history: readonly HistoryRow[];
  /** Last journal record that `table` and `history` reflect; -1 before the first message. */
  readonly seq: number;
  /** The running countdown, ended at `endsAtMs` of this page's monotonic clock. Wall clocks play no part: see failures of clocks that jump. */
  readonly countdown: { readonly name: string; readonly endsAtMs: number; readonly durationMs: number } | null;
  /** How often the feed promises to speak, ms. */
  readonly heartbeatMs: number;
  /** True when a record is missing; the connection must resume from `seq`. */
  readonly hasGap: boolean;
}

/** Rounds on the road (rule R9). */
export const boardRounds = 50;

export const emptyModel: DisplayModel = { table: null, history: [], seq: -1, countdown: null, heartbeatMs: 5_000, hasGap: false };

/** Takes one message. Pure. @param nowMs the page's monotonic clock at the moment of receipt. */
export function takeMessage(model: DisplayModel, message: FeedMessage, nowMs: number): DisplayModel {
  switch (message.type) {
    case 'snapshot':
      return {
        table: message.table,
        history: message.history.slice(0, boardRounds),
        seq: message.seq,
        countdown: countdownOf(message.table, nowMs),
        heartbeatMs: message.heartbeatMs,
        hasGap: false,
      };
    case 'event': {
      if (message.seq <= model.seq) return model;
      if (message.seq !== model.seq + 1) return { ...model, hasGap: true };
      const { table, row } = message;
      return {
        ...model,
        seq: message.seq,
        history: row?.end === 'settled' ? [row, ...model.history].slice(0, boardRounds) : model.history,
        table: table ?? model.table,
        countdown: table === null ? model.countdown : countdownOf(table, nowMs),
      };
    }
    case 'heartbeat': {
      const { countdown } = model;
      return {
        ...model,
        heartbeatMs: message.heartbeatMs,
        hasGap: message.seq !== model.seq,
        countdown:
          countdown === null || message.remainingMs === null ? null : { ...countdown, endsAtMs: nowMs + message.remainingMs },
      };
    }
    case 'error':
      return { ...model, hasGap: true };
    default:
      return message satisfies never;
  }
}

function countdownOf(table: TableView, nowMs: number): DisplayModel['countdown'] {
  if (table.countdown === null) return null;
  const { name, remainingMs, durationMs } = table.countdown;
  return { name, endsAtMs: nowMs + remainingMs, durationMs };
}
