import { describe, expect, it } from 'vitest';
import { lampsFor } from '../../../src/core/round/lamps-for.ts';
import { accepted, dealer, playTo, refusedReading, supervisor, TablePlay } from './table-play.ts';

describe('a round in which the bets come first', () => {
  it('plays by itself from the start to the next round when nobody attends', () => {
    const table = new TablePlay();
    table.start();

    expect(table.state.timer).toMatchObject({ name: 'next-round', durationMs: 4_000 });
    expect(table.elapse()).toBe('roundOpened bettingOpened');
    expect(table.state.round?.roundId).toBe('T1-0a1b2c3d-000001');
    expect(table.state.timer).toMatchObject({ name: 'betting', durationMs: 20_000 });
    expect(table.elapse()).toBe('bettingClosed');
    expect(table.state.timer).toMatchObject({ name: 'no-more-bets', durationMs: 2_000 });
    expect(table.elapse()).toBe('shakeOrdered');
    expect(table.shaken(3, 1)).toBe('shakeFinished restWatchOrdered');
    expect(table.rested(3)).toBe('diceRested readOrdered');
    expect(table.read(accepted(2, 4, 5))).toBe('diceRead resultDeclared');
    expect(table.state.timer).toMatchObject({ name: 'review', durationMs: 5_000 });
    expect(table.elapse()).toBe('roundSettled nextRoundScheduled');
    expect(table.state.round).toMatchObject({ end: 'settled', result: { dice: [2, 4, 5], total: 11 } });
    expect(table.elapse()).toBe('roundOpened bettingOpened');
    expect(table.state.round?.roundId).toBe('T1-0a1b2c3d-000002');
  });

  it('orders the first shake with one activation and names round, shake and tumbles', () => {
    const table = playTo('shaking');

    expect(table.effects).toEqual([
      {
        kind: 'shake',
        orderNumber: 4,
        roundId: 'T1-0a1b2c3d-000001',
        shakeNumber: 1,
        activationCount: 1,
        tumblesMin: 3,
      },
    ]);
  });

  it('waits for the dealer to open and to shake when a dealer attends', () => {
    const table = new TablePlay({ isUnattended: false });
    expect(table.start()).toBe('tableStarted');
    expect(table.state.timer).toBe(null);
    expect(table.take({ kind: 'openRequested', by: dealer })).toBe('roundOpened bettingOpened');
    expect(table.elapse()).toBe('bettingClosed');
    expect(table.state.timer).toBe(null);
    expect(table.take({ kind: 'shakeRequested', by: dealer })).toBe('shakeOrdered');
    expect(table.lastEvent).toMatchObject({ by: { name: 'Dana', role: 'dealer' } });
  });

  it('refuses a shake while bets can still be placed', () => {
    expect(playTo('betting').take({ kind: 'shakeRequested', by: dealer })).toBe('refused wrong-phase');
  });

  it('lights the winning zones with the result, until the next round opens, and is dark before', () => {
    const table = new TablePlay();
    table.start();
    const lit: string[][] = [];
    const look = () => lit.push([...lampsFor(table.state)]);
    look();
    for (let step = 0; step < 3; step++) {
      table.elapse();
      look();
    }
    table.shaken();
    look();
    table.rested();
    look();
    table.read(accepted(2, 4, 5));
    look();
    table.elapse();
    look();
    table.elapse();
    look();
    const winners = ['macau:total-11', 'macau:single-2'];
    expect(lit).toEqual([[], [], [], [], [], [], winners, winners, []]);
  });

  it('sorts the dice lowest first, whatever order they were read in', () => {
    const table = playTo('reading');
    table.read(accepted(6, 1, 3));
    expect(table.lastEvent).toMatchObject({ dice: [1, 3, 6], total: 10, winningZones: ['macau:total-10', 'macau:single-1'] });
  });

  it('asks for the zones of the house with which the round opened, also when the house was changed meanwhile', () => {
    const table = playTo('reading');
    table.context = { ...table.context, houseId: 'live' };
    table.read(accepted(2, 4, 5));
    expect(table.lastEvent).toMatchObject({ winningZones: ['macau:total-11', 'macau:single-2'] });
  });
});

