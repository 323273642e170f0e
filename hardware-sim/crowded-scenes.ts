import type { Face } from '../src/core/rules/dice.ts';
import type { TraySettings } from './dice-physics.ts';
import { flatDie, outermostMm, slidToWall } from './dice-placing.ts';
import { rotationWithTop } from './die-body.ts';
import { type DiePose, product, turnAbout } from './rotation.ts';
import { gapMm } from './scene-truth.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Three flat dice that touch each other around a piece of floor: a triangle, or the same with every die turned alike. */
export function enclosing(random: SeededRandom, tray: TraySettings): readonly DiePose[] {
  const values = [0, 1, 2].map(() => (1 + random.index(6)) as Face);
  const [turn, twist] = [random.between(0, 2 * Math.PI), random.between(-0.35, 0.35)];
  const wantedMm = random.between(0.03, 0.4);
  const [cx, cy] = [random.between(-0.2, 0.2) * tray.trayRadiusMm, random.between(-0.2, 0.2) * tray.trayRadiusMm];
  const at = (reachMm: number): readonly DiePose[] =>
    values.map((value, i) => {
      const angle = turn + (i * 2 * Math.PI) / 3;
      return {
        position: [cx + reachMm * Math.cos(angle), cy + reachMm * Math.sin(angle), tray.edgeMm / 2],
        rotation: rotationWithTop(value, angle + twist),
      };
    });
  let [near, far] = [0.5 * tray.edgeMm, 1.5 * tray.edgeMm];
  for (let step = 0; step < 40; step += 1) {
    const middle = (near + far) / 2;
    if (smallestGapMm(at(middle), tray) > wantedMm) far = middle;
    else near = middle;
  }
  return at(far);
}

/** The first die with a side, or a corner, against the wall. */
export function atWall(flat: readonly DiePose[], random: SeededRandom, tray: TraySettings): readonly DiePose[] {
  for (let turn = 0; turn < 400; turn += 1) {
    const heading = random.between(0, 2 * Math.PI);
    const yaw = random.next() < 0.7 ? heading : random.between(0, 2 * Math.PI);
    const middle: DiePose = { position: [0, 0, tray.edgeMm / 2], rotation: rotationWithTop((1 + random.index(6)) as Face, yaw) };
    const die = slidToWall(middle, [Math.cos(heading), Math.sin(heading), 0], tray);
    if (flat.slice(1).every((other) => gapMm(die, other, tray.edgeMm) > 1)) return [die, ...flat.slice(1)];
  }
  throw new RangeError('no place at the wall found in 400 tries');
}

/** The first die exactly on the second, edge over edge. */
export function stackedFlush(flat: readonly DiePose[], random: SeededRandom, tray: TraySettings): readonly DiePose[] {
  const [, below, other] = flat;
  if (below === undefined || other === undefined) throw new RangeError('three dice are needed');
  const [x, y, z] = below.position;
  const shift = (): number => random.between(-0.3, 0.3);
  // Any face of the same cube, so that the edges lie over each other.
  const quarter = (axis: readonly [number, number, number]): DiePose['rotation'] =>
    turnAbout(axis, (random.index(4) * Math.PI) / 2);
  const rotation = product(below.rotation, product(quarter([0, 0, 1]), quarter([1, 0, 0])));
  return [{ position: [x + shift(), y + shift(), z + tray.edgeMm], rotation }, below, other];
}

/** One die more than a throw has. */
export function fourDice(flat: readonly DiePose[], random: SeededRandom, tray: TraySettings): readonly DiePose[] {
  for (let turn = 0; turn < 1000; turn += 1) {
    const die = flatDie(random, tray);
    const isClear = flat.every((other) => gapMm(die, other, tray.edgeMm) > 0.5);
    if (isClear && outermostMm(die, tray) < tray.trayRadiusMm) return [...flat, die];
  }
  throw new RangeError('no place for a fourth die in 1000 tries');
}

/** Places of dice of which the first turns about the vertical, at moments spread over an exposure. @param sweepRad turn during the exposure. */
export function turnedBy(dice: readonly DiePose[], sweepRad: number): readonly (readonly DiePose[])[] {
  return [-0.5, -0.25, 0, 0.25, 0.5].map((share) =>
    dice.map((die, i) => (i === 0 ? { ...die, rotation: product(turnAbout([0, 0, 1], share * sweepRad), die.rotation) } : die)),
  );
}

function smallestGapMm(dice: readonly DiePose[], tray: TraySettings): number {
  return Math.min(...dice.flatMap((a, i) => dice.slice(i + 1).map((b) => gapMm(a, b, tray.edgeMm))));
}
