import { describe, expect, it } from 'vitest';
import type { TableEvent } from '../../src/core/round/events.ts';
import { type Dice, faces, sortedDice } from '../../src/core/rules/dice.ts';
import { openTable } from './open-table.ts';

const roundCount = 500;
/** At 30 pictures a second as long as a queue of five at 15, ms 333. */
const queuedCount = 10;
/** What `MjpegFrames` takes off the arrival of a picture without a time stamp. */
const unstampedDelayMs = 400;

interface Played {
  readonly thrown: Dice;
  readonly declared: Dice;
  /** Oldest picture kept as evidence against the end of the shake, ms. */
  readonly oldestEvidenceMs: number;
}

/** Plays rounds in which the first pictures after each shake are of before it and show the dice of the round before. No two rounds in a row have the same dice. */
async function playWithQueue(count: number, delayMs: number): Promise<readonly Played[]> {
  let throwCount = 0;
  const nextThrow = (): Dice => {
    throwCount += 1;
    return distinctThrows[(11 * throwCount) % distinctThrows.length] ?? [1, 1, 1];
  };
  const play = { settleMs: 200, reviewMs: 0, nextRoundMs: 100, bettingMs: 500, noMoreBetsMs: 0 };
  const open = await openTable({ throws: nextThrow, unstampedDelayMs: delayMs, play });
  const { table, clock, frames, tray } = open;
  const played: Played[] = [];
  let shakeBeganMonoMs = 0;
  let shakeEndedMs = 0;
  let oldestEvidenceMs = 0;
  const take = (event: TableEvent): void => {
    if (event.kind === 'shakeOrdered') shakeBeganMonoMs = clock.now().monoMs;
    if (event.kind === 'shakeFinished') {
      shakeEndedMs = clock.now().wallMs;
      frames.setFault({ kind: 'held-back', beforeMonoMs: shakeBeganMonoMs, frameCount: queuedCount });
    }
    if (event.kind === 'diceRead')
      oldestEvidenceMs = Math.min(...event.reading.evidence.map(({ capturedAtMs }) => capturedAtMs)) - shakeEndedMs;
    if (event.kind === 'resultDeclared' && typeof tray.lies !== 'string')
      played.push({ thrown: tray.lies, declared: event.dice, oldestEvidenceMs });
  };
  table.onAppended((records) => {
    for (const { event } of records) take(event);
  });
  await clock.advanceUntil(() => played.length === count, count * 60_000);
  return played;
}

/** The 56 throws that differ. */
const distinctThrows: readonly Dice[] = faces.flatMap((a) =>
  faces.flatMap((b) => faces.filter((c) => a <= b && b <= c).map((c) => sortedDice(a, b, c))),
);

describe('a queue of old pictures behind each shake (CAM-01)', () => {
  it.each([
    ['with time stamps', 0],
    ['without time stamps', unstampedDelayMs],
  ])(
    `never gives the dice of the round before as the result, in ${roundCount} rounds with a camera %s`,
    async (_camera, delayMs) => {
      const played = await playWithQueue(roundCount, delayMs);

      expect(played.filter(({ thrown, declared }) => String(thrown) !== String(declared))).toEqual([]);
      expect(played.filter(({ declared }, index) => String(declared) === String(played[index - 1]?.declared))).toEqual([]);
      expect(Math.min(...played.map(({ oldestEvidenceMs }) => oldestEvidenceMs))).toBeGreaterThan(0);
    },
  );

  it('would give them if pictures counted from their arrival', async () => {
    const played = await playWithQueue(5, 1);

    expect(played.slice(1).map(({ declared }) => declared)).toEqual(played.slice(0, -1).map(({ thrown }) => thrown));
  });
});
