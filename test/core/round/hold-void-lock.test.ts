import { describe, expect, it } from 'vitest';
import { lampsFor } from '../../../src/core/round/lamps-for.ts';
import type { Person } from '../../../src/core/round/person.ts';
import { accepted, administrator, dealer, playTo, refusedReading, supervisor, technician } from './table-play.ts';

const hold = { kind: 'holdRequested', by: dealer, reason: 'spilled drink' } as const;
const resume = { kind: 'resumeRequested', by: supervisor } as const;

describe('a hold', () => {
  it('stops the betting countdown and goes on where it was', () => {
    const table = playTo('betting');
    table.wait(7_500);
    table.take(hold);
    expect(table.state.hold).toMatchObject({ cause: 'requested', detail: 'spilled drink', from: 'betting', remainingMs: 12_500 });
    expect(table.state.timer).toBe(null);
    table.wait(60_000);
    table.take(resume);
    expect(table.state.timer).toMatchObject({ name: 'betting', durationMs: 12_500 });
    expect(table.elapse()).toBe('bettingClosed');
  });

  it('stops the motor, and the dice that were in the air do not count', () => {
    const table = playTo('shaking');
    const asked = table.pendingNumber;
    expect(table.take(hold)).toBe('throwVoided roundHeld');
    expect(table.effects).toEqual([{ kind: 'stopShaker' }]);
    expect(table.take({ kind: 'shakeFailed', orderNumber: asked, cause: 'aborted' })).toBe('refused stale-answer');
    expect(table.take(resume)).toBe('roundResumed shakeOrdered');
    expect(table.lastEvent).toMatchObject({ shakeNumber: 2, cause: 'unknown-shake', by: { name: 'Sam' } });
  });

  it('while the dice settle has rest proven anew, and an answer from before is stale', () => {
    const table = playTo('settling');
    const asked = table.pendingNumber;
    table.take(hold);
    expect(table.take({ kind: 'diceRested', orderNumber: asked, motionBurstCount: 3 })).toBe('refused stale-answer');
    expect(table.take(resume)).toBe('roundResumed restWatchOrdered');
    expect(table.take({ kind: 'diceRested', orderNumber: asked, motionBurstCount: 3 })).toBe('refused stale-answer');
    expect(table.rested()).toBe('diceRested readOrdered');
  });

  it('in the review keeps result and lamps', () => {
    const table = playTo('result');
    table.wait(1_000);
    table.take(hold);
    expect(table.state.round?.result?.dice).toEqual([2, 4, 5]);
    expect([...lampsFor(table.state)]).toEqual(['macau:total-11', 'macau:single-2']);
    table.take(resume);
    expect(table.state.timer).toMatchObject({ name: 'review', durationMs: 4_000 });
    expect(table.elapse()).toBe('roundSettled nextRoundScheduled');
  });

  it('between rounds lets no round open until resumed', () => {
    const table = playTo('closed');
    table.take(hold);
    expect(table.state.timer).toBe(null);
    expect(table.take({ kind: 'openRequested', by: dealer })).toBe('refused wrong-phase');
    expect(table.take(resume)).toBe('tableResumed nextRoundScheduled');
  });
});

describe('a resume that comes late', () => {
  it('does not end another hold of the same round: what lies in the tray now was not looked at', () => {
    const table = playTo('reading');
    table.read(refusedReading('foreign-object'));
    expect(table.state.hold).toMatchObject({ cause: 'foreign-object', holdNumber: 1 });
    table.take({ ...resume, holdNumber: 1 });
    table.shaken();
    table.rested();
    table.read(refusedReading('foreign-object'));
    expect(table.state.hold).toMatchObject({ cause: 'foreign-object', holdNumber: 2 });
    expect(table.take({ ...resume, holdNumber: 1 })).toBe('refused stale-hold');
    expect(table.effects).toEqual([]);
    expect(table.take({ ...resume, holdNumber: 2 })).toBe('roundResumed shakeOrdered');
  });

  it('does not end another hold between rounds, also after a restart', () => {
    const table = playTo('closed');
    table.take(hold);
    table.take({ ...resume, holdNumber: 1 });
    table.take(hold);
    table.start('boot-2');
    expect(table.take({ ...resume, holdNumber: 1 })).toBe('refused stale-hold');
    expect(table.rebuilt().hold).toMatchObject({ holdNumber: 2 });
    expect(table.take({ ...resume, holdNumber: 2 })).toBe('tableResumed nextRoundScheduled');
  });
});

