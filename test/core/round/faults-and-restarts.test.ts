import { describe, expect, it } from 'vitest';
import type { FaultCode } from '../../../src/core/round/faults.ts';
import { accepted, dealer, playTo, supervisor, TablePlay } from './table-play.ts';

const blocking: readonly FaultCode[] = [
  'shaker.offline',
  'shaker.wrong-device',
  'shaker.jammed',
  'shaker.lid-open',
  'shaker.supply',
  'camera.offline',
  'camera.frozen',
  'camera.bad-picture',
  'camera.scene-changed',
  'camera.not-calibrated',
  'vision.down',
  'journal.unwritable',
];
const degrading: readonly FaultCode[] = ['lamps.offline', 'lamps.degraded', 'clock.not-synchronised', 'journal.slow', 'disk.low'];

const raise = (table: TablePlay, fault: FaultCode) => table.take({ kind: 'faultRaised', fault, detail: 'd' });
const clear = (table: TablePlay, fault: FaultCode) => table.take({ kind: 'faultCleared', fault });

describe('a standing fault', () => {
  it.each(blocking)('%s lets no round open, and unattended play goes on by itself when it is over', (fault) => {
    const table = playTo('closed');
    raise(table, fault);
    expect(table.state.timer).toBe(null);
    expect(table.take({ kind: 'openRequested', by: dealer })).toBe('refused blocked-by-fault');
    expect(clear(table, fault)).toBe('faultCleared nextRoundScheduled');
    expect(table.elapse()).toBe('roundOpened bettingOpened');
  });

  it.each(blocking)('%s raised in betting does not stop the countdown, but no shake starts', (fault) => {
    const table = playTo('betting');
    raise(table, fault);
    expect(table.elapse()).toBe('bettingClosed');
    expect(table.take({ kind: 'shakeRequested', by: dealer })).toBe('refused blocked-by-fault');
    expect(table.elapse()).toBe('roundHeld');
    expect(table.effects).toEqual([]);
    expect(table.state.hold).toMatchObject({ cause: 'fault', detail: fault, from: 'no-more-bets' });
    clear(table, fault);
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed');
    expect(table.elapse()).toBe('shakeOrdered');
  });

  it.each(degrading)('%s leaves the game going on', (fault) => {
    const table = playTo('closed');
    raise(table, fault);
    expect(table.elapse()).toBe('roundOpened bettingOpened');
    table.elapse();
    expect(table.elapse()).toBe('shakeOrdered');
  });

  it('waits until the last of several faults is over', () => {
    const table = playTo('closed');
    raise(table, 'vision.down');
    raise(table, 'camera.offline');
    expect(clear(table, 'vision.down')).toBe('faultCleared');
    expect(clear(table, 'camera.offline')).toBe('faultCleared nextRoundScheduled');
  });

  it('holds instead of a re-shake, and the resume is refused while it stands', () => {
    const table = playTo('shaking');
    raise(table, 'shaker.lid-open');
    expect(table.shaken(2)).toBe('shakeFinished throwVoided roundHeld');
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('refused blocked-by-fault');
    clear(table, 'shaker.lid-open');
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed shakeOrdered');
  });

  it('is written down once, however often it is reported', () => {
    const table = playTo('betting');
    raise(table, 'camera.offline');
    expect(raise(table, 'camera.offline')).toBe('refused unchanged');
  });
});

