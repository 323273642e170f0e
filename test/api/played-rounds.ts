import { loadHouse } from '../../src/config/load-house.ts';
import type { ThrowReading } from '../../src/core/judging/reading.ts';
import type { ThrowFault } from '../../src/core/round/state.ts';
import { type Dice, totalOf } from '../../src/core/rules/dice.ts';
import { winningZones } from '../../src/core/rules/house.ts';
import type { FakeTable } from './fake-table.ts';

export const pictureSha256 = 'ab'.repeat(32);

/** What the readers said of a throw. */
export function reading(values: Dice | null, cause: ThrowReading['cause'] = null): ThrowReading {
  return {
    verdict: values === null ? 'refused' : 'accepted',
    values,
    cause,
    dice: [],
    pictureCount: 5,
    agreeingCount: 5,
    evidence: [{ sha256: pictureSha256, capturedAtMs: 1_767_225_600_000 }],
    calibrationId: 'cal-1',
  };
}

export function closeBetting(table: FakeTable): void {
  table.round({ kind: 'bettingClosed', orderNumber: table.nextOrder, by: null });
}

export function shake(table: FakeTable, shakeNumber: number, cause: ThrowFault | null = null): void {
  table.round({
    kind: 'shakeOrdered',
    orderNumber: table.nextOrder,
    shakeNumber,
    activationCount: 1,
    tumblesMin: 3,
    cause,
    by: null,
  });
}

export function settle(table: FakeTable, shakeNumber: number, tumbleCount = 4): void {
  table.round(
    { kind: 'shakeFinished', shakeNumber, tumbleCount, activationCount: 1, isSettled: true },
    { kind: 'restWatchOrdered', orderNumber: table.nextOrder, shakeNumber },
  );
}

export function read(table: FakeTable, shakeNumber: number): void {
  table.round(
    { kind: 'diceRested', shakeNumber, motionBurstCount: 4 },
    { kind: 'readOrdered', orderNumber: table.nextOrder, shakeNumber, attemptNumber: 1 },
  );
}

/** Ids of the zones of the house `houseId` that win on these dice. */
export function winnersOf(dice: Dice, houseId = 'live'): readonly string[] {
  return winningZones(dice, loadHouse(houseId)).map(({ zone }) => zone);
}

/** Declares the dice with every zone of the house `houseId` that wins. */
export function declare(table: FakeTable, shakeNumber: number, dice: Dice, houseId = 'live'): void {
  declareZones(table, shakeNumber, dice, winnersOf(dice, houseId));
}

/** Declares the dice with these winners; reads no house file, for measurements. */
export function declareZones(table: FakeTable, shakeNumber: number, dice: Dice, zones: readonly string[]): void {
  table.round(
    { kind: 'diceRead', shakeNumber, reading: reading(dice) },
    {
      kind: 'resultDeclared',
      orderNumber: table.nextOrder,
      dice,
      total: totalOf(dice),
      winningZones: zones,
      evidence: [pictureSha256],
    },
  );
}

/** A whole round with its first throw good. */
export function playRound(table: FakeTable, dice: Dice, houseId = 'live'): void {
  table.openRound();
  closeBetting(table);
  shake(table, 1);
  settle(table, 1);
  read(table, 1);
  declare(table, 1, dice, houseId);
  table.round({ kind: 'roundSettled' });
}