describe('who may do what', () => {
  const acts = {
    open: () => playTo('closed', { isUnattended: false }),
    close: () => playTo('betting'),
    shake: () => playTo('no-more-bets'),
    hold: () => playTo('betting'),
  };
  const facts = {
    open: { kind: 'openRequested' },
    close: { kind: 'closeBettingRequested' },
    shake: { kind: 'shakeRequested' },
    hold: { kind: 'holdRequested', reason: 'r' },
  } as const;

  it.each(['open', 'close', 'shake', 'hold'] as const)(
    'dealer and supervisor may %s, technician and administrator may not',
    (name) => {
      const outcomeFor = (by: Person) => acts[name]().take({ ...facts[name], by });
      expect(outcomeFor(dealer)).not.toContain('refused');
      expect(outcomeFor(supervisor)).not.toContain('refused');
      expect(outcomeFor(technician)).toBe('refused not-allowed');
      expect(outcomeFor(administrator)).toBe('refused not-allowed');
    },
  );

  it('only a supervisor may resume', () => {
    const table = playTo('betting');
    table.take(hold);
    for (const by of [dealer, technician, administrator])
      expect(table.take({ kind: 'resumeRequested', by })).toBe('refused not-allowed');
    expect(table.take(resume)).toBe('roundResumed');
  });

  it('a supervisor alone may void before faces were read', () => {
    const table = playTo('reading');
    expect(table.take({ kind: 'voidRequested', by: dealer, second: supervisor, reason: 'r' })).toBe('refused not-allowed');
    expect(table.take({ kind: 'voidRequested', by: supervisor, second: null, reason: 'r' })).toBe(
      'roundVoided nextRoundScheduled',
    );
    expect(lampsFor(table.state).size).toBe(0);
  });

  it('after faces were read a void needs two different persons, one a supervisor, and keeps the reading', () => {
    const table = playTo('result');
    const voidBy = (by: Person, second: Person | null) => table.take({ kind: 'voidRequested', by, second, reason: 'dispute' });
    expect(voidBy(supervisor, null)).toBe('refused second-person-needed');
    expect(voidBy(supervisor, supervisor)).toBe('refused second-person-needed');
    expect(voidBy(supervisor, { name: ' sam ', role: 'dealer' })).toBe('refused second-person-needed');
    expect(voidBy(dealer, { name: 'Dora', role: 'dealer' })).toBe('refused second-person-needed');
    expect(voidBy(supervisor, technician)).toBe('refused second-person-needed');
    expect(voidBy(dealer, supervisor)).toBe('roundVoided nextRoundScheduled');
    expect(table.state.round).toMatchObject({ end: 'voided', result: { dice: [2, 4, 5] } });
    expect(table.state.round?.attempts[0]?.reading?.values).toEqual([2, 4, 5]);
    expect(lampsFor(table.state).size).toBe(0);
  });

  it('a page that shows another round cannot act', () => {
    const table = playTo('betting');
    expect(table.take({ kind: 'closeBettingRequested', by: dealer, roundId: 'T1-0a1b2c3d-000009' })).toBe('refused stale-round');
    expect(table.take({ kind: 'closeBettingRequested', by: dealer, roundId: null })).toBe('refused stale-round');
    expect(playTo('closed').take({ kind: 'openRequested', by: dealer, roundId: null })).toBe('roundOpened bettingOpened');
  });
});

