import { describe, expect, it } from 'vitest';
import { openTable, technician } from './open-table.ts';

describe('parts that break their own promises', () => {
  it('plays on when a listener throws', async () => {
    const { table, until, errors } = await openTable();
    table.onAppended(() => {
      throw new Error('a listener with a mistake');
    });
    await until('result');
    await until('betting');
    expect(table.state.roundCount).toBe(2);
    expect(errors[0]).toBe('a listener failed');
  });

  it('plays on when the lamps throw', async () => {
    const { until, lamps, table } = await openTable();
    lamps.show = () => {
      throw new Error('a lamp driver with a mistake');
    };
    await until('result');
    await until('betting');
    expect(table.state.roundCount).toBe(2);
  });

  it('makes the shaker forget tamper and jam when two persons have unlocked the table', async () => {
    const { table, until, act, shaker, clock } = await openTable();
    await until('shaking');
    shaker.befall('jammed');
    shaker.befall('tamper');
    await clock.advance(10);
    expect(table.state.phase).toBe('locked');
    expect(await act({ kind: 'unlock', reason: 'dice exchanged', second: technician })).toEqual({ kind: 'done' });
    await until('result', 60_000);
  });

  it('makes the shaker forget a jam when a supervisor has looked and resumed', async () => {
    const { table, until, untilEvent, act, clock } = await openTable({ shakes: [{ fails: 'jammed' }] });
    await untilEvent('roundVoided');
    await clock.advance(60_000);
    expect(table.state.roundCount).toBe(1);
    await act({ kind: 'hold', reason: 'jam' });
    await act({ kind: 'resume' });
    await until('result', 60_000);
    expect(table.state.roundCount).toBe(2);
  });
});
