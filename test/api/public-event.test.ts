import { describe, expect, it } from 'vitest';
import { publicEvent } from '../../src/api/public-event.ts';
import type { TableEvent } from '../../src/core/round/events.ts';
import { play } from './fake-table.ts';
import { reading } from './played-rounds.ts';

const by = { name: 'Mei Secret', role: 'dealer' } as const;
const second = { name: 'Ivan Secret', role: 'supervisor' } as const;
const roundId = 'r-1';
const shakeNumber = 1;
const orderNumber = 9;

/** One event of every kind that exists; the compiler asks for new ones. */
const examples: { readonly [Kind in TableEvent['kind']]: Extract<TableEvent, { readonly kind: Kind }> } = {
  journalCreated: { kind: 'journalCreated', journalId: '0a1b2c3d', tableId: 't1' },
  tableStarted: {
    kind: 'tableStarted',
    bootId: 'b',
    softwareVersion: '1',
    configSha256: 'secret-config',
    houseSha256: 'f0',
    isClockSynchronised: true,
    isAfterCrash: false,
  },
  tableStopped: { kind: 'tableStopped', signal: 'SIGTERM' },
  faultRaised: { kind: 'faultRaised', fault: 'camera.offline', detail: 'Secret http://10.0.0.9/' },
  faultCleared: { kind: 'faultCleared', fault: 'camera.offline' },
  tableLocked: { kind: 'tableLocked', roundId: null, cause: 'tamper' },
  tableUnlocked: { kind: 'tableUnlocked', by, second, reason: 'checked' },
  tableHeld: { kind: 'tableHeld', by, reason: 'break' },
  tableResumed: { kind: 'tableResumed', by },
  ordersSeen: { kind: 'ordersSeen', orderNumber: 12 },
  coverSensed: { kind: 'coverSensed', position: 'open' },
  nextRoundScheduled: { kind: 'nextRoundScheduled', orderNumber, delayMs: 4_000 },
  roundOpened: { kind: 'roundOpened', roundId, roundNumber: 1, houseId: 'live', houseSha256: 'f0', play, by },
  bettingOpened: { kind: 'bettingOpened', roundId, orderNumber, durationMs: 20_000 },
  bettingClosed: { kind: 'bettingClosed', roundId, orderNumber, by: null },
  shakeOrdered: { kind: 'shakeOrdered', roundId, orderNumber, shakeNumber, activationCount: 1, tumblesMin: 3, cause: null, by },
  shakeFinished: { kind: 'shakeFinished', roundId, shakeNumber, tumbleCount: 4, activationCount: 1, isSettled: true },
  shakeFailed: { kind: 'shakeFailed', roundId, shakeNumber, cause: 'jammed' },
  coverOrdered: { kind: 'coverOrdered', roundId, orderNumber, position: 'closed' },
  coverMoved: { kind: 'coverMoved', roundId, position: 'closed' },
  coverFailed: { kind: 'coverFailed', roundId, cause: 'jammed' },
  restWatchOrdered: { kind: 'restWatchOrdered', roundId, orderNumber, shakeNumber },
  diceRested: { kind: 'diceRested', roundId, shakeNumber, motionBurstCount: null },
  restFailed: { kind: 'restFailed', roundId, shakeNumber, cause: 'moving' },
  readOrdered: { kind: 'readOrdered', roundId, orderNumber, shakeNumber, attemptNumber: 1 },
  diceRead: { kind: 'diceRead', roundId, shakeNumber, reading: reading([1, 2, 5]) },
  readFailed: { kind: 'readFailed', roundId, shakeNumber, cause: 'vision-lost' },
  throwVoided: { kind: 'throwVoided', roundId, shakeNumber, cause: 'tilted' },
  resultDeclared: {
    kind: 'resultDeclared',
    roundId,
    orderNumber,
    dice: [1, 2, 5],
    total: 8,
    winningZones: ['small'],
    evidence: ['ab'],
  },
  roundSettled: { kind: 'roundSettled', roundId },
  roundVoided: { kind: 'roundVoided', roundId, cause: 'requested', detail: '', by, second },
  roundHeld: { kind: 'roundHeld', roundId, cause: 'requested', detail: '', by },
  roundResumed: { kind: 'roundResumed', roundId, by, orderNumber },
};

describe('the public view of an event', () => {
  it.each(Object.values(examples))('of kind $kind exists and says nothing about names, paths or orders', (event) => {
    const shown = publicEvent(event);
    expect(shown.kind).toBe(event.kind);
    if ('roundId' in event) expect(shown).toHaveProperty('roundId', event.roundId);
    expect(JSON.stringify(shown)).not.toMatch(/secret|orderNumber/i);
  });

  it('keeps what the result was and who acted by role', () => {
    expect(publicEvent(examples.resultDeclared)).toEqual({
      kind: 'resultDeclared',
      roundId: 'r-1',
      dice: [1, 2, 5],
      total: 8,
      winningZones: ['small'],
      evidence: ['ab'],
    });
    expect(publicEvent(examples.roundVoided)).toMatchObject({ by: 'dealer', second: 'supervisor' });
  });
});
