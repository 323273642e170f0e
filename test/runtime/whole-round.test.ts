import { describe, expect, it } from 'vitest';
import { dealer, openTable, restarted, supervisor } from './open-table.ts';

const goodRound = [
  'roundOpened',
  'bettingOpened',
  'bettingClosed',
  'shakeOrdered',
  'shakeFinished',
  'restWatchOrdered',
  'diceRested',
  'readOrdered',
  'diceRead',
  'resultDeclared',
];

describe('a whole table on simulated devices', () => {
  it('plays a good round by itself and lights the winners', async () => {
    const { table, lamps, evidence, until, kinds, untilEvent } = await openTable({ throws: [[6, 1, 3]] });
    await until('result');
    expect(kinds()).toEqual(goodRound);
    expect(table.state.round?.result).toMatchObject({ dice: [1, 3, 6], total: 10 });
    expect([...lamps.status.lit]).toEqual(table.state.round?.result?.winningZones);
    expect(lamps.status.lit.size).toBeGreaterThan(3);
    expect(evidence.pictures.size).toBe(1);
    await untilEvent('roundSettled');
    await untilEvent('bettingOpened');
    expect(lamps.status.lit.size).toBe(0);
  });

  it('declares the result one fresh picture after rest, read from the pictures that proved it', async () => {
    const { journal, until } = await openTable({ throws: [[6, 1, 3]] });
    await until('result');
    const records = journal.read(0, 1_000);
    const atMs = (kind: string) => records.find(({ event }) => event.kind === kind)?.at.monoMs ?? Number.NaN;
    expect(atMs('resultDeclared') - atMs('diceRested')).toBeLessThanOrEqual(1_000 / 30 + 1);
  });

  it('shakes again when the dice tumbled fewer than 3 times, and keeps the wagers', async () => {
    const { table, until, kinds, shaker } = await openTable({
      shakes: [{ tumbles: 2 }],
      throws: [
        [1, 1, 1],
        [2, 3, 4],
      ],
    });
    await until('result');
    expect(table.state.round?.result?.dice).toEqual([2, 3, 4]);
    expect(kinds().slice(2, 7)).toEqual(['bettingClosed', 'shakeOrdered', 'shakeFinished', 'throwVoided', 'shakeOrdered']);
    expect(shaker.motionCount).toBe(2);
  });

  it('shakes again when a die leans, in the same round', async () => {
    const { table, until, kinds } = await openTable({ throws: ['tilted', [2, 3, 4]] });
    await until('result');
    expect(table.state.round?.result?.dice).toEqual([2, 3, 4]);
    expect(kinds().filter((kind) => kind === 'roundOpened' || kind === 'bettingClosed')).toHaveLength(2);
    expect(kinds().filter((kind) => kind === 'shakeOrdered')).toHaveLength(2);
  });

  it('holds on a foreign object, and shakes only after a supervisor resumed', async () => {
    const { table, until, act, shaker } = await openTable({ throws: ['foreign-object', [2, 3, 4]] });
    await until('held');
    expect(shaker.motionCount).toBe(1);
    expect(await act({ kind: 'resume', by: dealer })).toEqual({ kind: 'refused', cause: 'not-allowed' });
    expect(await act({ kind: 'resume', by: supervisor })).toEqual({ kind: 'done' });
    await until('result');
    expect(table.state.round?.result?.dice).toEqual([2, 3, 4]);
  });

  it('goes on with the time that was left when betting was held', async () => {
    const { table, clock, until, act } = await openTable();
    await until('betting');
    await clock.advance(500);
    await act({ kind: 'hold', reason: 'dispute' });
    await clock.advance(60_000);
    await act({ kind: 'resume' });
    expect(table.state.phase).toBe('betting');
    expect(table.remainingMs()).toBe(1_500);
    await until('result');
  });

  it('stops the motor when a shake is held, and shakes anew when it is resumed', async () => {
    const { table, clock, until, act, kinds } = await openTable();
    await until('shaking');
    await clock.advance(200);
    await act({ kind: 'hold', reason: 'hand' });
    await clock.advance(10_000);
    expect(table.state.phase).toBe('held');
    await act({ kind: 'resume' });
    await until('result');
    expect(kinds()).toEqual([...goodRound.slice(0, 4), 'throwVoided', 'roundHeld', 'roundResumed', ...goodRound.slice(3)]);
  });

  it('voids a round with one supervisor before faces were read and with two persons after', async () => {
    const { table, until, act, lamps } = await openTable();
    await until('shaking');
    expect(await act({ kind: 'void', reason: 'fire alarm', second: null })).toEqual({ kind: 'done' });
    expect(table.state.round).toMatchObject({ end: 'voided', result: null });
    await until('result');
    expect(await act({ kind: 'void', reason: 'dispute', second: null })).toEqual({
      kind: 'refused',
      cause: 'second-person-needed',
    });
    expect(await act({ kind: 'void', reason: 'dispute', second: dealer })).toEqual({ kind: 'done' });
    expect(table.state.round).toMatchObject({ end: 'voided', result: { dice: [2, 4, 5] } });
    expect(lamps.status.lit.size).toBe(0);
  });

  it('voids the round when the link is lost in the shake, and plays on when it is back', async () => {
    const { table, until, untilEvent, shaker } = await openTable({ shakes: [{ fails: 'link-lost' }] });
    await untilEvent('roundVoided');
    expect(table.state.round).toMatchObject({ end: 'voided', voidCause: 'shaker-lost' });
    expect(shaker.motionCount).toBe(1);
    await until('result', 60_000);
    expect(table.state.round?.roundNumber).toBe(2);
  });

  it('reads again when the vision process died and came back', async () => {
    const { table, until, untilEvent, reader, kinds } = await openTable();
    await until('reading');
    reader.kill();
    await untilEvent('readFailed');
    reader.revive();
    await until('result');
    expect(table.state.round?.result?.dice).toEqual([2, 4, 5]);
    expect(kinds().filter((kind) => kind === 'shakeOrdered')).toHaveLength(1);
  });

  it('holds when the camera freezes over the resting dice, and goes on when it lives', async () => {
    const { table, until, frames, act, clock } = await openTable();
    await until('settling');
    frames.setFault({ kind: 'frozen' });
    await until('held');
    expect(table.state.hold?.cause).toBe('reads-exhausted');
    frames.setFault(null);
    await clock.advance(10_000);
    await act({ kind: 'resume' });
    await until('result');
    expect(table.state.round?.attempts).toHaveLength(1);
  });

  it('plays shake-first: shake under the cover, bets, uncover, read', async () => {
    const { kinds, until, evidence, reader } = await openTable({ play: { orderOfPlay: 'shake-first' } });
    await until('betting');
    const looked = reader.counters.frames;
    await until('uncovering');
    expect(reader.counters.frames).toBe(looked);
    expect(evidence.pictures.size).toBe(0);
    await until('result');
    expect(kinds()).toEqual([
      'roundOpened',
      'coverOrdered',
      'coverMoved',
      'shakeOrdered',
      'shakeFinished',
      'bettingOpened',
      'bettingClosed',
      'coverOrdered',
      'coverMoved',
      'restWatchOrdered',
      'diceRested',
      'readOrdered',
      'diceRead',
      'resultDeclared',
    ]);
  });

  it('waits for the dealer in attended play', async () => {
    const { table, clock, act, until } = await openTable({ play: { isUnattended: false } });
    await clock.advance(60_000);
    expect(table.state.phase).toBe('closed');
    await act({ kind: 'open', by: dealer });
    await until('no-more-bets');
    await clock.advance(60_000);
    expect(table.state.phase).toBe('no-more-bets');
    await act({ kind: 'shake', by: dealer });
    await until('result');
  });

  it('lets one of two simultaneous openings open a round', async () => {
    const { table, act } = await openTable({ play: { isUnattended: false } });
    const outcomes = await Promise.all([act({ kind: 'open', roundId: null }), act({ kind: 'open', roundId: null, by: dealer })]);
    expect(outcomes).toEqual([{ kind: 'done' }, { kind: 'refused', cause: 'stale-round' }]);
    expect(table.state.roundCount).toBe(1);
  });
});

