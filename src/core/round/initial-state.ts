import type { Instant } from '../time.ts';
import { applyEvent } from './apply-event.ts';
import type { TableEvent } from './events.ts';
import type { TableState } from './state.ts';

/** The state before the first record: nothing has happened, the table has not started. */
export function initialState(tableId: string): TableState {
  return {
    tableId,
    journalId: '',
    bootId: '',
    phase: 'closed',
    phaseSince: { wallMs: 0, monoMs: 0 },
    round: null,
    roundCount: 0,
    orderCount: 0,
    holdCount: 0,
    pending: null,
    timer: null,
    hold: null,
    lock: null,
    faults: new Map(),
    cover: 'unknown',
    recentOpeningsMs: [],
    isStopped: true,
  };
}

/** Rebuilds the state from records in their order, as at a start. Decides nothing: see `applyEvent`. */
export function foldRecords(
  tableId: string,
  records: Iterable<{ readonly event: TableEvent; readonly at: Instant }>,
): TableState {
  let state = initialState(tableId);
  for (const { event, at } of records) state = applyEvent(state, event, at);
  return state;
}
