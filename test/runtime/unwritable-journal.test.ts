import { describe, expect, it } from 'vitest';
import { newTable, type OpenTable, openTable, restarted } from './open-table.ts';

describe('a journal that cannot be written', () => {
  it('at the start does not keep the devices from being found; the table shows the fault and goes on by itself', async () => {
    const { table, clock, journal, shaker, frames, kinds, until } = newTable();
    journal.isUnwritable = true;
    await table.start();
    await clock.advance(30_000);
    expect(table.standingFaults).toEqual(['journal.unwritable']);
    expect(table.health().find(({ device }) => device === 'journal')).toMatchObject({ isUp: false });
    expect(shaker.status.isOnline).toBe(true);
    expect(frames.latest).not.toBe(null);
    expect(journal.head.recordNumber).toBe(1);
    journal.isUnwritable = false;
    await until('result');
    expect(kinds()[0]).toBe('roundOpened');
    expect(journal.read(1, 1)[0]?.event.kind).toBe('tableStarted');
    expect(table.standingFaults).toEqual([]);
  });

  it('at the start after a crash moves nothing, and the round is held once the start is written', async () => {
    const before = await openTable();
    await before.until('shaking');
    const { table, clock, journal, shaker, act, until } = await restarted(before, { isJournalUnwritable: true });
    await clock.advance(30_000);
    expect(await act({ kind: 'resume' })).toMatchObject({ kind: 'refused' });
    expect(shaker.motionCount).toBe(0);
    journal.isUnwritable = false;
    await until('held');
    expect(table.state.hold).toMatchObject({ cause: 'restarted' });
    await clock.advance(30_000);
    expect(shaker.motionCount).toBe(0);
  });

  it('stops the motor for a hold that cannot be written, and the round does not wait for ever', async () => {
    const { table, clock, journal, act, until, shaker } = await openTable();
    await until('shaking');
    await clock.advance(200);
    journal.isUnwritable = true;
    expect(await act({ kind: 'hold', reason: 'hand' })).toEqual({ kind: 'refused', cause: 'journal-unwritable' });
    expect(shaker.isShaking).toBe(false);
    journal.isUnwritable = false;
    await until('held');
    expect(table.state.round?.attempts[0]).toMatchObject({ failure: 'aborted' });
  });

  it('stops the motor for a hold also when the journal was known to be unwritable', async () => {
    const { clock, journal, act, until, shaker, lamps } = await openTable();
    await until('shaking');
    journal.isUnwritable = true;
    lamps.fail('simulated');
    shaker.tellFault('shaker.supply');
    await clock.advance(10);
    expect(shaker.isShaking).toBe(true);
    expect(await act({ kind: 'hold', reason: 'hand' })).toEqual({ kind: 'refused', cause: 'journal-unwritable' });
    expect(shaker.isShaking).toBe(false);
    journal.isUnwritable = false;
    await until('held');
  });

  it('gives the whole betting time to a round whose opening waited for the disk', async () => {
    const open = await openTable();
    await open.untilEvent('roundSettled');
    open.journal.isUnwritable = true;
    await open.clock.advance(30_000);
    open.journal.isUnwritable = false;
    expect(await timeFromTo('bettingOpened', 'bettingClosed', open)).toBe(2_000);
  });

  it('gives the whole review to a result that waited for the disk', async () => {
    const open = await openTable();
    await open.until('reading');
    open.journal.isUnwritable = true;
    await open.clock.advance(30_000);
    expect(open.table.state.phase).toBe('reading');
    open.journal.isUnwritable = false;
    expect(await timeFromTo('resultDeclared', 'roundSettled', open)).toBe(1_000);
  });

  it('forgets neither tamper nor a fault when devices flap for hours meanwhile', async () => {
    const { table, clock, journal, until, shaker, frames } = await openTable();
    await until('betting');
    journal.isUnwritable = true;
    for (let turn = 0; turn < 700; turn += 1) {
      shaker.plug(turn % 2 === 1);
      frames.setFault(turn % 2 === 0 ? { kind: 'silent' } : null);
      await clock.advance(6_000);
    }
    shaker.befall('tamper');
    await clock.advance(10);
    journal.isUnwritable = false;
    await clock.advance(10_000);
    expect(table.state.phase).toBe('locked');
    expect([...table.state.faults.keys()]).toEqual(table.standingFaults);
    expect(table.standingFaults).toEqual([]);
  }, 60_000);

  it('does not keep the table from stopping when the disk fails at that very moment', async () => {
    const { table, clock, journal, until, lamps, shaker } = await openTable();
    await until('result');
    journal.isUnwritable = true;
    let isStopped = false;
    void table.stop('SIGTERM').then(() => {
      isStopped = true;
    });
    await clock.advance(0);
    expect(isStopped).toBe(true);
    expect(lamps.shown.at(-1)).toEqual([]);
    expect(shaker.status.isOnline).toBe(false);
    journal.isUnwritable = false;
    const head = journal.head.recordNumber;
    await clock.advance(60_000);
    expect(journal.head.recordNumber).toBe(head);
  });
});

/** Real time between the next event of one kind and the one of another after it, ms: when they were written, not what they say. */
async function timeFromTo(from: string, to: string, { table, clock }: OpenTable): Promise<number> {
  const writtenAtMs = new Map<string, number>();
  table.onAppended((records) => {
    for (const { event } of records) {
      if (event.kind === to && !writtenAtMs.has(from)) continue;
      if (!writtenAtMs.has(event.kind)) writtenAtMs.set(event.kind, clock.now().monoMs);
    }
  });
  await clock.advanceUntil(() => writtenAtMs.has(to), 60_000);
  return (writtenAtMs.get(to) ?? 0) - (writtenAtMs.get(from) ?? 0);
}
