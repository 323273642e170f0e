import { describe, expect, it } from 'vitest';
import { openTable, technician } from './open-table.ts';

describe('a shaker that remembers an order of nearly 2^31', () => {
  it("is another table's: no round opens, and the numbers of this table stay as they were", async () => {
    const { table, clock } = await openTable({ rememberedOrder: 2_147_483_600 });
    await clock.advance(60_000);
    expect(table.state).toMatchObject({ phase: 'closed', roundCount: 0 });
    expect(table.state.orderCount).toBeLessThan(10);
    expect(table.standingFaults).toEqual(['shaker.wrong-device']);
    expect(table.health()[0]?.detail).toContain('the shaker remembers order 2147483600, this journal has given');
  });

  it('is taken when a journal was begun anew on the shaker of years', async () => {
    const { table, until } = await openTable({ rememberedOrder: 30_000_000 });
    await until('result');
    expect(table.state.orderCount).toBeGreaterThan(30_000_000);
  });
});

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