describe('a fault lock', () => {
  const unlock = (by: Person, second: Person | null) =>
    ({ kind: 'unlockRequested', by, second, reason: 'seal checked' }) as const;

  it('by tamper voids the round, stops the motor and survives a restart', () => {
    const table = playTo('shaking');
    expect(table.take({ kind: 'tamperSensed', detail: 'case' })).toBe('roundVoided tableLocked');
    expect(table.effects).toEqual([{ kind: 'stopShaker' }]);
    expect(table.start('boot-2')).toBe('tableStarted');
    expect(table.state).toMatchObject({ phase: 'locked', lock: { cause: 'tamper: case' }, timer: null });
    expect(table.take({ kind: 'openRequested', by: dealer })).toBe('refused locked');
  });

  it('by tamper told in the answer to a shake voids the round too', () => {
    const table = playTo('shaking');
    const fact = { kind: 'shakeFailed', orderNumber: table.pendingNumber, cause: 'tamper' } as const;
    expect(table.take(fact)).toBe('shakeFailed roundVoided tableLocked');
    expect(table.state.round?.voidCause).toBe('locked');
  });

  it('after faces were read lets the round end with its result first', () => {
    const table = playTo('result');
    expect(table.take({ kind: 'tamperSensed', detail: 'case' })).toBe('tableLocked');
    expect(table.state.phase).toBe('result');
    expect(table.elapse()).toBe('roundSettled');
    expect(table.state).toMatchObject({ phase: 'locked', round: { end: 'settled' }, timer: null });
    expect(lampsFor(table.state).size).toBe(2);
  });

  it('under a held result lets a supervisor go on to the end', () => {
    const table = playTo('result');
    table.take(hold);
    table.take({ kind: 'tamperSensed', detail: 'case' });
    expect(table.take(resume)).toBe('roundResumed');
    expect(table.elapse()).toBe('roundSettled');
    expect(table.state.phase).toBe('locked');
  });

  it('is cleared by a technician and a supervisor only, in either order', () => {
    const table = playTo('closed');
    table.take({ kind: 'tamperSensed', detail: 'case' });
    expect(table.take(unlock(dealer, supervisor))).toBe('refused not-allowed');
    expect(table.take(unlock(supervisor, null))).toBe('refused second-person-needed');
    expect(table.take(unlock(supervisor, dealer))).toBe('refused second-person-needed');
    expect(table.take(unlock(supervisor, { name: 'Sam', role: 'technician' }))).toBe('refused second-person-needed');
    expect(table.take(unlock(supervisor, technician))).toBe('tableUnlocked nextRoundScheduled');
  });
});

describe('a shake that fails', () => {
  it.each([
    ['link-lost', 'shaker-lost'],
    ['rebooted', 'shaker-reset'],
    ['jammed', 'shaker-jammed'],
    ['no-answer', 'shaker-no-answer'],
    ['refused', 'shaker-refused'],
    ['supply', 'shaker-supply'],
  ] as const)('by %s voids the round as %s, and no reading is taken from it', (cause, voidCause) => {
    const table = playTo('shaking');
    const fact = { kind: 'shakeFailed', orderNumber: table.pendingNumber, cause } as const;
    expect(table.take(fact)).toBe('shakeFailed roundVoided nextRoundScheduled');
    expect(table.state.round).toMatchObject({ voidCause, attempts: [{ failure: cause, reading: null }] });
    expect(table.take(fact)).toBe('refused stale-answer');
  });

  it.each(['lid-open', 'aborted'] as const)('by %s voids the throw and holds', (cause) => {
    const table = playTo('shaking');
    expect(table.take({ kind: 'shakeFailed', orderNumber: table.pendingNumber, cause })).toBe(
      'shakeFailed throwVoided roundHeld',
    );
    expect(table.state.hold).toMatchObject({ cause: cause === 'aborted' ? 'fault' : 'lid-open', from: 'shaking' });
  });

  it('gives no second result when the same reading comes twice', () => {
    const table = playTo('reading');
    const fact = { kind: 'diceRead', orderNumber: table.pendingNumber, reading: accepted(2, 4, 5) } as const;
    expect(table.take(fact)).toBe('diceRead resultDeclared');
    expect(table.take(fact)).toBe('refused stale-answer');
  });
});
