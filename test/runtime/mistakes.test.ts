import { describe, expect, it } from 'vitest';
import type { TableFact } from '../../src/core/round/facts.ts';
import { FactQueue } from '../../src/runtime/fact-queue.ts';
import { openTable } from './open-table.ts';

describe('a mistake in the program', () => {
  it('in a decision ends the table: the motor and the lamps are let go, the fact is not tried again, nothing is decided any more', async () => {
    const failures: unknown[] = [];
    let decisionCount = 0;
    const { table, clock, journal, until, act, lamps, shaker } = await openTable({
      onFailure: (error) => failures.push(error),
      winningZones: () => {
        decisionCount += 1;
        throw new Error('a zone with a mistake');
      },
    });
    await until('reading');
    const isFailed = () => failures.length > 0;
    await clock.advanceUntil(isFailed, 30_000);
    const head = journal.head.recordNumber;
    await clock.advance(60_000);
    expect(failures).toEqual([new Error('a zone with a mistake')]);
    expect(decisionCount).toBe(1);
    expect(journal.head.recordNumber).toBe(head);
    expect(table.state.round).toMatchObject({ result: null, end: null });
    expect(shaker.status.isOnline).toBe(false);
    expect(lamps.status.lit.size).toBe(0);
    expect(await act({ kind: 'hold', reason: 'r' })).toEqual({ kind: 'refused', cause: 'stopping' });
  });

  it('stops the motor when the journal is found damaged in a shake, and does not wait for it as for a full disk', async () => {
    const failures: unknown[] = [];
    const { clock, journal, until, act, shaker } = await openTable({ onFailure: (error) => failures.push(error) });
    await until('shaking');
    await clock.advance(200);
    expect(shaker.isShaking).toBe(true);
    journal.isDamaged = true;
    expect(await act({ kind: 'hold', reason: 'r' })).toEqual({ kind: 'refused', cause: 'stopping' });
    expect(failures).toMatchObject([{ code: 'journal.damaged' }]);
    expect(shaker.isShaking).toBe(false);
    journal.isDamaged = false;
    const head = journal.head.recordNumber;
    await clock.advance(60_000);
    expect(journal.head.recordNumber).toBe(head);
    expect(shaker.motionCount).toBe(1);
  });

  it('lets the lamps go dark also when the shaker cannot be closed', async () => {
    const { table, until, lamps, shaker, errors } = await openTable({ onFailure: () => {} });
    await until('result');
    expect(lamps.status.lit.size).toBeGreaterThan(0);
    shaker.close = () => {
      throw new Error('a driver with a mistake');
    };
    await table.abandon();
    expect(lamps.status.lit.size).toBe(0);
    expect(errors).toEqual(['a part of the table could not be brought to rest']);
  });

  it('in one fact is not met again with the next', async () => {
    const taken: string[] = [];
    const queue = new FactQueue((fact) => {
      taken.push(fact.kind);
      if (fact.kind === 'openRequested') throw new Error('a fact with a mistake');
      return { kind: 'done' };
    });
    const fact = (kind: string) => ({ kind }) as TableFact;
    expect(() => queue.put(fact('openRequested'))).toThrow('a fact with a mistake');
    expect(await queue.put(fact('shakeRequested'))).toEqual({ kind: 'done' });
    expect(taken).toEqual(['openRequested', 'shakeRequested']);
  });
});