describe('a restart', () => {
  it.each(['betting', 'no-more-bets'] as const)('in %s voids the round', async (phase) => {
    const before = await openTable();
    await before.until(phase);
    const { roundId } = before.table.state.round ?? {};
    const after = await restarted(before);
    expect(after.table.state.round).toMatchObject({ roundId, end: 'voided', voidCause: 'restarted' });
    await after.until('result');
    expect(after.table.state.round?.roundNumber).toBe(2);
  });

  it.each(['shaking', 'settling', 'reading'] as const)('in %s holds, moves nothing, and goes on by an act', async (phase) => {
    const before = await openTable({ throws: [[1, 1, 2]] });
    await before.until(phase);
    const after = await restarted(before, { throws: [[3, 3, 4]] });
    await after.clock.advance(600_000);
    expect(after.table.state).toMatchObject({ phase: 'held', hold: { cause: 'restarted' } });
    expect(after.shaker.motionCount).toBe(0);
    await after.act({ kind: 'resume' });
    await after.until('result');
    expect(after.table.state.round?.roundId).toBe(before.table.state.round?.roundId);
    // After the start nobody has seen this boot's pictures tumble: only a throw whose rest was recorded before is read.
    expect(after.table.state.round?.result?.dice).toEqual(phase === 'reading' ? [1, 1, 2] : [3, 3, 4]);
  });

  it('in the review shows the same result, and ends the round once', async () => {
    const before = await openTable();
    await before.until('result');
    const after = await restarted(before);
    expect(after.table.state).toMatchObject({ phase: 'result', round: { result: { dice: [2, 4, 5] } } });
    expect(after.lamps.shown[0]).toEqual([...(before.table.state.round?.result?.winningZones ?? [])].sort());
    expect(after.table.remainingMs()).toBe(900);
    await after.untilEvent('roundSettled');
    const again = await restarted(after);
    await again.until('betting');
    const ends = again.events().filter(({ kind }) => kind === 'roundSettled');
    expect(ends).toHaveLength(1);
  });
});

describe('a journal that cannot be written', () => {
  it.each(['betting', 'shaking', 'settling', 'reading', 'result'] as const)(
    'in %s lets nothing out and play goes on when it can',
    async (phase) => {
      const { table, clock, journal, until, untilEvent, lamps } = await openTable();
      await until(phase);
      const { roundId } = table.state.round ?? {};
      const head = journal.head.recordNumber;
      journal.isUnwritable = true;
      await clock.advance(20_000);
      expect(journal.head.recordNumber).toBe(head);
      expect(table.state.phase).toBe(phase);
      if (phase !== 'result') expect(lamps.status.lit.size).toBe(0);
      expect(table.standingFaults).toContain('journal.unwritable');
      journal.isUnwritable = false;
      await untilEvent('roundSettled', 60_000);
      expect(table.state.round).toMatchObject({ roundId, end: 'settled' });
    },
  );
});
