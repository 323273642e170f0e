import { parseArgs } from 'node:util';
import { turnedBy } from './crowded-scenes.ts';
import { finalPoses, loadPhysics, posesAt, type TraySettings, throwDice } from './dice-physics.ts';
import { LabelledSetWriter } from './labelled-set-writer.ts';
import { baseLighting, demoRig, type Lighting, type Rig, randomRig } from './rig.ts';
import type { DiePose } from './rotation.ts';
import type { Scene } from './scene-truth.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { type StagedKind, stageScene } from './stage-scene.ts';

export interface LabelledSetOrder {
  readonly rig: Rig;
  readonly folder: string;
  /** Test throws; the empty tray and the calibration pictures come on top. */
  readonly throwCount: number;
  readonly seed: number;
  /** Only thrown dice under the rig's own light, no staged scenes; false mixes in leaning, stacked, foreign and lighting faults. */
  readonly isPlain?: boolean;
}

/** Every third test picture is staged, so that each refused class appears; the others are thrown. */
const stagedEvery = 3;
const stagedKinds: readonly StagedKind[] = [
  'touching',
  'leaning-on-die',
  'stacked',
  'slight-lean',
  'leaning-on-wall',
  'two-dice',
  'touching',
  'on-rim',
  'chip',
  'moving',
  'coin',
  'hand',
  'crumb',
  'empty',
  'enclosing',
  'at-wall',
  'stacked-flush',
  'on-rim-top',
  'turning',
  'four-dice',
];
/** Turn of a die during the exposure, radians: at 9 ms, 12 to 60 radians a second, the last of a die that spins on its face. */
const sweepRad: readonly [number, number] = [0.11, 0.54];
/** What the label tells of a staged scene beyond its class. */
const told: readonly StagedKind[] = [
  'enclosing',
  'at-wall',
  'stacked-flush',
  'on-rim-top',
  'turning',
  'four-dice',
  'two-dice',
  'on-rim',
];

/** Writes pictures and `labels.jsonl` of one rig: an empty tray, calibration pictures, test throws. The same order gives the same scenes.
 *  @returns how many pictures of each class were written. */
export async function makeLabelledSet(order: LabelledSetOrder): Promise<Readonly<Record<string, number>>> {
  await loadPhysics();
  const { rig } = order;
  const random = seededRandom(order.seed * 131 + 3);
  const set = await LabelledSetWriter.open(rig, order.folder, order.seed + 17);
  const { camera, tray } = set;
  await set.writeCalibration(random, order.seed);
  let from: readonly DiePose[] | null = null;
  for (let i = 0; i < order.throwCount; i += 1) {
    const [lighting, name] = order.isPlain === true ? ([baseLighting, 'base'] as const) : lightingOf(random, rig);
    if (name !== 'base') camera.setLighting(lighting);
    if (order.isPlain !== true && i % stagedEvery === stagedEvery - 1) {
      const kind = stagedKinds[Math.floor(i / stagedEvery) % stagedKinds.length] ?? 'flat';
      const seed = order.seed * 100_003 + i;
      const detail = told.includes(kind) ? { detail: kind } : {};
      const { scene, moments } = kind === 'moving' ? inFlight(tray, seed, random) : stagedWithMoments(kind, seed, tray);
      await set.write(scene, { kind: 'test', lighting: name, moments, ...detail });
    } else {
      const trajectory = throwDice(tray, { seed: order.seed * 100_003 + i, tumbleCount: 3, from });
      from = finalPoses(trajectory);
      await set.write({ dice: from, objects: [], isMoving: trajectory.settledMs === null }, { kind: 'test', lighting: name });
    }
    if (name !== 'base') camera.setLighting(baseLighting);
  }
  return set.close();
}

interface Shot {
  readonly scene: Scene;
  readonly moments: readonly (readonly DiePose[])[] | null;
}

function stagedWithMoments(kind: StagedKind, seed: number, tray: TraySettings): Shot {
  const scene = stageScene(kind, seed, tray);
  // A stream of its own, so that the light of later pictures does not depend on it.
  const sweep = seededRandom(seed + 5).between(...sweepRad);
  return { scene, moments: kind === 'turning' ? turnedBy(scene.dice, sweep) : null };
}

function inFlight(tray: TraySettings, seed: number, random: SeededRandom): Shot {
  const trajectory = throwDice(tray, { seed, tumbleCount: 1, from: null });
  const atMs = (trajectory.tumbles[0]?.atMs ?? 0) + random.between(40, 220);
  const moments = [0, 4, 8].map((lag) => posesAt(trajectory, atMs - lag));
  return { scene: { dice: posesAt(trajectory, atMs - 4), objects: [], isMoving: true }, moments };
}

function lightingOf(random: SeededRandom, rig: Rig): readonly [Lighting, string] {
  const chance = random.next();
  if (chance < 0.04) return [{ ...baseLighting, failedLamp: random.index(rig.lamps.length) }, 'lamp_fail'];
  if (chance < 0.08) return [{ ...baseLighting, gain: random.between(0.4, 0.65) }, 'dark'];
  if (chance < 0.11) return [{ ...baseLighting, gain: random.between(1.25, 1.5) }, 'bright'];
  if (chance < 0.15)
    return [{ ...baseLighting, tint: [random.between(0.85, 1.15), 1, random.between(0.7, 1.25)] }, 'colour_cast'];
  return [baseLighting, 'base'];
}

/** `node make-labelled-set.js --out FOLDER [--rig demo|SEED] [--throws N] [--seed N] [--plain]`. Prints the counts as JSON. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      rig: { type: 'string', default: 'demo' },
      throws: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      plain: { type: 'boolean', default: false },
    },
  });
  if (values.out === undefined) throw new Error('--out FOLDER is missing');
  const rig = values.rig === 'demo' ? demoRig() : randomRig(Number(values.rig));
  const counts = await makeLabelledSet({
    rig,
    folder: values.out,
    throwCount: Number(values.throws),
    seed: Number(values.seed),
    isPlain: values.plain,
  });
  process.stdout.write(`${JSON.stringify(counts)}\n`);
}

if (process.argv[1]?.endsWith('make-labelled-set.js') === true) await main();
