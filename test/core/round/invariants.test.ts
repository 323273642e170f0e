import { describe, expect, it } from 'vitest';
import type { TableEvent } from '../../../src/core/round/events.ts';
import { EventInvariants, violationsOf } from '../../../src/core/round/invariants.ts';
import { dealer, playCoveredTo, playTo, supervisor, type TablePlay, technician } from './table-play.ts';

const eventsOf = (table: TablePlay): TableEvent[] => table.records.map((record) => record.event);

/** A journal with one settled bets-first round and the opening of the next. */
function goodJournal(): TableEvent[] {
  const table = playTo('result');
  table.elapse();
  table.elapse();
  return eventsOf(table);
}

function coveredJournal(): TableEvent[] {
  return eventsOf(playCoveredTo('result'));
}

const indexOf = (events: readonly TableEvent[], kind: TableEvent['kind']) => events.findIndex((event) => event.kind === kind);

function without(events: readonly TableEvent[], kind: TableEvent['kind']): TableEvent[] {
  return events.filter((_, index) => index !== indexOf(events, kind));
}

function changed<K extends TableEvent['kind']>(
  events: readonly TableEvent[],
  kind: K,
  change: Partial<Extract<TableEvent, { kind: K }>>,
): TableEvent[] {
  return events.map((event, index) => (index === indexOf(events, kind) ? ({ ...event, ...change } as TableEvent) : event));
}

/** Puts the first event of `kind` right before the first of `before`. */
function moved(events: readonly TableEvent[], kind: TableEvent['kind'], before: TableEvent['kind']): TableEvent[] {
  const event = events[indexOf(events, kind)];
  const rest = without(events, kind);
  const place = indexOf(rest, before);
  return event === undefined ? rest : [...rest.slice(0, place), event, ...rest.slice(place)];
}

function doubled(events: readonly TableEvent[], kind: TableEvent['kind']): TableEvent[] {
  const place = indexOf(events, kind);
  return [...events.slice(0, place + 1), ...events.slice(place)];
}

const problems = (events: readonly TableEvent[]) => violationsOf(events).map((violation) => violation.problem);

describe('a journal', () => {
  it('of a well-played table has no violation', () => {
    expect(problems(goodJournal())).toEqual([]);
    expect(problems(coveredJournal())).toEqual([]);
  });

  it.each<readonly [string, TableEvent[], string]>([
    ['a round that never ended', without(goodJournal(), 'roundSettled'), 'round T1-0a1b2c3d-000001 has no terminal record'],
    ['a round that ended twice', doubled(goodJournal(), 'roundSettled'), 'no round is open'],
    ['a round settled without a result', without(goodJournal(), 'resultDeclared'), 'settled without a result'],
    ['two results', doubled(goodJournal(), 'resultDeclared'), 'a second result'],
    ['a shake before betting closed', moved(goodJournal(), 'shakeOrdered', 'bettingClosed'), 'a shake before betting closed'],
    ['betting that never closed', without(goodJournal(), 'bettingClosed'), 'a shake before betting closed'],
    [
      'a result that nobody read',
      changed(goodJournal(), 'resultDeclared', { dice: [6, 6, 6], total: 18 }),
      'the result is not what was read',
    ],
    ['a wrong total', changed(goodJournal(), 'resultDeclared', { total: 12 }), 'the total is not the sum of the dice'],
    [
      'a short shake',
      changed(goodJournal(), 'shakeFinished', { tumbleCount: 2 }),
      'the dice are looked at before the shake is proven',
    ],
    [
      'unseen tumbles',
      changed(goodJournal(), 'diceRested', { motionBurstCount: 2 }),
      'a reading before rest and tumbles are proven',
    ],
    ['a missing answer', without(goodJournal(), 'shakeFinished'), 'an order while shake is awaited'],
    ['an answer without a question', without(goodJournal(), 'readOrdered'), 'an answer to read while nothing is awaited'],
    ['a number given twice', changed(goodJournal(), 'shakeOrdered', { orderNumber: 3 }), 'order 3 after 3'],
    [
      'a round id used again',
      changed(goodJournal(), 'roundOpened', { roundId: 'T1-0a1b2c3d-000002' }),
      'round id T1-0a1b2c3d-000002 does not end in -0a1b2c3d-000001',
    ],
    ['a skipped round number', changed(goodJournal(), 'roundOpened', { roundNumber: 7 }), 'round number 7 after 0'],
    ['play before a start', without(goodJournal(), 'tableStarted'), 'before the first start'],
    [
      'bets before the covered shake has finished',
      moved(coveredJournal(), 'bettingOpened', 'shakeOrdered'),
      'betting opens before the shake has finished',
    ],
    [
      'a cover that never opened',
      changed(coveredJournal(), 'coverOrdered', { position: 'open' }),
      'the cover opens before betting closed',
    ],
    [
      'a picture under the cover',
      moved(coveredJournal(), 'restWatchOrdered', 'bettingOpened'),
      'the dice are looked at under the cover',
    ],
    [
      'an unsettled throw under the cover',
      changed(coveredJournal(), 'shakeFinished', { isSettled: false }),
      'betting opens before the shake has finished',
    ],
  ])('with %s is found out', (_, events, problem) => {
    expect(problems(events)).toContain(problem);
  });

  it('with play under a fault, a lock or a hold is found out', () => {
    const good = goodJournal();
    const place = indexOf(good, 'shakeOrdered');
    const withBefore = (event: TableEvent) => problems([...good.slice(0, place), event, ...good.slice(place)]);
    expect(withBefore({ kind: 'faultRaised', fault: 'camera.frozen', detail: 'd' })).toContain('play under camera.frozen');
    expect(withBefore({ kind: 'faultRaised', fault: 'lamps.degraded', detail: 'd' })).toEqual([]);
    expect(withBefore({ kind: 'tableLocked', roundId: null, cause: 'c' })).toContain('play under a lock');
    const roundId = 'T1-0a1b2c3d-000001';
    expect(withBefore({ kind: 'roundHeld', roundId, cause: 'requested', detail: 'd', by: dealer })).toContain(
      'the round is held',
    );
    expect(withBefore({ kind: 'tableStopped', signal: 'SIGTERM' })).toContain('between stop and start');
  });

  it('in which one person voided a result or cleared a lock is found out', () => {
    const roundId = 'T1-0a1b2c3d-000001';
    const result = eventsOf(playTo('result'));
    const voided = { kind: 'roundVoided', roundId, cause: 'requested', detail: 'd', by: supervisor } as const;
    expect(problems([...result, { ...voided, second: null }])).toEqual([
      'a round with a result is voided by fewer than two persons',
    ]);
    expect(problems([...result, { ...voided, second: dealer }])).toEqual([]);
    const locked: TableEvent[] = [...eventsOf(playTo('closed')), { kind: 'tableLocked', roundId: null, cause: 'c' }];
    expect(problems([...locked, { kind: 'tableUnlocked', by: technician, second: technician, reason: 'r' }])).toEqual([
      'unlocked by one person',
    ]);
  });

  it('names the place of what is wrong', () => {
    const invariants = new EventInvariants();
    const found = without(goodJournal(), 'bettingClosed').flatMap((event) => [...invariants.check(event)]);
    expect(found[0]).toEqual({ eventIndex: 5, kind: 'shakeOrdered', problem: 'a shake before betting closed' });
  });
});
