import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Face } from '../src/core/rules/dice.ts';
import { DiceCamera } from './dice-camera.ts';
import { finalPoses, loadPhysics, posesAt, type TraySettings, throwDice } from './dice-physics.ts';
import { rotationWithTop } from './die-body.ts';
import { trayOf } from './machine.ts';
import { labelOf } from './picture-label.ts';
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

/** Pictures for `calibrate fit`: each face twice alone, then three dice together. */
const singleCount = 12;
const tripleCount = 6;
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
];

/** Writes pictures and `labels.jsonl` of one rig: an empty tray, calibration pictures, test throws. The same order gives the same scenes.
 *  @returns how many pictures of each class were written. */
export async function makeLabelledSet(order: LabelledSetOrder): Promise<Readonly<Record<string, number>>> {
  await loadPhysics();
  await mkdir(order.folder, { recursive: true });
  const { rig } = order;
  const random = seededRandom(order.seed * 131 + 3);
  const camera = new DiceCamera(rig, order.seed + 17);
  const tray = trayOf(rig);
  const lines: string[] = [];
  const counts: Record<string, number> = {};
  const write = async (
    kind: 'empty_ref' | 'calib' | 'test',
    scene: Scene,
    lighting: string,
    moments: readonly (readonly DiePose[])[] | null = null,
  ): Promise<void> => {
    camera.show(scene, moments);
    const file = `${rig.name}_${String(lines.length).padStart(4, '0')}.jpg`;
    await writeFile(join(order.folder, file), await camera.jpeg());
    const label = labelOf(rig, scene, (x, y) => camera.glareAt(x, y));
    // A single die for calibration is no throw; three of them could be one, and are marked as valid.
    const shown = kind === 'calib' ? { ...label, class: 'calib', valid: scene.dice.length === 3 } : label;
    counts[shown.class] = (counts[shown.class] ?? 0) + 1;
    const fixed = {
      file,
      rig: rig.name,
      kind,
      style: rig.die.style,
      floor: rig.floor,
      resolution: [rig.camera.widthPx, rig.camera.heightPx],
      lighting,
    };
    const detail = scene.objects[0]?.kind;
    lines.push(JSON.stringify({ ...fixed, ...shown, ...(detail === undefined ? {} : { detail }) }));
  };
  await write('empty_ref', stageScene('empty', 0, tray), 'base');
  for (let i = 0; i < singleCount; i += 1) await write('calib', single(((i % 6) + 1) as Face, random, tray), 'base');
  for (let i = 0; i < tripleCount; i += 1) await write('calib', stageScene('flat', order.seed * 1000 + i, tray), 'base');
  let from: readonly DiePose[] | null = null;
  for (let i = 0; i < order.throwCount; i += 1) {
    const [lighting, name] = order.isPlain === true ? ([baseLighting, 'base'] as const) : lightingOf(random, rig);
    if (name !== 'base') camera.setLighting(lighting);
    if (order.isPlain !== true && i % stagedEvery === stagedEvery - 1) {
      const kind = stagedKinds[Math.floor(i / stagedEvery) % stagedKinds.length] ?? 'flat';
      const seed = order.seed * 100_003 + i;
      if (kind === 'moving') {
        const flight = inFlight(tray, seed, random);
        await write('test', flight.scene, name, flight.moments);
      }
      if (kind !== 'moving') await write('test', stageScene(kind, seed, tray), name);
    } else {
      const trajectory = throwDice(tray, { seed: order.seed * 100_003 + i, tumbleCount: 3, from });
      from = finalPoses(trajectory);
      await write('test', { dice: from, objects: [], isMoving: trajectory.settledMs === null }, name);
    }
    if (name !== 'base') camera.setLighting(baseLighting);
  }
  await writeFile(join(order.folder, 'labels.jsonl'), `${lines.join('\n')}\n`);
  return counts;
}

function single(value: Face, random: SeededRandom, tray: TraySettings): Scene {
  const reach = (tray.trayRadiusMm - tray.edgeMm * 0.8) * Math.sqrt(random.next());
  const angle = random.between(0, 2 * Math.PI);
  const rotation = rotationWithTop(value, random.between(0, 2 * Math.PI));
  const die: DiePose = { position: [reach * Math.cos(angle), reach * Math.sin(angle), tray.edgeMm / 2], rotation };
  return { dice: [die], objects: [], isMoving: false };
}

function inFlight(
  tray: TraySettings,
  seed: number,
  random: SeededRandom,
): { readonly scene: Scene; readonly moments: readonly (readonly DiePose[])[] } {
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
