import type { TraySettings } from '../../hardware-sim/dice-physics.ts';
import { flatDie, outermostMm } from '../../hardware-sim/dice-placing.ts';
import { rotationWithTop } from '../../hardware-sim/die-body.ts';
import type { DiePose } from '../../hardware-sim/rotation.ts';
import { gapMm, type Scene } from '../../hardware-sim/scene-truth.ts';
import type { SeededRandom } from '../../hardware-sim/seeded-random.ts';
import type { Dice, Face } from '../../src/core/rules/dice.ts';

/** A flat die of a group, in the group's own axes: place in mm, turn in radians. */
export interface LaidDie {
  readonly value: Face;
  readonly atMm: readonly [number, number];
  readonly yawRad: number;
}

/** Farthest that the corners of laid dice come to the wall, mm. */
const wallGapMm = 0.5;
/** Nearest that dice lie which are to lie apart, mm. */
const apartMm = 1.5;

/** Each of the 216 throws of three dice by its number, 0 to 215. */
export function tripletOf(number: number): Dice {
  const face = (place: number): Face => (1 + (Math.floor(number / place) % 6)) as Face;
  return [face(1), face(6), face(36)];
}

/** Turns a group by chance, puts it somewhere in the tray, and lays the `apart` dice where there is room for them. */
export function laidOut(group: readonly LaidDie[], apart: readonly Face[], random: SeededRandom, tray: TraySettings): Scene {
  for (let turn = 0; turn < 2_000; turn += 1) {
    const angle = random.between(0, 2 * Math.PI);
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const reach = (tray.trayRadiusMm - tray.edgeMm * 0.75) * Math.sqrt(random.next());
    const heading = random.between(0, 2 * Math.PI);
    const dice = group.map(({ value, atMm: [x, y], yawRad }): DiePose => {
      const [px, py] = [reach * Math.cos(heading) + c * x - s * y, reach * Math.sin(heading) + s * x + c * y];
      return { position: [px, py, tray.edgeMm / 2], rotation: rotationWithTop(value, angle + yawRad) };
    });
    for (const value of apart) {
      const die = flatDie(random, tray);
      dice.push({ position: die.position, rotation: rotationWithTop(value, random.between(0, 2 * Math.PI)) });
    }
    const isClear = dice.every((die, i) => {
      if (outermostMm(die, tray) > tray.trayRadiusMm - wallGapMm) return false;
      return i < group.length || dice.slice(0, i).every((other) => gapMm(die, other, tray.edgeMm) >= apartMm);
    });
    if (isClear) return { dice, objects: [], isMoving: false };
  }
  throw new RangeError('no place for the dice in 2,000 tries');
}

/** A quarter turn by chance, which a square does not show but a 2, a 3 and a 6 do. */
export function quarterTurn(random: SeededRandom): number {
  return (random.index(4) * Math.PI) / 2;
}

/** Three flat dice somewhere, apart. */
export function diceApart(values: Dice, random: SeededRandom, tray: TraySettings): Scene {
  return laidOut([], values, random, tray);
}
