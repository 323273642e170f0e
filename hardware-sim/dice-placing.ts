import type { Face } from '../src/core/rules/dice.ts';
import type { TraySettings } from './dice-physics.ts';
import { cubeCorners, rotationWithTop } from './die-body.ts';
import { type DiePose, product, turnAbout, type Vec3 } from './rotation.ts';
import { gapMm } from './scene-truth.ts';
import type { SeededRandom } from './seeded-random.ts';

/** One flat die anywhere in the tray. */
export function flatDie(random: SeededRandom, tray: TraySettings): DiePose {
  const reach = (tray.trayRadiusMm - tray.edgeMm * 0.75) * Math.sqrt(random.next());
  const angle = random.between(0, 2 * Math.PI);
  const value = (1 + random.index(6)) as Face;
  const rotation = rotationWithTop(value, random.between(0, 2 * Math.PI));
  return { position: [reach * Math.cos(angle), reach * Math.sin(angle), tray.edgeMm / 2], rotation };
}

/** Three flat dice at least 1 mm apart. */
export function flatDice(random: SeededRandom, tray: TraySettings): readonly [DiePose, DiePose, DiePose] {
  for (;;) {
    const dice = [flatDie(random, tray), flatDie(random, tray), flatDie(random, tray)] as const;
    const [a, b, c] = dice;
    if (Math.min(gapMm(a, b, tray.edgeMm), gapMm(b, c, tray.edgeMm), gapMm(a, c, tray.edgeMm)) > 1) return dice;
  }
}

/** A pose shifted by a share of a way. */
export function movedBy(pose: DiePose, by: Vec3, share: number): DiePose {
  const [x, y, z] = pose.position;
  return { position: [x + by[0] * share, y + by[1] * share, z + by[2] * share], rotation: pose.rotation };
}

/** Slides `die` towards `to` until the gap is `wantedMm`, or leaves it where the gap never gets that small. */
export function slidUntilGap(die: DiePose, to: DiePose, wantedMm: number, edgeMm: number): DiePose {
  const by: Vec3 = [to.position[0] - die.position[0], to.position[1] - die.position[1], 0];
  let [near, far] = [0, 1];
  for (let turn = 0; turn < 40; turn += 1) {
    const middle = (near + far) / 2;
    if (gapMm(movedBy(die, by, middle), to, edgeMm) > wantedMm) near = middle;
    else far = middle;
  }
  return movedBy(die, by, near);
}

/** Slides a die outwards until a corner touches the wall. @param out level unit direction. */
export function slidToWall(pose: DiePose, out: Vec3, tray: TraySettings): DiePose {
  let [near, far] = [0, tray.trayRadiusMm];
  for (let step = 0; step < 40; step += 1) {
    const middle = (near + far) / 2;
    if (outermostMm(movedBy(pose, out, middle), tray) < tray.trayRadiusMm) near = middle;
    else far = middle;
  }
  return movedBy(pose, out, near);
}

/** Distance of a die's outermost corner from the tray's axis, mm. */
export function outermostMm(pose: DiePose, tray: TraySettings): number {
  return Math.max(...cubeCorners(pose, tray.edgeMm).map((corner) => Math.hypot(corner[0], corner[1])));
}

/** Tilts a flat die about a level axis through its lowest edge, so that it still stands on the floor. */
export function leant(
  pose: DiePose,
  tiltDeg: number,
  random: SeededRandom,
  tray: TraySettings,
  headingRad = random.between(0, 2 * Math.PI),
): DiePose {
  const axis: Vec3 = [Math.cos(headingRad), Math.sin(headingRad), 0];
  const rotation = product(turnAbout(axis, (tiltDeg * Math.PI) / 180), pose.rotation);
  const lowest = Math.min(...cubeCorners({ position: pose.position, rotation }, tray.edgeMm).map((corner) => corner[2]));
  return { position: [pose.position[0], pose.position[1], pose.position[2] - lowest], rotation };
}
