import { describe, expect, it } from 'vitest';
import { openTable, restarted } from './open-table.ts';

const play = { orderOfPlay: 'shake-first' } as const;

describe('the cover in shake-first play', () => {
  it('is known after a restart, so that a held betting can go on', async () => {
    const before = await openTable({ play, throws: [[1, 1, 2]] });
    await before.until('betting');
    const after = await restarted(before, { play });
    expect(after.table.state).toMatchObject({ phase: 'held', cover: 'closed' });
    expect(await after.act({ kind: 'resume' })).toEqual({ kind: 'done' });
    expect(after.table.state.phase).toBe('betting');
    expect(after.shaker.motionCount).toBe(0);
  });

  it('keeps every picture unseen after a restart while it is closed', async () => {
    const before = await openTable({ play });
    await before.until('betting');
    const after = await restarted(before, { play });
    await after.clock.advance(60_000);
    expect(after.reader.counters).toEqual({ frames: 0, reads: 0 });
    expect(after.evidence.pictures.size).toBe(0);
  });

  it('voids the round when it is found open while bets could go on', async () => {
    const before = await openTable({ play });
    await before.until('betting');
    const after = await restarted(before, { play, cover: 'open' });
    expect(after.table.state.round).toMatchObject({ end: 'voided', voidCause: 'cover-opened' });
  });

  it('leaves the journal saying that no picture bore out the tumbles', async () => {
    const { until, events } = await openTable({ play });
    await until('result');
    expect(events().find(({ kind }) => kind === 'diceRested')).toMatchObject({ motionBurstCount: null });
  });

  it('hides a throw that did not settle, and the next shake is watched no more than the first', async () => {
    const { until, untilEvent, reader, kinds } = await openTable({ play, shakes: [{ isSettled: false }, 'good'] });
    await untilEvent('coverOrdered');
    const looked = reader.counters.frames;
    await until('betting');
    expect(reader.counters.frames).toBe(looked);
    expect(kinds().filter((kind) => kind === 'shakeOrdered')).toHaveLength(2);
  });

  it('closes again before a leaning die is thrown anew, and opens at once since betting is over', async () => {
    const { table, until, kinds } = await openTable({ play, throws: ['tilted', [3, 3, 3]] });
    await until('result');
    expect(table.state.round?.result?.dice).toEqual([3, 3, 3]);
    expect(kinds().filter((kind) => kind === 'bettingOpened')).toHaveLength(1);
    expect(kinds().filter((kind) => kind === 'coverMoved')).toHaveLength(4);
  });

  it('looks at no picture that was taken before it was open, however late it comes', async () => {
    const { until, frames, reader, clock } = await openTable({ play });
    await until('uncovering');
    frames.setFault({ kind: 'stale', frameCount: 20 });
    const lookedAtMs: number[] = [];
    const look = reader.motion.bind(reader);
    reader.motion = (frame) => {
      lookedAtMs.push(frame.capturedMonoMs);
      return look(frame);
    };
    await until('settling');
    const openedAtMs = clock.now().monoMs;
    await until('reading');
    expect(lookedAtMs.length).toBeGreaterThan(10);
    expect(lookedAtMs.filter((takenAtMs) => takenAtMs <= openedAtMs)).toEqual([]);
  });

  it('keeps the pictures unseen for a round that was begun so, also when the table starts with another order of play', async () => {
    const before = await openTable({ play, throws: [[1, 1, 2]] });
    await before.until('betting');
    const after = await restarted(before, { play: { orderOfPlay: 'bets-first' } });
    await after.act({ kind: 'resume' });
    await after.until('uncovering');
    expect(after.reader.counters).toEqual({ frames: 0, reads: 0 });
    await after.until('result');
    expect(after.table.state.round).toMatchObject({ result: { dice: [1, 1, 2] }, play: { orderOfPlay: 'shake-first' } });
    await after.until('betting');
    expect(after.table.state.round?.play.orderOfPlay).toBe('bets-first');
    await after.until('result');
  });
});
