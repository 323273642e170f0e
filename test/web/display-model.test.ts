import { describe, expect, it } from 'vitest';
import type { FeedMessage, HistoryRow, TableView } from '../../src/api/views.ts';
import { litZones, sceneOf } from '../../src/web/display/scene.ts';
import { type DisplayModel, emptyModel, takeMessage } from '../../src/web/feed/display-model.ts';

const table: TableView = {
  tableId: 't1',
  tableName: 'Table 7',
  journalId: '0a1b2c3d',
  houseId: 'live',
  phase: 'betting',
  phaseSinceMs: 0,
  countdown: { name: 'betting', remainingMs: 12_000, durationMs: 20_000 },
  round: null,
  hold: null,
  lock: null,
  faults: [],
  isStopped: false,
};
const round: NonNullable<TableView['round']> = {
  roundId: 'r-1',
  roundNumber: 1,
  houseId: 'live',
  orderOfPlay: 'bets-first',
  isBettingClosed: true,
  shakeNumber: 1,
  shakesMax: 5,
  reshakeCause: null,
  readAttemptCount: 1,
  attempts: [],
  result: { dice: [1, 2, 5], total: 8, winningZones: ['small', 'even'] },
  end: 'settled',
  voidCause: null,
};
const row: HistoryRow = {
  recordNumber: 9,
  roundId: 'r-1',
  roundNumber: 1,
  openedAtMs: 0,
  endedAtMs: 1,
  end: 'settled',
  voidCause: null,
  shakeCount: 1,
  dice: [1, 2, 5],
  total: 8,
  outcome: 'small',
  winningZones: ['small', 'even'],
};
const snapshot: FeedMessage = { type: 'snapshot', seq: 7, hash: 'h', heartbeatMs: 5_000, table, history: [] };
const event = (seq: number, extra: Partial<Extract<FeedMessage, { type: 'event' }>> = {}): FeedMessage => ({
  type: 'event',
  seq,
  atMs: 0,
  event: { kind: 'tableStopped' },
  table: null,
  row: null,
  ...extra,
});
const heartbeat = (seq: number, remainingMs: number | null): FeedMessage => ({
  type: 'heartbeat',
  seq,
  hash: 'h',
  heartbeatMs: 5_000,
  remainingMs,
});
const modelAfter = (...messages: readonly FeedMessage[]): DisplayModel =>
  messages.reduce((model, message) => takeMessage(model, message, 1_000), emptyModel);

describe('what the display knows', () => {
  it('ends the countdown by its own monotonic clock from what the server says is left', () => {
    expect(modelAfter(snapshot).countdown).toEqual({ name: 'betting', endsAtMs: 13_000, durationMs: 20_000 });
    expect(takeMessage(modelAfter(snapshot), heartbeat(7, 9_500), 3_000).countdown?.endsAtMs).toBe(12_500);
    expect(takeMessage(modelAfter(snapshot), heartbeat(7, null), 3_000).countdown).toBeNull();
  });

  it('notices a record that is missing, from the next event or from a heartbeat', () => {
    expect(modelAfter(snapshot, event(8)).hasGap).toBe(false);
    expect(modelAfter(snapshot, event(9)).hasGap).toBe(true);
    expect(modelAfter(snapshot, heartbeat(8, null)).hasGap).toBe(true);
    expect(modelAfter(snapshot, event(9)).seq).toBe(7);
  });

  it('takes each record once', () => {
    const twice = modelAfter(snapshot, event(8, { row }), event(8, { row }), event(7, { row }));
    expect([twice.seq, twice.history.length]).toEqual([8, 1]);
  });

  it('puts a settled round on the road and never a void one, and keeps 50', () => {
    const voided: HistoryRow = { ...row, end: 'voided', dice: null, total: null, outcome: null };
    expect(modelAfter(snapshot, event(8, { row: voided })).history).toEqual([]);
    const many = modelAfter(
      snapshot,
      ...Array.from({ length: 60 }, (_, index) => event(8 + index, { row: { ...row, roundNumber: index } })),
    );
    expect([many.history.length, many.history[0]?.roundNumber, many.history[49]?.roundNumber]).toEqual([50, 59, 10]);
  });

  it('forgets everything for the whole picture of another journal', () => {
    const fresh = modelAfter(snapshot, event(8, { row }), { ...snapshot, seq: 2, table: { ...table, journalId: 'ffffffff' } });
    expect([fresh.seq, fresh.history, fresh.table?.journalId]).toEqual([2, [], 'ffffffff']);
  });

  it('keeps the winners lit until the next round opens, also under a hold or a lock, but never of a void round', () => {
    expect([...litZones({ ...table, phase: 'locked', round })]).toEqual(['small', 'even']);
    expect([...litZones({ ...table, phase: 'void', round: { ...round, end: 'voided' } })]).toEqual([]);
    expect(sceneOf({ ...table, phase: 'closed', round }, false)).toBe('result');
    expect(sceneOf({ ...table, phase: 'closed', round }, true)).toBe('attract');
    expect(sceneOf({ ...table, phase: 'closed', round: null }, false)).toBe('attract');
  });
});