describe('the cap on unattended rounds', () => {
  const playRound = (table: TablePlay) => {
    table.elapse();
    table.take({ kind: 'voidRequested', by: supervisor, second: null, reason: 'r' });
  };

  it('makes the next round wait until the hour has room, and refuses a dealer until then', () => {
    const table = new TablePlay({ roundsPerHourMax: 2 });
    table.start();
    playRound(table);
    table.wait(10_000);
    playRound(table);
    // Openings at 4 s and at 14 s; now it is 14 s: the first leaves the hour at 3,604 s.
    expect(table.state.timer).toMatchObject({ name: 'next-round', durationMs: 3_590_000 });
    expect(table.take({ kind: 'openRequested', by: dealer })).toBe('refused cap-reached');
    expect(table.elapse()).toBe('roundOpened bettingOpened');
  });

  it('survives a restart and a wall clock that was set back', () => {
    const table = new TablePlay({ roundsPerHourMax: 1 });
    table.start();
    playRound(table);
    table.at = { wallMs: table.at.wallMs - 86_400_000, monoMs: 0 };
    table.start('boot-2');
    expect(table.state.timer).toMatchObject({ name: 'next-round', durationMs: 3_600_000 });
  });

  it('remembers no more openings than the largest cap needs', () => {
    const table = new TablePlay({ isUnattended: false });
    table.start();
    for (let round = 0; round < 3_650; round++) {
      table.take({ kind: 'openRequested', by: dealer });
      table.take({ kind: 'voidRequested', by: supervisor, second: null, reason: 'r' });
    }
    expect(table.state.roundCount).toBe(3_650);
    expect(table.state.recentOpeningsMs).toHaveLength(3_600);
  });

  it('does not bind a table with a dealer', () => {
    const table = new TablePlay({ roundsPerHourMax: 1, isUnattended: false });
    table.start();
    for (let round = 0; round < 3; round++) {
      expect(table.take({ kind: 'openRequested', by: dealer })).toBe('roundOpened bettingOpened');
      table.take({ kind: 'voidRequested', by: supervisor, second: null, reason: 'r' });
    }
  });
});

function changeHouseFile(table: TablePlay): void {
  table.context = { ...table.context, houseSha256: (houseId) => `other file of ${houseId}` };
}

