import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { historyRows, roundView } from '../../src/api/history-view.ts';
import { openJournal } from '../../src/journal/open-journal.ts';
import { FakeTable } from './fake-table.ts';
import { playRound } from './played-rounds.ts';

it('shows the same rounds from the SQLite journal as were played, page by page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sicbo-history-'));
  const table = new FakeTable();
  playRound(table, [1, 2, 5]);
  table.openRound();
  table.round({ kind: 'roundVoided', cause: 'shaker-lost', detail: '', by: null, second: null });
  playRound(table, [6, 6, 6]);
  const journal = openJournal({
    journalPath: join(folder, 'table.db'),
    anchorFolder: join(folder, 'anchor'),
    tableId: 't1',
    bootId: 'boot-1',
    isClockSynchronised: () => true,
    at: { wallMs: 1_767_225_600_000, monoMs: 0 },
  });
  try {
    // The journal began with a first record of its own.
    for (const { event, at } of table.records.slice(1)) journal.append([event], at);
    expect(historyRows(journal, 50)).toEqual(historyRows(table.journal, 50));
    expect(historyRows(journal, 50).map(({ roundNumber, end, total }) => [roundNumber, end, total])).toEqual([
      [3, 'settled', 18],
      [2, 'voided', null],
      [1, 'settled', 8],
    ]);
    const first = historyRows(journal, 1);
    const rest = historyRows(journal, 50, { beforeRecordNumber: first[0]?.recordNumber ?? 0 });
    expect(rest.map(({ roundNumber }) => roundNumber)).toEqual([2, 1]);
    expect(historyRows(journal, 50, { isSettledOnly: true }).map(({ roundNumber }) => roundNumber)).toEqual([3, 1]);
    const steps = roundView('0a1b2c3d-3', journal.roundRecords('0a1b2c3d-3')).steps;
    expect(steps.map(({ event }) => event.kind).slice(-3)).toEqual(['diceRead', 'resultDeclared', 'roundSettled']);
  } finally {
    journal.close();
    rmSync(folder, { recursive: true });
  }
});
