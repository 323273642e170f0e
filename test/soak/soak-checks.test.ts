import { describe, expect, it } from 'vitest';
import type { TableEvent } from '../../src/core/round/events.ts';
import { allZones } from '../../src/core/rules/zones.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';
import { roundProblems, startProblems } from './journal-check.ts';
import { litOutputs } from './lamp-check.ts';
import { Witness } from './witness.ts';

const roundId = 't-1-000001';
const result: TableEvent = {
  kind: 'resultDeclared',
  roundId,
  orderNumber: 9,
  dice: [1, 2, 5],
  total: 8,
  winningZones: ['small', 'even'],
  evidence: [],
};
const started: TableEvent = {
  kind: 'tableStarted',
  bootId: 'b1',
  softwareVersion: '1',
  configSha256: 'c',
  houseSha256: 'f0',
  isClockSynchronised: true,
  isAfterCrash: true,
};
const opened = { kind: 'roundOpened', roundId, roundNumber: 1, houseId: 'live', by: null } as unknown as TableEvent;
const settled: TableEvent = { kind: 'roundSettled', roundId };
const shake = { kind: 'shakeOrdered', roundId, orderNumber: 5, shakeNumber: 1 } as unknown as TableEvent;

function journalOf(...events: readonly TableEvent[]): readonly JournalRecord[] {
  return events.map((event, index) => ({
    recordNumber: index + 1,
    bootId: 'b1',
    at: { wallMs: index, monoMs: index },
    isClockSynchronised: true,
    event,
    hash: String(index + 1).repeat(64),
  }));
}

const heardResult = {
  type: 'event',
  seq: 2,
  atMs: 1,
  event: { kind: 'resultDeclared', roundId, dice: [1, 2, 5], total: 8, winningZones: ['small', 'even'], evidence: [] },
  table: null,
  row: null,
} as const;

describe('the checks of the soak', () => {
  it('find a result that was shown and is not in the journal, or stands there with other dice', () => {
    const witness = new Witness(() => {});
    witness.sawFeed(structuredClone(heardResult) as never);

    expect(witness.problems(journalOf(opened, result))).toEqual([]);
    expect(witness.problems(journalOf(opened))).toEqual(['record 2 (resultDeclared) was shown and is not in the journal']);
    expect(witness.problems(journalOf(opened, { ...result, dice: [1, 2, 6], total: 9 }))).toHaveLength(1);
  });

  it('find a head that was shown with another hash than the journal has', () => {
    const witness = new Witness(() => {});
    witness.sawFeed({ type: 'heartbeat', seq: 1, hash: '1'.repeat(64), heartbeatMs: 500, remainingMs: null });

    expect(witness.problems(journalOf(opened))).toEqual([]);
    expect(witness.problems([])).toHaveLength(1);
  });

  it('find one record that is shown in two ways', () => {
    const problems: string[] = [];
    const witness = new Witness((problem) => problems.push(problem));

    witness.sawFeed(structuredClone(heardResult) as never);
    witness.sawFeed({ ...structuredClone(heardResult), event: { ...heardResult.event, total: 9 } } as never);

    expect(problems).toHaveLength(1);
  });

  it('find a round with two ends, two results, or none before the next', () => {
    const next = { ...opened, roundId: 't-1-000002' } as TableEvent;
    expect(roundProblems(journalOf(opened, result, settled, next))).toEqual([]);
    expect(roundProblems(journalOf(opened, settled, settled))).toEqual([`round ${roundId} has 2 terminal records`]);
    expect(roundProblems(journalOf(opened, result, result))).toEqual([`round ${roundId} has 2 results`]);
    expect(roundProblems(journalOf(opened, next))).toEqual([`round ${roundId} has 0 terminal records`]);
  });

  it('find a shake that the restart itself ordered, and a kill that the next start does not know of', () => {
    const closed = { kind: 'bettingClosed', roundId, orderNumber: 4, by: null } as TableEvent;
    const again = { ...started, bootId: 'b2' };
    expect(startProblems(journalOf(started, opened, closed, shake, again))).toEqual([]);
    expect(startProblems(journalOf(started, opened, closed, again, shake))).toEqual([
      'record 5: the restart itself ordered a shake',
    ]);
    expect(startProblems(journalOf(started, { ...again, isAfterCrash: false }))).toHaveLength(1);
  });

  it('light the winners by their places in the list of zones, until the round is void or the next one opens, or the table stops', () => {
    expect(allZones.slice(0, 4).map(({ id }) => id)).toEqual(['small', 'big', 'odd', 'even']);
    expect(litOutputs(journalOf(opened, result))).toEqual([0, 3]);
    expect(litOutputs(journalOf(opened, result, settled))).toEqual([0, 3]);
    expect(litOutputs(journalOf(opened, result, settled, opened))).toEqual([]);
    const stopped: TableEvent = { kind: 'tableStopped', signal: 'SIGTERM' };
    expect(litOutputs(journalOf(opened, result, stopped))).toEqual([]);
    expect(litOutputs(journalOf(opened, result, stopped, started))).toEqual([0, 3]);
  });
});
