import type { Face } from '../src/core/rules/dice.ts';
import type { TraySettings } from './dice-physics.ts';
import { flatDice, outermostMm, slidToWall, slidUntilGap } from './dice-placing.ts';
import { cubeCorners, rotationWithTop } from './die-body.ts';
import { type DiePose, product, turnAbout, type Vec3 } from './rotation.ts';
import { gapMm, type Scene } from './scene-truth.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** What keeps a die from falling flat.
 *  - `raised-by-die`, `raised-by-wall`: its raised edge is caught on the side of a die or on the wall (a rough side, or another thing at its foot);
 *  - `propped-by-die`, `propped-by-wall`: the top of its lower side rests against them, and something small lies under the raised edge;
 *  - `grain`: only something small under the die, out of sight. */
export type LeanSupport = 'raised-by-die' | 'raised-by-wall' | 'propped-by-die' | 'propped-by-wall' | 'grain';

export const leanSupports: readonly LeanSupport[] = [
  'raised-by-die',
  'raised-by-wall',
  'propped-by-die',
  'propped-by-wall',
  'grain',
];

/** Nearest a leaning die comes to what holds it, mm. */
const contactGapMm = 0.02;
/** Nearest that it comes to the dice that do not hold it, mm. */
const clearGapMm = 1;

/** Three dice of which the first leans by exactly `tiltDeg` degrees (0 to 45); 0 gives the same places with the die flat against its support.
 *  The same seed, support and tray give the same places as far as the lean allows. */
export function leanScene(tiltDeg: number, support: LeanSupport, seed: number, tray: TraySettings): Scene {
  const random = seededRandom(seed * 37 + 11);
  for (let turn = 0; turn < 500; turn += 1) {
    const [, b, c] = flatDice(random, tray);
    const dice = leaningFirst(tiltDeg, support, [b, c], random, tray);
    const [a] = dice;
    const clear = Math.min(gapMm(a, c, tray.edgeMm), isByDie(support) ? clearGapMm : gapMm(a, b, tray.edgeMm));
    if (clear >= clearGapMm && isInside(a, tray)) return { dice, objects: [], isMoving: false };
  }
  throw new RangeError('no place for a leaning die in 500 tries');
}

function isByDie(support: LeanSupport): boolean {
  return support === 'raised-by-die' || support === 'propped-by-die';
}

function leaningFirst(
  tiltDeg: number,
  support: LeanSupport,
  [b, c]: readonly [DiePose, DiePose],
  random: SeededRandom,
  tray: TraySettings,
): readonly [DiePose, DiePose, DiePose] {
  const value = (1 + random.index(6)) as Face;
  const heading = random.between(0, 2 * Math.PI);
  const reach = (tray.trayRadiusMm - tray.edgeMm) * Math.sqrt(random.next());
  const faceTurn = random.index(4) * (Math.PI / 2);
  if (isByDie(support)) {
    // In a direction from the other die, with an edge facing it; both edges parallel as often as not.
    const around = random.next() < 0.5 ? yawOf(b) + faceTurn : heading;
    const start: Vec3 = [b.position[0] - 40 * Math.cos(around), b.position[1] - 40 * Math.sin(around), 0];
    const leaning = tilted(start, value, around, support === 'raised-by-die' ? -tiltDeg : tiltDeg, tray);
    return [slidUntilGap(leaning, b, contactGapMm, tray.edgeMm), b, c];
  }
  if (support === 'grain') {
    // Over a bottom edge, or over a corner.
    const axis = heading + (random.next() < 0.75 ? 0 : Math.PI / 4);
    const start: Vec3 = [reach * Math.cos(heading + 1), reach * Math.sin(heading + 1), 0];
    return [tilted(start, value, heading, tiltDeg, tray, axis), b, c];
  }
  const leaning = tilted([0, 0, 0], value, heading, support === 'raised-by-wall' ? -tiltDeg : tiltDeg, tray);
  return [slidToWall(leaning, [Math.cos(heading), Math.sin(heading), 0], tray), b, c];
}

/** A die at a place, with an edge facing `heading`, turned so that its top moves towards `towards` by `tiltDeg` and its lowest point is on the floor. */
function tilted(
  [x, y]: Vec3,
  value: Face,
  heading: number,
  tiltDeg: number,
  tray: TraySettings,
  towards: number = heading,
): DiePose {
  const axis: Vec3 = [Math.cos(towards + Math.PI / 2), Math.sin(towards + Math.PI / 2), 0];
  const rotation = product(turnAbout(axis, (tiltDeg * Math.PI) / 180), rotationWithTop(value, heading));
  const pose: DiePose = { position: [x, y, tray.edgeMm / 2], rotation };
  const lowest = Math.min(...cubeCorners(pose, tray.edgeMm).map((corner) => corner[2]));
  return { position: [x, y, tray.edgeMm / 2 - lowest], rotation };
}

function isInside(pose: DiePose, tray: TraySettings): boolean {
  return outermostMm(pose, tray) < tray.trayRadiusMm;
}

/** Turn of a flat die's edges about the vertical, to a quarter turn. */
function yawOf(pose: DiePose): number {
  const [first, second] = cubeCorners(pose, 1);
  if (first === undefined || second === undefined) return 0;
  // Corners 0 and 1 differ along a body axis, which is level or upright on a flat die; of an upright one take the next.
  const level = Math.hypot(second[0] - first[0], second[1] - first[1]) > 0.5 ? second : (cubeCorners(pose, 1)[2] ?? second);
  return Math.atan2(level[1] - first[1], level[0] - first[0]);
}
