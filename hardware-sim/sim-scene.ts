import type { BodyPlace, PictureDefect } from '../src/core/judging/motion-sample.ts';
import type { DieReading, PictureReading, RefusalCause } from '../src/core/judging/reading.ts';
import { type Dice, type Face, sortedDice } from '../src/core/rules/dice.ts';

/** What a simulated picture shows. It stands as JSON where a JPEG would be, so that pictures of a virtual-clock run cost nothing and their
 *  bytes still differ from one to the next. */
export interface SimScene {
  readonly sceneNumber: number;
  /** Share of the tray that changed since the picture before, 0 to 1. */
  readonly changedShare: number;
  readonly defect: PictureDefect | null;
  /** How far the dice lie from their usual places, px. */
  readonly shiftPx: number;
  /** What a reader makes of it: three faces, or why it refuses. */
  readonly sees: Dice | RefusalCause;
}

const places: readonly BodyPlace[] = [
  { centrePx: [500, 300], angleDeg: 10 },
  { centrePx: [640, 420], angleDeg: 40 },
  { centrePx: [760, 310], angleDeg: 75 },
];

export function sceneBytes(scene: SimScene): Buffer {
  return Buffer.from(JSON.stringify(scene));
}

export function sceneOf(bytes: Buffer): SimScene {
  return JSON.parse(bytes.toString()) as SimScene;
}

/** Three dice at fixed places, or pushed away from them. */
export function bodiesOf({ shiftPx }: SimScene): readonly BodyPlace[] {
  return places.map(({ centrePx: [x, y], angleDeg }) => ({ centrePx: [x + shiftPx, y], angleDeg }));
}

/** The reading of one simulated picture, in the form that the real reader gives. */
export function readingOf(scene: SimScene): PictureReading {
  const { sees } = scene;
  if (typeof sees === 'string') return { verdict: 'refused', values: null, cause: sees, dice: [] };
  const bodies = bodiesOf(scene);
  const dice: DieReading[] = sees.map((value, index) => ({
    value,
    ...(bodies[index] ?? { centrePx: [0, 0], angleDeg: 0 }),
    quadPx: [],
    confidence: 0.99,
    votes: { geometric: value, appearance: value },
    tiltDeg: 0,
  }));
  return { verdict: 'accepted', values: sortedDice(...(sees as [Face, Face, Face])), cause: null, dice };
}