describe('a restart', () => {
  it('voids a round before its shake, because bets were taken and nobody knows what was seen', () => {
    for (const stage of ['betting', 'no-more-bets'] as const) {
      const table = playTo(stage);
      expect(table.start('boot-2')).toBe('tableStarted roundVoided nextRoundScheduled');
      expect(table.state.round).toMatchObject({ end: 'voided', voidCause: 'restarted' });
    }
  });

  it('in a shake holds; the throw is unknown, and only a person orders a new one', () => {
    const table = playTo('shaking');
    const asked = table.pendingNumber;
    table.start('boot-2');
    expect(table.effects).toEqual([{ kind: 'stopShaker' }]);
    expect(table.state).toMatchObject({ phase: 'held', hold: { cause: 'restarted', from: 'shaking' } });
    const late = { tumbleCount: 3, activationCount: 3, isSettled: true };
    expect(table.take({ kind: 'shakeFinished', orderNumber: asked, ...late })).toBe('refused stale-answer');
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed shakeOrdered');
    expect(table.lastEvent).toMatchObject({ shakeNumber: 2, cause: 'unknown-shake' });
  });

  it('while reading holds; a resume proves rest anew and reads the same throw', () => {
    const table = playTo('reading');
    table.start('boot-2');
    expect(table.state).toMatchObject({ phase: 'held', hold: { cause: 'restarted', from: 'reading' } });
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed restWatchOrdered');
    expect(table.rested(0)).toBe('diceRested readOrdered');
    expect(table.read(accepted(3, 3, 3))).toBe('diceRead resultDeclared');
  });

  it('while settling holds; tumbles that nobody saw to the end are not proven, so the throw is repeated', () => {
    const table = playTo('settling');
    table.start('boot-2');
    table.take({ kind: 'resumeRequested', by: supervisor });
    expect(table.rested(0)).toBe('diceRested throwVoided shakeOrdered');
  });

  it.each(['betting', 'no-more-bets', 'shaking', 'settling', 'reading'] as const)(
    'in %s voids the round when the file of its house was changed, because players saw other prices',
    (stage) => {
      const table = playTo(stage);
      changeHouseFile(table);
      expect(table.start('boot-2')).toBe('tableStarted roundVoided nextRoundScheduled');
      expect(table.state.round).toMatchObject({ voidCause: 'house-changed', houseSha256: 'file of macau' });
      table.take({ kind: 'openRequested', by: dealer });
      expect(table.state.round).toMatchObject({ houseSha256: 'other file of macau' });
    },
  );

  it('voids a held round too when the file of its house was changed', () => {
    const table = playTo('reading');
    table.take({ kind: 'holdRequested', by: dealer, reason: 'r' });
    changeHouseFile(table);
    expect(table.start('boot-2')).toBe('tableStarted roundVoided nextRoundScheduled');
  });

  it('with a result changes nothing when the file of its house was changed: what won is in its record', () => {
    const table = playTo('result');
    changeHouseFile(table);
    expect(table.start('boot-2')).toBe('tableStarted');
    table.take({ kind: 'holdRequested', by: dealer, reason: 'r' });
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed');
    expect(table.state.round?.result?.winningZones).toEqual(['macau:total-11', 'macau:single-2']);
    expect(table.elapse()).toBe('roundSettled nextRoundScheduled');
  });

  it('with a result shows it again, gives the review its full time and settles once', () => {
    const table = playTo('result');
    table.wait(4_000);
    table.at = { wallMs: table.at.wallMs + 30_000, monoMs: 50 };
    expect(table.start('boot-2')).toBe('tableStarted');
    expect(table.lastEvent).toMatchObject({ isAfterCrash: true });
    expect(table.state.timer).toMatchObject({ name: 'review', durationMs: 5_000, startedAt: { monoMs: 50 } });
    expect(table.elapse()).toBe('roundSettled nextRoundScheduled');
  });

  it('keeps a hold and the time that was left', () => {
    const table = playTo('betting');
    table.wait(5_000);
    table.take({ kind: 'holdRequested', by: dealer, reason: 'r' });
    table.at = { wallMs: table.at.wallMs + 60_000, monoMs: 0 };
    expect(table.start('boot-2')).toBe('tableStarted');
    table.take({ kind: 'resumeRequested', by: supervisor });
    expect(table.state.timer).toMatchObject({ name: 'betting', durationMs: 15_000 });
  });

  it('forgets what devices reported, since they report again', () => {
    const table = playTo('closed');
    raise(table, 'camera.offline');
    table.start('boot-2');
    expect(table.state.faults.size).toBe(0);
  });

  it('goes on above the last order that the shaker knows, so that a new journal does not repeat old numbers', () => {
    const table = playTo('closed');
    expect(table.take({ kind: 'ordersSeen', orderNumber: 5_000 })).toBe('ordersSeen');
    table.elapse();
    expect(table.state.timer?.orderNumber).toBe(5_001);
    expect(table.take({ kind: 'ordersSeen', orderNumber: 5_000 })).toBe('refused unchanged');
  });

  it.each([1_000_000_000, 2_147_483_647, Number.NaN])(
    'does not go on above order %d, which no shaker of this table can know: it would spoil the numbers for ever',
    (orderNumber) => {
      const table = playTo('closed');
      expect(table.take({ kind: 'ordersSeen', orderNumber })).toBe('refused order-jump');
      expect(table.state.orderCount).toBe(1);
    },
  );

  it('goes on above an order of six years of play, and not above one more', () => {
    const table = playTo('closed');
    expect(table.take({ kind: 'ordersSeen', orderNumber: 100_000_002 })).toBe('refused order-jump');
    expect(table.take({ kind: 'ordersSeen', orderNumber: 100_000_001 })).toBe('ordersSeen');
  });

  it('of a process that has started already is refused', () => {
    expect(playTo('closed').start('boot-1')).toBe('refused unchanged');
  });
});

describe('an orderly stop', () => {
  const stop = { kind: 'tableStopping', signal: 'SIGTERM' } as const;

  it('voids a round before its shake', () => {
    const table = playTo('no-more-bets');
    expect(table.take(stop)).toBe('roundVoided tableStopped');
    expect(table.state.round?.voidCause).toBe('stopped');
  });

  it('stops a running shake and holds', () => {
    const table = playTo('shaking');
    expect(table.take(stop)).toBe('throwVoided roundHeld tableStopped');
    expect(table.effects).toEqual([{ kind: 'stopShaker' }]);
    expect(table.start('boot-2')).toBe('tableStarted');
    expect(table.lastEvent).toMatchObject({ isAfterCrash: false });
    expect(table.state.hold).toMatchObject({ cause: 'stopping', from: 'shaking' });
  });

  it('leaves a result, which settles after the start', () => {
    const table = playTo('result');
    expect(table.take(stop)).toBe('tableStopped');
    expect(table.take({ kind: 'timerElapsed', timer: 'review', orderNumber: 7 })).toBe('refused stopping');
    table.start('boot-2');
    expect(table.elapse()).toBe('roundSettled nextRoundScheduled');
  });
});
