import type { TableEvent } from '../../src/core/round/events.ts';
import type { PlaySettings } from '../../src/core/round/settings.ts';

const play: PlaySettings = {
  orderOfPlay: 'bets-first',
  unreadableThrow: 'reshake',
  tumblesMin: 3,
  shakeActivations: 1,
  reshakeActivations: 3,
  shakesMax: 5,
  readAttemptsMax: 3,
  bettingMs: 20_000,
  noMoreBetsMs: 1_000,
  shakeMsMax: 15_000,
  settleMs: 1_000,
  settleMsMax: 5_000,
  readMsMax: 2_000,
  reviewMs: 5_000,
  nextRoundMs: 2_000,
  isUnattended: true,
  roundsPerHourMax: 50,
};

export function opening(roundId: string, roundNumber: number): TableEvent {
  return { kind: 'roundOpened', roundId, roundNumber, houseId: 'live', houseSha256: 'f0'.repeat(32), play, by: null };
}

export function settling(roundId: string): TableEvent {
  return { kind: 'roundSettled', roundId };
}

export function voiding(roundId: string): TableEvent {
  return {
    kind: 'roundVoided',
    roundId,
    cause: 'requested',
    detail: 'dealer dropped a die',
    by: null,
    second: null,
  };
}

/** All events of a settled round with the dice 1-4-6. `pictures` are the hashes of its evidence. */
export function roundEvents(roundId: string, roundNumber: number, pictures: readonly string[] = []): readonly TableEvent[] {
  const order = roundNumber * 10;
  return [
    opening(roundId, roundNumber),
    { kind: 'bettingOpened', roundId, orderNumber: order + 1, durationMs: 20_000 },
    { kind: 'bettingClosed', roundId, orderNumber: order + 2, by: null },
    {
      kind: 'shakeOrdered',
      roundId,
      orderNumber: order + 3,
      shakeNumber: 1,
      activationCount: 1,
      tumblesMin: 3,
      cause: null,
      by: null,
    },
    { kind: 'shakeFinished', roundId, shakeNumber: 1, tumbleCount: 5, activationCount: 1, isSettled: true },
    { kind: 'restWatchOrdered', roundId, orderNumber: order + 4, shakeNumber: 1 },
    { kind: 'diceRested', roundId, shakeNumber: 1, motionBurstCount: 5 },
    { kind: 'readOrdered', roundId, orderNumber: order + 5, shakeNumber: 1, attemptNumber: 1 },
    {
      kind: 'diceRead',
      roundId,
      shakeNumber: 1,
      reading: {
        verdict: 'accepted',
        values: [1, 4, 6],
        cause: null,
        dice: [],
        pictureCount: 5,
        agreeingCount: 5,
        evidence: pictures.map((sha256) => ({ sha256, capturedAtMs: 1_700_000_000_000 })),
        calibrationId: 'rig-a-1',
      },
    },
    {
      kind: 'resultDeclared',
      roundId,
      orderNumber: order + 6,
      dice: [1, 4, 6],
      total: 11,
      winningZones: ['big', 'odd', 'single-1', 'single-4', 'single-6', 'total-11'],
      evidence: pictures,
    },
    settling(roundId),
  ];
}
