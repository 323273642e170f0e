import { rotationWithTop } from '../../hardware-sim/die-body.ts';
import { leanScene } from '../../hardware-sim/lean-scene.ts';
import type { DiePose } from '../../hardware-sim/rotation.ts';
import { gapMm, type Scene, sceneTruth } from '../../hardware-sim/scene-truth.ts';
import { type SeededRandom, seededRandom } from '../../hardware-sim/seeded-random.ts';
import { type StagedKind, stageScene } from '../../hardware-sim/stage-scene.ts';
import type { Face } from '../../src/core/rules/dice.ts';
import { diceApart } from './laid-dice.ts';
import { coveredBy, type PixelChange, paintedPatch } from './picture-changes.ts';
import type { Trigger } from './trigger.ts';
import type { TriggerRig } from './trigger-rig.ts';

const kinds = [
  'leans on the wall',
  'leans on a die',
  'die on a die',
  'die flush on a die',
  'two dice',
  'four dice',
  'crumb',
  'sticker',
  'chip',
  'coin',
  'die half under the bezel',
  'die on the rim',
] as const;
type Kind = (typeof kinds)[number];

const staged: Readonly<Partial<Record<Kind, StagedKind>>> = {
  'die on a die': 'stacked',
  'die flush on a die': 'stacked-flush',
  'two dice': 'two-dice',
  'four dice': 'four-dice',
  crumb: 'crumb',
  chip: 'chip',
  coin: 'coin',
  'die on the rim': 'on-rim-top',
};

/** Leans of the report, degrees. */
const leanDeg: readonly [number, number] = [10, 45];

/** Light of the dome's reflections, linear, from which nothing is seen below them. */
const glareShareMax = 0.1;

interface Shown {
  readonly scene: Scene;
  readonly change: PixelChange | null;
}

/** DICE-06: anything but three flat dice and nothing else. No result from any of it, each refusal with its cause. */
export const notThreeFlat: Trigger = {
  id: 'DICE-06',
  title: 'not three flat dice',
  rigs: 'all-dice',
  fullCount: 1_260,
  sampleCount: 36,
  unit: 'pictures',
  run: async (bench) => {
    for (let i = 0; i < bench.count; i += 1) {
      const kind = kinds[i % kinds.length] as Kind;
      const rig = bench.rigOf(Math.floor(i / kinds.length));
      const { scene, change } = await shown(kind, rig, i);
      rig.camera.show(scene);
      bench.read(rig, kind, i, await rig.jpeg(change), null);
    }
  },
};

async function shown(kind: Kind, rig: TriggerRig, seed: number): Promise<Shown> {
  const random = seededRandom(seed * 43 + 13);
  const stagedKind = staged[kind];
  if (stagedKind !== undefined) return { scene: stageScene(stagedKind, seed + 1, rig.tray), change: null };
  if (kind === 'leans on the wall' || kind === 'leans on a die')
    return { scene: leaning(kind === 'leans on the wall' ? 'wall' : 'die', rig, seed), change: null };
  return kind === 'sticker' ? withSticker(rig, random) : underBezel(rig, random);
}

/** One die leans by 10 to 45 degrees, its raised edge caught or its lower side propped. */
function leaning(on: 'wall' | 'die', rig: TriggerRig, seed: number): Scene {
  const random = seededRandom(seed * 47 + 1);
  for (let turn = 0; ; turn += 1) {
    const how = random.pick(['raised', 'propped'] as const);
    // 45 degrees themselves have two top faces.
    const scene = leanScene(random.between(leanDeg[0], leanDeg[1] - 0.5), `${how}-by-${on}`, seed * 7 + turn, rig.tray);
    if (sceneTruth(scene, rig.tray.edgeMm, rig.tray.trayRadiusMm).class === 'tilted') return scene;
  }
}

/** A square of dark or pale paper of 3 to 9 mm on the floor. */
function withSticker(rig: TriggerRig, random: SeededRandom): Shown {
  const { tray } = rig;
  const scene = diceApart([pip(random), pip(random), pip(random)], random, tray);
  for (let turn = 0; turn < 500; turn += 1) {
    const half = random.between(1.5, 4.5);
    const reach = (tray.trayRadiusMm - 2 * half) * Math.sqrt(random.next());
    const angle = random.between(0, 2 * Math.PI);
    const [x, y] = [reach * Math.cos(angle), reach * Math.sin(angle)];
    const isClear = scene.dice.every(
      ({ position }) => Math.hypot(position[0] - x, position[1] - y) > 0.72 * tray.edgeMm + 1.5 * half + 0.5,
    );
    if (!isClear) continue;
    const corners = [0, 1, 2, 3].map((k) => {
      const turned = angle + (k * Math.PI) / 2;
      return rig.project([x + Math.SQRT2 * half * Math.cos(turned), y + Math.SQRT2 * half * Math.sin(turned), 0]);
    });
    const colour = random.pick([[18, 18, 20] as const, [200, 200, 195] as const, [180, 30, 30] as const]);
    // The dome's reflections lie over it.
    return { scene, change: paintedPatch(corners, colour, (px, py) => rig.camera.glareAt(px, py) < glareShareMax) };
  }
  throw new RangeError('no place for a sticker in 500 tries');
}

/** One die whose middle lies below the inner edge of a bezel that covers the tray's border: half of it shows. */
async function underBezel(rig: TriggerRig, random: SeededRandom): Promise<Shown> {
  const { tray } = rig;
  const { heightMm } = tray.rim;
  const empty: Scene = { dice: [], objects: [], isMoving: false };
  rig.camera.show(empty);
  let cover = new Uint8ClampedArray(0);
  await rig.jpeg(({ data }) => {
    cover = Uint8ClampedArray.from(data);
  });
  const middle = rig.project([0, 0, heightMm]);
  const rim = [0, 1, 2, 3].map((k) => {
    const angle = (k * Math.PI) / 2;
    const [x, y] = rig.project([tray.trayRadiusMm * Math.cos(angle), tray.trayRadiusMm * Math.sin(angle), heightMm]);
    return Math.hypot(x - middle[0], y - middle[1]);
  });
  const radiusPx = rim.reduce((sum, px) => sum + px, 0) / rim.length;
  const change = coveredBy(cover, (x, y) => Math.hypot(x - middle[0], y - middle[1]) > radiusPx);
  for (let turn = 0; turn < 500; turn += 1) {
    const [, b, c] = diceApart([1, pip(random), pip(random)], random, tray).dice;
    const angle = random.between(0, 2 * Math.PI);
    const rotation = rotationWithTop(pip(random), random.between(0, 2 * Math.PI));
    const reach = tray.trayRadiusMm + random.between(-1, 1);
    const die: DiePose = { position: [reach * Math.cos(angle), reach * Math.sin(angle), tray.edgeMm / 2], rotation };
    if (b !== undefined && c !== undefined && [b, c].every((other) => gapMm(die, other, tray.edgeMm) > 1))
      return { scene: { dice: [die, b, c], objects: [], isMoving: false }, change };
  }
  throw new RangeError('no place for a die under the bezel in 500 tries');
}

function pip(random: SeededRandom): Face {
  return (1 + random.index(6)) as Face;
}
