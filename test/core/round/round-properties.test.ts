import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/core/round/invariants.ts';
import { lampsFor } from '../../../src/core/round/lamps-for.ts';
import { facts } from './phase-fact-cells.ts';
import {
  accepted,
  administrator,
  dealer,
  type LooseFact,
  refusedReading,
  supervisor,
  TablePlay,
  technician,
} from './table-play.ts';

const faultCodes = ['shaker.offline', 'camera.frozen', 'vision.down', 'lamps.degraded', 'shaker.lid-open'] as const;

const play = fc.record({
  orderOfPlay: fc.constantFrom('bets-first' as const, 'shake-first' as const),
  unreadableThrow: fc.constantFrom('reshake' as const, 'void' as const),
  isUnattended: fc.boolean(),
  shakesMax: fc.integer({ min: 1, max: 3 }),
  readAttemptsMax: fc.integer({ min: 1, max: 2 }),
  roundsPerHourMax: fc.constantFrom(0, 2),
});

const orderNumberShift = fc.constantFrom(0, 0, 0, 0, 0, 0, 0, -1, 1);
/** 0.01 to 0.99 in even steps, without the bias to the ends that number arbitraries have. */
const luck = fc.constantFrom(...Array.from({ length: 50 }, (_, index) => (2 * index + 1) / 100));
const person = fc.constantFrom(supervisor, supervisor, dealer, technician, administrator);

/** Facts as they may come in any phase: mostly what the table waits for, so that rounds get somewhere; else anything. */
const anyFact: fc.Arbitrary<(table: TablePlay) => LooseFact> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.tuple(luck, orderNumberShift).map(([dice, shift]) => answerTo(dice, shift)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...Object.keys(facts)), person).map(([kind, by]) => (table: TablePlay): LooseFact => {
      const fact = fitting(table, kind);
      return 'by' in fact ? ({ ...fact, by } as LooseFact) : fact;
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...faultCodes).map((fault) => (): LooseFact => ({ kind: 'faultRaised', fault, detail: 'd' })),
  },
  { weight: 3, arbitrary: fc.constantFrom(...faultCodes).map((fault) => (): LooseFact => ({ kind: 'faultCleared', fault })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('open' as const, 'closed' as const)
      .map((position) => (): LooseFact => ({ kind: 'coverSensed', position })),
  },
);

function fitting(table: TablePlay, kind: string): LooseFact {
  const make = facts[kind];
  if (make === undefined) throw new Error(`unknown fact ${kind}`);
  return make(table);
}

/** What brings a table on that awaits no answer. */
function wayOn({ state }: TablePlay): string {
  if (state.isStopped) return 'tableStarted';
  if (state.timer !== null) return 'timerElapsed';
  if (state.phase === 'held') return 'resumeRequested';
  if (state.phase === 'locked') return 'unlockRequested';
  return state.phase === 'no-more-bets' ? 'shakeRequested' : 'openRequested';
}

/** An answer to the awaited order, good or bad by `dice` (0 to 1). */
function answerTo(dice: number, shift: number): (table: TablePlay) => LooseFact {
  return (table) => {
    const orderNumber = table.pendingNumber + shift;
    const isGood = dice < 0.7;
    switch (table.state.pending?.kind) {
      case 'shake':
        if (dice > 0.95) return { kind: 'shakeFailed', orderNumber, cause: dice > 0.98 ? 'tamper' : 'link-lost' };
        return { kind: 'shakeFinished', orderNumber, tumbleCount: isGood ? 4 : 2, activationCount: 3, isSettled: dice < 0.8 };
      case 'cover':
        if (dice > 0.9) return { kind: 'coverFailed', orderNumber, cause: 'jammed' };
        return {
          kind: 'coverMoved',
          orderNumber,
          position: (table.state.phase === 'uncovering') === dice < 0.85 ? 'open' : 'closed',
        };
      case 'rest':
        if (dice > 0.9) return { kind: 'restFailed', orderNumber, cause: dice > 0.95 ? 'moving' : 'vision-lost' };
        return { kind: 'diceRested', orderNumber, motionBurstCount: isGood ? 3 : null };
      case 'read':
        if (dice > 0.95) return { kind: 'readFailed', orderNumber, cause: 'timed-out' };
        if (dice > 0.9) return { kind: 'diceRead', orderNumber, reading: refusedReading('foreign-object') };
        return { kind: 'diceRead', orderNumber, reading: isGood ? accepted(6, 1, 3) : refusedReading('overlapping') };
      default:
        return fitting(table, wayOn(table));
    }
  };
}

const course = fc.record({
  play,
  moves: fc.array(fc.tuple(anyFact, fc.integer({ min: 0, max: 3_000 })), { minLength: 1, maxLength: 80, size: 'max' }),
});

describe('whatever happens to the table', () => {
  it('keeps every invariant of the journal, and rebuilds the state from the journal alone', () => {
    let resultCount = 0;
    let voidCount = 0;
    fc.assert(
      fc.property(course, ({ play: settings, moves }) => {
        const table = new TablePlay(settings);
        table.start();
        for (const [move, waitMs] of moves) {
          table.wait(waitMs);
          const before = table.state;
          const outcome = table.take(move(table));
          if (outcome.startsWith('refused')) expect(table.state).toBe(before);
          else expect(table.state).not.toBe(before);
        }
        expect(violationsOf(table.records.map((record) => record.event))).toEqual([]);
        expect(table.rebuilt()).toEqual(table.state);
        resultCount += table.kinds.filter((kind) => kind === 'resultDeclared').length;
        voidCount += table.kinds.filter((kind) => kind === 'roundVoided').length;
      }),
      { numRuns: 1_500, seed: 20_261_130 },
    );
    // The courses must get somewhere, or the property says little.
    expect(resultCount).toBeGreaterThan(300);
    expect(voidCount).toBeGreaterThan(300);
  });

  it('orders nothing of any device by a restart, lights what the journal says and takes no result back', () => {
    fc.assert(
      fc.property(course, fc.integer({ min: 0, max: 400 }), ({ play: settings, moves }, cut) => {
        const table = new TablePlay(settings);
        table.start();
        for (const [move] of moves) table.take(move(table));
        table.records.splice(Math.max(2, cut % (table.records.length + 1)));
        table.state = table.rebuilt();
        const before = table.state;

        table.start('boot-after-the-cut');

        expect(table.effects.filter((effect) => effect.kind !== 'stopShaker')).toEqual([]);
        expect(table.state.pending).toBe(null);
        expect(table.state.round?.result).toEqual(before.round?.result);
        expect(lampsFor(table.state)).toEqual(lampsFor(before));
        expect(table.rebuilt()).toEqual(table.state);
        expect(violationsOf(table.records.map((record) => record.event))).toEqual([]);
      }),
      { numRuns: 800, seed: 20_261_130 },
    );
  });
});
