import type { Person } from '../../../src/core/round/person.ts';
import { accepted, dealer, type LooseFact, playCoveredTo, playTo, supervisor, TablePlay, technician } from './table-play.ts';

/** One table in each phase, and in the variants of a phase that behave differently. */
export const phases: Readonly<Record<string, () => TablePlay>> = {
  'not started': () => new TablePlay(),
  closed: () => playTo('closed'),
  betting: () => playTo('betting'),
  'no-more-bets': () => playTo('no-more-bets'),
  shaking: () => playTo('shaking'),
  settling: () => playTo('settling'),
  reading: () => playTo('reading'),
  result: () => playTo('result'),
  'closed after a round': () => after(playTo('result'), (table) => table.elapse()),
  void: () =>
    after(playTo('betting'), (table) => table.take({ kind: 'voidRequested', by: supervisor, reason: 'r', second: null })),
  'held between rounds': () => after(playTo('closed'), hold),
  'held in betting': () => after(playTo('betting'), hold),
  'held in shaking': () => after(playTo('shaking'), hold),
  'held in reading': () => after(playTo('reading'), hold),
  'held in result': () => after(playTo('result'), hold),
  locked: () => after(playTo('betting'), tamper),
  'result under a lock': () => after(playTo('result'), tamper),
  stopped: () => after(playTo('result'), (table) => table.take({ kind: 'tableStopping', signal: 'SIGTERM' })),
  'shake-first closing': () => playCoveredTo('closing'),
  'shake-first shaking': () => playCoveredTo('shaking'),
  'shake-first betting': () => playCoveredTo('betting'),
  'shake-first no-more-bets': () => playCoveredTo('no-more-bets'),
  'shake-first uncovering': () => playCoveredTo('uncovering'),
  'shake-first settling': () => playCoveredTo('settling'),
  'shake-first reading': () => playCoveredTo('reading'),
  'shake-first result': () => playCoveredTo('result'),
};

/** Each kind of fact in the form that fits best: by a person who may, about the present round, answering whatever is awaited. */
export const facts: Readonly<Record<string, (table: TablePlay) => LooseFact>> = {
  openRequested: () => act('openRequested', dealer),
  closeBettingRequested: () => act('closeBettingRequested', dealer),
  shakeRequested: () => act('shakeRequested', dealer),
  holdRequested: () => ({ kind: 'holdRequested', by: dealer, reason: 'r' }),
  resumeRequested: () => act('resumeRequested', supervisor),
  voidRequested: () => ({ kind: 'voidRequested', by: supervisor, second: dealer, reason: 'r' }),
  unlockRequested: () => ({ kind: 'unlockRequested', by: technician, second: supervisor, reason: 'r' }),
  timerElapsed: ({ state: { timer } }) => ({
    kind: 'timerElapsed',
    timer: timer?.name ?? 'betting',
    orderNumber: timer?.orderNumber ?? 9_999,
  }),
  shakeFinished: (table) => ({ kind: 'shakeFinished', ...answer(table), tumbleCount: 3, activationCount: 3, isSettled: true }),
  shakeFailed: (table) => ({ kind: 'shakeFailed', ...answer(table), cause: 'link-lost' }),
  coverMoved: (table) => ({
    kind: 'coverMoved',
    ...answer(table),
    position: table.state.phase === 'uncovering' ? 'open' : 'closed',
  }),
  coverFailed: (table) => ({ kind: 'coverFailed', ...answer(table), cause: 'jammed' }),
  diceRested: (table) => ({ kind: 'diceRested', ...answer(table), motionBurstCount: 3 }),
  restFailed: (table) => ({ kind: 'restFailed', ...answer(table), cause: 'moving' }),
  diceRead: (table) => ({ kind: 'diceRead', ...answer(table), reading: accepted(1, 2, 3) }),
  readFailed: (table) => ({ kind: 'readFailed', ...answer(table), cause: 'vision-lost' }),
  faultRaised: () => ({ kind: 'faultRaised', fault: 'shaker.offline', detail: 'd' }),
  faultCleared: () => ({ kind: 'faultCleared', fault: 'shaker.offline' }),
  tamperSensed: () => ({ kind: 'tamperSensed', detail: 'd' }),
  ordersSeen: () => ({ kind: 'ordersSeen', orderNumber: 1_000_000 }),
  coverSensed: () => ({ kind: 'coverSensed', position: 'open' }),
  tableStarted: ({ records }) => ({
    kind: 'tableStarted',
    bootId: `boot-after-${records.length}`,
    softwareVersion: '0.1.0',
    configSha256: 'c0',
    isClockSynchronised: true,
  }),
  tableStopping: () => ({ kind: 'tableStopping', signal: 'SIGTERM' }),
};

function act(kind: 'openRequested' | 'closeBettingRequested' | 'shakeRequested' | 'resumeRequested', by: Person): LooseFact {
  return { kind, by };
}

function answer(table: TablePlay): { readonly orderNumber: number } {
  return { orderNumber: table.pendingNumber };
}

function after(table: TablePlay, move: (table: TablePlay) => unknown): TablePlay {
  move(table);
  return table;
}

function hold(table: TablePlay): void {
  table.take({ kind: 'holdRequested', by: dealer, reason: 'r' });
}

function tamper(table: TablePlay): void {
  table.take({ kind: 'tamperSensed', detail: 'd' });
}
