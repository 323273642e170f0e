import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { ShakeOutcome } from '../../src/ports/shaker.ts';
import { memoryLine } from './memory-line.ts';
import { neverAborted, type ShakerBench, shakerBench } from './shaker-bench.ts';

const roundCount = Number(process.env.SHAKER_DAMAGE_ROUNDS ?? 2_000);
const wireRoundCount = Number(process.env.SHAKER_WIRE_ROUNDS ?? 15);

/** Dice that do another number of tumbles, 1 to 9, for each order, so that a mixed-up number shows. */
function countedDice(seed: number) {
  const random = seededRandom(seed);
  const truth = new Map<number, { tumbleCount: number; activationCount: number; isSettled: boolean }>();
  return {
    truth,
    onActivation: async ({ orderNumber, activationNumber }: { orderNumber: number; activationNumber: number }) => {
      const tumbleCount = 1 + random.index(9);
      const isSettled = random.next() > 0.05;
      truth.set(orderNumber, { tumbleCount, activationCount: activationNumber, isSettled });
      const tumbles = Array.from({ length: tumbleCount }, (_, index) => ({
        atMs: 20 * (index + 1),
        strengthMilliG: random.index(3_000),
      }));
      return { tumbles, settledAtMs: isSettled ? 20 * tumbleCount + 50 : null };
    },
  };
}

function wrongOutcome(
  outcome: ShakeOutcome,
  truth: { tumbleCount: number; activationCount: number; isSettled: boolean } | undefined,
): boolean {
  if (outcome.kind === 'failed') return !['link-lost', 'no-answer'].includes(outcome.cause);
  const { tumbleCount, activationCount, isSettled } = outcome;
  return truth?.tumbleCount !== tumbleCount || truth.activationCount !== activationCount || truth.isSettled !== isSettled;
}

describe.each([
  { wire: { lostByteShare: 0.01 }, finishedShareMin: 0.98 },
  { wire: { doubledByteShare: 0.01 }, finishedShareMin: 0.98 },
  { wire: { mergedLineShare: 0.01 }, finishedShareMin: 0.98 },
  { wire: { lostByteShare: 0.1, doubledByteShare: 0.1, mergedLineShare: 0.1 }, finishedShareMin: 0 },
])('a line with $wire', ({ wire, finishedShareMin }) => {
  it(`gives no wrong outcome and no second shake in ${roundCount} rounds (SER-06)`, async () => {
    const dice = countedDice(6);
    const { clock, firmware, shaker } = memoryLine(dice.onActivation, 66);
    firmware.powerOn();
    firmware.inject({ kind: 'wire', ...wire });
    shaker.open();
    const wrong: unknown[] = [];
    let finishedCount = 0;
    for (let orderNumber = 1; orderNumber <= roundCount; orderNumber += 1) {
      await clock.advanceUntil(() => shaker.status.isOnline, 600_000);
      const activationCount = 1 + (orderNumber % 2);
      let outcome: ShakeOutcome | null = null;
      const shaking = shaker.shake({ orderNumber, activationCount, tumbleCount: 9 }, neverAborted()).then((end) => {
        outcome = end;
      });
      await clock.advanceUntil(() => outcome !== null, 60_000);
      await shaking;
      const ended = outcome as ShakeOutcome | null;
      if (ended === null || wrongOutcome(ended, dice.truth.get(orderNumber))) wrong.push({ orderNumber, ended });
      if (ended?.kind === 'finished') finishedCount += 1;
    }
    console.info(
      `SER-06 ${JSON.stringify(wire)}: ${roundCount} rounds, ${firmware.spoiltLineCount} lines spoilt, ${finishedCount} finished, ${roundCount - finishedCount} void`,
    );
    expect(wrong).toEqual([]);
    expect(firmware.spoiltLineCount).toBeGreaterThan(roundCount / 50);
    expect(finishedCount / roundCount).toBeGreaterThanOrEqual(finishedShareMin);
    expect(firmware.motionCount).toBeLessThanOrEqual(roundCount + Math.floor(roundCount / 2));
    const closing = shaker.close();
    await clock.advance(2_000);
    await closing;
    firmware.close();
  }, 120_000);
});

describe('a damaged line on a real terminal', () => {
  let bench: ShakerBench;
  afterEach(() => bench.close());

  it(`gives no wrong outcome in ${wireRoundCount} rounds (SER-06)`, async () => {
    const dice = countedDice(7);
    bench = await shakerBench({ onActivation: dice.onActivation, seed: 77 });
    const { shaker, device } = bench;
    device.inject({ kind: 'wire', lostByteShare: 0.02, doubledByteShare: 0.02, mergedLineShare: 0.02 });
    shaker.open();
    const wrong: unknown[] = [];
    for (let orderNumber = 1; orderNumber <= wireRoundCount; orderNumber += 1) {
      await bench.until(() => shaker.status.isOnline);
      const outcome = await shaker.shake({ orderNumber, activationCount: 1, tumbleCount: 9 }, neverAborted());
      if (wrongOutcome(outcome, dice.truth.get(orderNumber))) wrong.push({ orderNumber, outcome });
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});
