import type { Face } from '../src/core/rules/dice.ts';
import { atWall, enclosing, fourDice, stackedFlush } from './crowded-scenes.ts';
import { finalPoses, type TraySettings, throwDice } from './dice-physics.ts';
import { flatDice, leant, slidToWall, slidUntilGap } from './dice-placing.ts';
import { rotationWithTop } from './die-body.ts';
import { type DiePose, product, turnAbout, type Vec3 } from './rotation.ts';
import { type ForeignObject, gapMm, type Scene } from './scene-truth.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** Scenes that physics gives too rarely to wait for. */
export type StagedKind =
  | 'flat'
  | 'touching'
  | 'leaning-on-die'
  | 'leaning-on-wall'
  | 'slight-lean'
  | 'stacked'
  | 'two-dice'
  | 'on-rim'
  | 'chip'
  | 'coin'
  | 'crumb'
  | 'hand'
  | 'moving'
  | 'empty'
  | 'enclosing'
  | 'at-wall'
  | 'stacked-flush'
  | 'on-rim-top'
  | 'turning'
  | 'four-dice';

/** Sets the dice by geometry. The same kind and seed give the same scene. `loadPhysics` must have resolved.
 *  `enclosing`: three dice around a piece of floor; `on-rim`: a die on the table outside, `on-rim-top`: on the rim itself; `turning`: a flat die
 *  that has not come to rest, see `turnedBy` for its places during the exposure.
 *  `slight-lean` lifts one edge of a die by 0.2 to 8 degrees, as a crumb under it would, without showing the crumb. */
export function stageScene(kind: StagedKind, seed: number, tray: TraySettings): Scene {
  const random = seededRandom(seed * 31 + 7);
  const still = (dice: readonly DiePose[], objects: readonly ForeignObject[] = []): Scene => ({ dice, objects, isMoving: false });
  const flat = flatDice(random, tray);
  switch (kind) {
    case 'flat':
      return still(flat);
    case 'touching':
      return still(pushedTogether(flat, random, tray));
    case 'leaning-on-die':
      return still(leaningOnDie(flat, random, tray));
    case 'leaning-on-wall':
      return still(leaningOnWall(flat, random, tray));
    case 'slight-lean':
      return still(replaced(flat, leant(flat[0], random.between(0.2, 8), random, tray)));
    case 'stacked':
      return still(stacked(flat, random, tray));
    case 'two-dice':
      return still(flat.slice(0, 2));
    case 'on-rim':
      return still(replaced(flat, outside(random, tray)));
    case 'chip':
    case 'coin':
    case 'crumb':
      return still(flat, [objectBeside(kind, flat, random, tray)]);
    case 'hand':
      return still(flat, [hand(random, tray)]);
    case 'moving':
      return { dice: midFlight(seed, random, tray), objects: [], isMoving: true };
    case 'empty':
      return still([]);
    case 'enclosing':
      return still(enclosing(random, tray));
    case 'at-wall':
      return still(atWall(flat, random, tray));
    case 'stacked-flush':
      return still(stackedFlush(flat, random, tray));
    case 'on-rim-top':
      return still(replaced(flat, onRimTop(random, tray)));
    case 'turning':
      return { dice: flat, objects: [], isMoving: true };
    case 'four-dice':
      return still(fourDice(flat, random, tray));
    default:
      return kind satisfies never;
  }
}

function pushedTogether(flat: readonly DiePose[], random: SeededRandom, tray: TraySettings): readonly DiePose[] {
  for (let turn = 0; turn < 200; turn += 1) {
    const [a, b, c] = turn === 0 ? (flat as readonly [DiePose, DiePose, DiePose]) : flatDice(random, tray);
    // Often the faces lie against each other, as dice that slid together do.
    const faced =
      random.next() < 0.5
        ? { position: a.position, rotation: product(turnAbout([0, 0, 1], (random.index(4) * Math.PI) / 2), b.rotation) }
        : a;
    const level: DiePose = { position: faced.position, rotation: faced.rotation };
    const pushed = slidUntilGap(level, b, random.between(0.03, 0.4), tray.edgeMm);
    if (gapMm(pushed, c, tray.edgeMm) > 0.03) return [pushed, b, c];
  }
  throw new RangeError('no touching scene found in 200 tries');
}

function leaningOnDie(flat: readonly DiePose[], random: SeededRandom, tray: TraySettings): readonly DiePose[] {
  for (let turn = 0; turn < 400; turn += 1) {
    const [a, b, c] = turn === 0 ? (flat as readonly [DiePose, DiePose, DiePose]) : flatDice(random, tray);
    const towards = Math.atan2(b.position[1] - a.position[1], b.position[0] - a.position[0]);
    // Tilted about an axis across the way to the other die, so that it leans against it.
    const squared: DiePose = { position: a.position, rotation: rotationWithTop((1 + random.index(6)) as Face, towards) };
    const leaning = slidUntilGap(
      leant(squared, random.between(9, 40), random, tray, towards + Math.PI / 2),
      b,
      0.02,
      tray.edgeMm,
    );
    if (
      gapMm(leaning, c, tray.edgeMm) > 1 &&
      Math.hypot(leaning.position[0], leaning.position[1]) < tray.trayRadiusMm - tray.edgeMm * 0.8
    ) {
      return [leaning, b, c];
    }
  }
  throw new RangeError('no leaning scene found in 400 tries');
}