describe('a throw that does not count', () => {
  it('shakes again when the dice tumbled fewer than 3 times, without looking at them, and keeps the wagers', () => {
    const table = playTo('shaking');

    expect(table.shaken(2)).toBe('shakeFinished throwVoided shakeOrdered');

    expect(table.effects).toMatchObject([{ kind: 'shake', shakeNumber: 2, activationCount: 3 }]);
    expect(table.lastEvent).toMatchObject({ cause: 'too-few-tumbles', by: null });
    expect(table.state.round).toMatchObject({ end: null, isBettingClosed: true });
  });

  it('shakes again when the machine ran fewer activations than ordered', () => {
    const table = playTo('shaking');
    table.shaken(2);
    expect(table.shaken(3, 2)).toBe('shakeFinished throwVoided shakeOrdered');
    expect(table.shaken(3, 3)).toBe('shakeFinished restWatchOrdered');
  });

  it('shakes again when the picture does not show the tumbles that the firmware counted', () => {
    expect(playTo('settling').rested(2)).toBe('diceRested throwVoided shakeOrdered');
    expect(playTo('settling').rested(null)).toBe('diceRested throwVoided shakeOrdered');
  });

  it.each([
    'too-few-dice',
    'tilted',
    'overlapping',
    'out-of-tray',
    'moving',
    'glare',
    'layout',
    'readers-disagree',
    'low-contrast',
  ] as const)('shakes again when the reading says %s, or voids the round where the house does so', (cause) => {
    const reshaking = playTo('reading');
    expect(reshaking.read(refusedReading(cause))).toBe('diceRead throwVoided shakeOrdered');
    expect(reshaking.lastEvent).toMatchObject({ shakeNumber: 2, cause });

    const voiding = playTo('reading', { unreadableThrow: 'void' });
    expect(voiding.read(refusedReading(cause))).toBe('diceRead throwVoided roundVoided nextRoundScheduled');
    expect(voiding.state.round).toMatchObject({ end: 'voided', voidCause: 'unreadable-throw', result: null });
  });

  it('shakes again after a short shake also where the house voids unreadable throws', () => {
    expect(playTo('shaking', { unreadableThrow: 'void' }).shaken(2)).toBe('shakeFinished throwVoided shakeOrdered');
  });

  it.each(['foreign-object', 'too-many-dice'] as const)('never shakes with something in the tray: holds on %s', (cause) => {
    const table = playTo('reading', { unreadableThrow: 'void' });
    expect(table.read(refusedReading(cause))).toBe('diceRead throwVoided roundHeld');
    expect(table.effects).toEqual([]);
    expect(table.state.hold).toMatchObject({ cause: 'foreign-object', from: 'shaking' });
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed shakeOrdered');
  });

  it('holds and calls after the last allowed shake, and a person grants one more set', () => {
    const table = playTo('shaking');
    table.shaken(2);
    table.shaken(2);
    expect(table.shaken(2)).toBe('shakeFinished throwVoided roundHeld');
    expect(table.state.hold).toMatchObject({ cause: 'shakes-exhausted', from: 'shaking' });

    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed shakeOrdered');
    table.shaken(2);
    table.shaken(2);
    expect(table.shaken(2)).toBe('shakeFinished throwVoided roundHeld');
    expect(table.state.round?.attempts).toHaveLength(6);
  });
});

describe('dice at rest that cannot be looked at', () => {
  it.each(['scene-changed', 'bad-frame'] as const)('are read again on fresh frames after %s, then the table holds', (cause) => {
    const table = playTo('reading');
    expect(table.read(refusedReading(cause))).toBe('diceRead readOrdered');
    expect(table.lastEvent).toMatchObject({ attemptNumber: 2, shakeNumber: 1 });
    expect(table.read(refusedReading(cause))).toBe('diceRead roundHeld');
    expect(table.state.hold).toMatchObject({ cause: 'reads-exhausted', from: 'reading' });

    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed restWatchOrdered');
    expect(table.rested(0)).toBe('diceRested readOrdered');
    expect(table.read(accepted(1, 1, 1))).toBe('diceRead resultDeclared');
  });

  it('are watched again when the vision process died, then the table holds', () => {
    const table = playTo('settling');
    const fail = () => table.take({ kind: 'restFailed', orderNumber: table.pendingNumber, cause: 'vision-lost' });
    expect(fail()).toBe('restFailed restWatchOrdered');
    expect(fail()).toBe('restFailed roundHeld');
    expect(table.state.hold).toMatchObject({ cause: 'reads-exhausted', from: 'settling' });
  });

  it.each(['camera.frozen', 'camera.bad-picture', 'camera.scene-changed', 'camera.not-calibrated'] as const)(
    'give no result while %s stands, however sure the reading is',
    (fault) => {
      const table = playTo('reading');
      table.take({ kind: 'faultRaised', fault, detail: 'd' });
      expect(table.read(accepted(2, 4, 5))).toBe('readFailed readOrdered');
      expect(table.records.at(-2)?.event).toMatchObject({ cause: 'not-trusted' });
      table.take({ kind: 'faultCleared', fault });
      expect(table.read(accepted(2, 4, 5))).toBe('diceRead resultDeclared');
    },
  );

  it('give no result when the accepted values are not the dice that both readers saw', () => {
    const good = accepted(2, 4, 5);
    const [first, ...others] = good.dice;
    if (first === undefined) throw new Error('a reading has dice');
    const unsound = [
      { ...good, values: [2, 4, 6] as const },
      { ...good, values: null },
      { ...good, dice: others },
      { ...good, dice: [...good.dice, first] },
      { ...good, dice: [{ ...first, votes: { geometric: 2 as const, appearance: 3 as const } }, ...others] },
      { ...good, dice: [{ ...first, votes: { geometric: 2 as const, appearance: null } }, ...others] },
    ];
    for (const reading of unsound) expect(playTo('reading').read(reading)).toBe('readFailed readOrdered');
  });
});
