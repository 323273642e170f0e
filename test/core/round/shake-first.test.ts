import { describe, expect, it } from 'vitest';
import { lampsFor } from '../../../src/core/round/lamps-for.ts';
import { accepted, dealer, playCoveredTo, refusedReading, supervisor, TablePlay } from './table-play.ts';

describe('a round in which the dice are thrown first, under a cover', () => {
  it('closes the cover, shakes, takes bets, uncovers and reads', () => {
    const table = new TablePlay({ orderOfPlay: 'shake-first' });
    table.start();

    expect(table.elapse()).toBe('roundOpened coverOrdered');
    expect(table.effects).toMatchObject([{ kind: 'moveCover', position: 'closed' }]);
    expect(table.cover('closed')).toBe('coverMoved shakeOrdered');
    expect(table.shaken()).toBe('shakeFinished bettingOpened');
    expect(table.state.phase).toBe('betting');
    expect(table.elapse()).toBe('bettingClosed');
    expect(table.elapse()).toBe('coverOrdered');
    expect(table.state.phase).toBe('uncovering');
    expect(table.effects).toMatchObject([{ kind: 'moveCover', position: 'open' }]);
    expect(table.cover('open')).toBe('coverMoved restWatchOrdered');
    expect(table.rested(null)).toBe('diceRested readOrdered');
    expect(table.read(accepted(1, 1, 6))).toBe('diceRead resultDeclared');
    expect([...lampsFor(table.state)]).toEqual(['macau:total-8', 'macau:single-1']);
  });

  it('orders no picture of the dice before betting is closed and the cover is open', () => {
    const table = playCoveredTo('uncovering');
    const looks = table.kinds.filter((kind) => kind === 'restWatchOrdered' || kind === 'readOrdered');
    expect(looks).toEqual([]);
  });

  it('does not move a cover that is known to be closed', () => {
    const table = new TablePlay({ orderOfPlay: 'shake-first' });
    table.start();
    table.take({ kind: 'coverSensed', position: 'closed' });
    expect(table.elapse()).toBe('roundOpened shakeOrdered');
  });

  it('shakes again when the sensor did not see the dice settle, before any bet', () => {
    const table = playCoveredTo('shaking', { unreadableThrow: 'void' });
    expect(table.shaken(3, 3, false)).toBe('shakeFinished throwVoided shakeOrdered');
    expect(table.lastEvent).toMatchObject({ cause: 'not-settled', shakeNumber: 2 });
  });

  it('shakes again when the cover opened during the shake', () => {
    const table = playCoveredTo('shaking');
    table.take({ kind: 'coverSensed', position: 'open' });
    expect(table.shaken()).toBe('shakeFinished throwVoided coverOrdered');
    expect(table.effects).toMatchObject([{ kind: 'moveCover', position: 'closed' }]);
  });

  it('covers, shakes and uncovers again after an unreadable throw, without new bets', () => {
    const table = playCoveredTo('reading');

    expect(table.read(refusedReading('tilted'))).toBe('diceRead throwVoided coverOrdered');
    expect(table.cover('closed')).toBe('coverMoved shakeOrdered');
    expect(table.effects).toMatchObject([{ kind: 'shake', shakeNumber: 2, activationCount: 3 }]);
    expect(table.lastEvent).toMatchObject({ cause: 'tilted' });
    expect(table.shaken()).toBe('shakeFinished coverOrdered');
    expect(table.cover('open')).toBe('coverMoved restWatchOrdered');
    expect(table.kinds.filter((kind) => kind === 'bettingOpened')).toHaveLength(1);
  });

  it('voids the round where the house does so with an unreadable throw', () => {
    const table = playCoveredTo('reading', { unreadableThrow: 'void' });
    expect(table.read(refusedReading('overlapping'))).toBe('diceRead throwVoided roundVoided nextRoundScheduled');
  });

  it('voids the round when the cover opens while bets can be placed, also under a hold', () => {
    const table = playCoveredTo('betting');
    expect(table.take({ kind: 'coverSensed', position: 'open' })).toBe('coverSensed roundVoided nextRoundScheduled');
    expect(table.state.round?.voidCause).toBe('cover-opened');

    const held = playCoveredTo('betting');
    held.take({ kind: 'holdRequested', by: dealer, reason: 'r' });
    expect(held.take({ kind: 'coverSensed', position: 'open' })).toBe('coverSensed roundVoided nextRoundScheduled');
  });

  it('holds when the cover does not obey, and tries again on resume', () => {
    const table = playCoveredTo('uncovering');
    expect(table.cover('closed')).toBe('coverMoved roundHeld');
    expect(table.state.hold).toMatchObject({ cause: 'cover-failed', from: 'uncovering' });
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed coverOrdered');
    expect(table.effects).toMatchObject([{ kind: 'moveCover', position: 'open' }]);
  });

  it('needs no order of the dealer for the shake: opening the round is the order', () => {
    const table = playCoveredTo('closing', { isUnattended: false });
    expect(table.cover('closed')).toBe('coverMoved shakeOrdered');
    table.shaken();
    expect(table.elapse()).toBe('bettingClosed');
    expect(table.take({ kind: 'shakeRequested', by: dealer })).toBe('refused wrong-phase');
    expect(table.elapse()).toBe('coverOrdered');
  });

  it('lets bets go on after a restart only once the sensor says that the cover is closed', () => {
    const table = playCoveredTo('betting');
    table.wait(5_000);
    expect(table.start('boot-2')).toBe('tableStarted roundHeld');
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('refused blocked-by-fault');
    table.take({ kind: 'coverSensed', position: 'closed' });
    expect(table.take({ kind: 'resumeRequested', by: supervisor })).toBe('roundResumed');
    expect(table.state.timer).toMatchObject({ name: 'betting', durationMs: 20_000 });
  });
});
