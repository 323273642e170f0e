import { expect, it } from 'vitest';
import { EndedRounds } from '../../src/api/ended-rounds.ts';
import { historyRows } from '../../src/api/history-view.ts';
import { FakeTable } from './fake-table.ts';
import { playRound } from './played-rounds.ts';

/** A table with three ended rounds and the ids of the rounds whose records were asked for. */
function playedTable() {
  const table = new FakeTable();
  playRound(table, [1, 2, 5]);
  playRound(table, [2, 2, 2]);
  table.openRound();
  table.round({ kind: 'roundVoided', cause: 'shaker-jammed', detail: '', by: null, second: null });
  const asked: string[] = [];
  const journal = {
    endedRounds: table.journal.endedRounds,
    roundRecords: (roundId: string) => {
      asked.push(roundId);
      return table.journal.roundRecords(roundId);
    },
  };
  return { table, asked, journal };
}

it('asks the journal once for the records of a round that has ended, and shows the same row each time', () => {
  const { table, asked, journal } = playedTable();
  const ended = new EndedRounds(journal);
  expect(ended.rows(50)).toEqual(historyRows(table.journal, 50));
  expect(asked).toEqual(['0a1b2c3d-3', '0a1b2c3d-2', '0a1b2c3d-1']);
  playRound(table, [6, 6, 6]);
  expect(ended.rows(50)).toEqual(historyRows(table.journal, 50));
  expect(ended.rows(2, { isSettledOnly: true }).map(({ total }) => total)).toEqual([18, 6]);
  expect(asked.slice(3)).toEqual(['0a1b2c3d-4']);
});

it('does not keep the row of a round that is still open', () => {
  const { table, journal } = playedTable();
  const ended = new EndedRounds(journal);
  ended.rows(50);
  table.openRound();
  expect(ended.rows(1)).toMatchObject([{ roundNumber: 3, end: 'voided' }]);
  table.round({ kind: 'roundVoided', cause: 'stopped', detail: '', by: null, second: null });
  expect(ended.rows(1)).toMatchObject([{ roundNumber: 4, voidCause: 'stopped' }]);
});

it('keeps no more rows than its bound, and forgets first those that were shown longest ago', () => {
  const { asked, journal } = playedTable();
  const ended = new EndedRounds(journal, 2);
  ended.rows(3);
  asked.length = 0;
  ended.rows(1, { beforeRecordNumber: 20 });
  expect(asked).toEqual([]);
  ended.rows(1);
  expect(asked).toEqual(['0a1b2c3d-3']);
});