function leaningOnWall(flat: readonly DiePose[], random: SeededRandom, tray: TraySettings): readonly DiePose[] {
  for (let turn = 0; turn < 400; turn += 1) {
    const [, b, c] = turn === 0 ? (flat as readonly [DiePose, DiePose, DiePose]) : flatDice(random, tray);
    const heading = random.between(0, 2 * Math.PI);
    const out: Vec3 = [Math.cos(heading), Math.sin(heading), 0];
    const start: DiePose = {
      position: [0, 0, tray.edgeMm / 2],
      rotation: rotationWithTop((1 + random.index(6)) as Face, heading),
    };
    const tilted = leant(start, random.between(9, 40), random, tray, heading + Math.PI / 2);
    const leaning = slidToWall(tilted, out, tray);
    if (gapMm(leaning, b, tray.edgeMm) > 1 && gapMm(leaning, c, tray.edgeMm) > 1) return [leaning, b, c];
  }
  throw new RangeError('no leaning scene found in 400 tries');
}

function stacked(flat: readonly [DiePose, DiePose, DiePose], random: SeededRandom, tray: TraySettings): readonly DiePose[] {
  const [, below, other] = flat;
  const shift = (): number => random.between(-0.35, 0.35) * tray.edgeMm;
  const [x, y, z] = below.position;
  const rotation = rotationWithTop((1 + random.index(6)) as Face, random.between(0, 2 * Math.PI));
  return [{ position: [x + shift(), y + shift(), z + tray.edgeMm], rotation }, below, other];
}

/** On the table just outside the rim, as after a throw with the dome off. */
function outside(random: SeededRandom, tray: TraySettings): DiePose {
  const angle = random.between(0, 2 * Math.PI);
  const reach = tray.trayRadiusMm + 9 + tray.edgeMm * 0.75;
  const rotation = rotationWithTop((1 + random.index(6)) as Face, random.between(0, 2 * Math.PI));
  return { position: [reach * Math.cos(angle), reach * Math.sin(angle), tray.edgeMm / 2], rotation };
}

/** On the middle of the rim, level. */
function onRimTop(random: SeededRandom, tray: TraySettings): DiePose {
  const angle = random.between(0, 2 * Math.PI);
  const reach = tray.trayRadiusMm + tray.rim.widthMm / 2;
  const rotation = rotationWithTop((1 + random.index(6)) as Face, random.between(0, 2 * Math.PI));
  return { position: [reach * Math.cos(angle), reach * Math.sin(angle), tray.rim.heightMm + tray.edgeMm / 2], rotation };
}

function objectBeside(
  kind: 'chip' | 'coin' | 'crumb',
  dice: readonly DiePose[],
  random: SeededRandom,
  tray: TraySettings,
): ForeignObject {
  const wantedMm = kind === 'chip' ? 20 : kind === 'coin' ? random.between(8, 12) : random.between(1.6, 4);
  let best: ForeignObject | null = null;
  let bestClear = Number.NEGATIVE_INFINITY;
  for (let turn = 0; turn < 300 && bestClear < 0; turn += 1) {
    const reach = (tray.trayRadiusMm - wantedMm) * Math.sqrt(random.next());
    const angle = random.between(0, 2 * Math.PI);
    const [xMm, yMm] = [reach * Math.cos(angle), reach * Math.sin(angle)];
    const clear = Math.min(
      ...dice.map((die) => Math.hypot(die.position[0] - xMm, die.position[1] - yMm) - wantedMm - tray.edgeMm * 0.72),
    );
    if (clear > bestClear) {
      bestClear = clear;
      best = { kind, xMm, yMm, angleRad: random.between(0, 6.28), radiusMm: wantedMm };
    }
  }
  if (best === null) throw new RangeError('no place for the object');
  return best;
}

/** From a random side, over part of the tray. */
function hand(random: SeededRandom, tray: TraySettings): ForeignObject {
  const heading = random.between(0, 2 * Math.PI);
  const reach = tray.trayRadiusMm * random.between(0.2, 0.75);
  // The hand's own wrist points to +y; turned so that the fingers point to the middle.
  return {
    kind: 'hand',
    xMm: reach * Math.cos(heading),
    yMm: reach * Math.sin(heading),
    angleRad: heading - Math.PI / 2,
    radiusMm: random.between(38, 46),
  };
}

function midFlight(seed: number, random: SeededRandom, tray: TraySettings): readonly DiePose[] {
  const trajectory = throwDice(tray, { seed, tumbleCount: 1, from: null });
  const pulseMs = trajectory.tumbles[0]?.atMs ?? 0;
  return finalPoses({ ...trajectory, stepCount: Math.ceil((pulseMs + random.between(60, 200)) / trajectory.stepMs) });
}

function replaced(dice: readonly DiePose[], first: DiePose): readonly DiePose[] {
  return [first, ...dice.slice(1)];
}
