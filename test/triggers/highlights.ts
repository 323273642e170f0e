import { topFaceOf } from '../../hardware-sim/die-body.ts';
import { labelOf, pipPlaces } from '../../hardware-sim/picture-label.ts';
import type { Scene } from '../../hardware-sim/scene-truth.ts';
import { type SeededRandom, seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { Dice } from '../../src/core/rules/dice.ts';
import { diceApart, tripletOf } from './laid-dice.ts';
import { ellipseOfLight, inTurn, lampCast, type PixelChange, windowReflection } from './picture-changes.ts';
import type { Trigger } from './trigger.ts';
import type { TriggerRig } from './trigger-rig.ts';

const lights = ['plain', 'highlight in each pip', 'ellipse over pips', 'window over two dice', 'cast of own lamps'] as const;
type Light = (typeof lights)[number];

/** Share of plain pictures that must be read. */
const plainShareMin = 0.995;

/** DICE-01: highlights on glossy dice and dome, drawn over rendered throws on which the rig's own reflections do not lie. */
export const highlights: Trigger = {
  id: 'DICE-01',
  title: 'glare and highlights on dice and dome',
  rigs: 'all-dice',
  fullCount: 2_000,
  sampleCount: 50,
  unit: 'pictures',
  run: async (bench) => {
    for (let i = 0; i < bench.count; i += 1) {
      const light = lights[i % lights.length] as Light;
      // The same five throws under each light.
      const lap = Math.floor(i / lights.length);
      const rig = bench.rigOf(lap);
      const values = tripletOf((lap * 101) % 216);
      const scene = inTheClear(rig, lap, values);
      rig.camera.show(scene);
      const change = light === 'plain' ? null : lightOver(light, rig, scene, seededRandom(i * 29 + 5));
      bench.read(rig, light, i, await rig.jpeg(change), values);
    }
    const plain = bench.classes.get('plain');
    if (plain !== undefined) {
      const count = plain.right + plain.refused + plain.wrong;
      // Of a sample's ten pictures one may be refused.
      const isFull = count >= 1 / (1 - plainShareMin);
      const share = plain.right / count;
      const wanted = isFull ? plainShareMin : 0.9;
      bench.claim(`plain pictures are read, at least ${100 * wanted} %`, share >= wanted, `${plain.right} of ${count}`);
    }
  },
};

/** Three dice apart on which no reflection of the rig's own dome lies. */
function inTheClear(rig: TriggerRig, seed: number, values: Dice): Scene {
  const random = seededRandom(seed * 31 + 1);
  for (let turn = 0; turn < 200; turn += 1) {
    const scene = diceApart(values, random, rig.tray);
    const glareMax = Math.max(
      ...labelOf(rig.simulated, scene, () => 0).dice.flatMap(({ centre_px, size_px }) => {
        const looks = [-0.6, -0.3, 0, 0.3, 0.6];
        return looks.flatMap((u) => looks.map((v) => rig.camera.glareAt(centre_px[0] + u * size_px, centre_px[1] + v * size_px)));
      }),
    );
    if (glareMax < 0.02) return scene;
  }
  throw new RangeError(`no place without glare on ${rig.name}`);
}

function lightOver(light: Exclude<Light, 'plain'>, rig: TriggerRig, { dice }: Scene, random: SeededRandom): PixelChange {
  const { edgeMm } = rig.tray;
  const pips = dice.map((pose) => pipPlaces(pose, topFaceOf(pose).value, edgeMm).map((place) => rig.project(place)));
  const pipPx = rig.simulated.die.pipRadiusShare * rig.edgePx;
  switch (light) {
    case 'highlight in each pip': {
      // All from the same lamp: as large, as bright and as far off the middle in every pip. The larger ones leave a ring.
      const size = random.between(0.25, 0.8) * pipPx;
      const [away, heading] = [random.between(0, 0.5) * pipPx, random.between(0, 2 * Math.PI)];
      const peak = random.between(0.4, 1.2);
      return inTurn(
        ...pips
          .flat()
          .map(([x, y]) =>
            ellipseOfLight([x + away * Math.cos(heading), y + away * Math.sin(heading)], [size, size], 0, { peak }),
          ),
      );
    }
    case 'ellipse over pips': {
      const ofDie = random.pick(pips);
      const first = random.pick(ofDie);
      const others = ofDie.filter((pip) => pip !== first).sort((a, b) => distance(a, first) - distance(b, first));
      const second = others[0] ?? first;
      const isOverTwo = random.next() < 0.5;
      const [x, y] = isOverTwo ? [(first[0] + second[0]) / 2, (first[1] + second[1]) / 2] : first;
      const along = (isOverTwo ? distance(first, second) / 2 : 0) + random.between(0.7, 1.8) * pipPx;
      const angle = isOverTwo ? Math.atan2(second[1] - first[1], second[0] - first[0]) : random.between(0, Math.PI);
      return ellipseOfLight([x, y], [along, random.between(0.7, 1.6) * pipPx], angle, { softPx: random.between(1, 4) });
    }
    case 'window over two dice': {
      const [a, b] = dice.map(({ position }) => rig.project([position[0], position[1], edgeMm]));
      if (a === undefined || b === undefined) throw new RangeError('two dice are needed');
      const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] as const;
      const halfWidth = distance(a, b) / 2 + random.between(-0.2, 0.6) * rig.edgePx;
      const angle = Math.atan2(b[1] - a[1], b[0] - a[0]) + random.between(-0.2, 0.2);
      return windowReflection(middle, [halfWidth, random.between(0.3, 0.9) * rig.edgePx], angle, random.between(0.1, 0.8));
    }
    case 'cast of own lamps': {
      // White, red, amber or green zones light up beside the tray.
      const colour = random.pick([[1, 1, 1] as const, [1, 0.1, 0.05] as const, [1, 0.6, 0.1] as const, [0.1, 1, 0.2] as const]);
      const strength = random.between(0.05, 0.5);
      return lampCast(random.between(0, 2 * Math.PI), [colour[0] * strength, colour[1] * strength, colour[2] * strength]);
    }
    default:
      return light satisfies never;
  }
}

function distance(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}
