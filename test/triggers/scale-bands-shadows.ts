import type { DiceCamera } from '../../hardware-sim/dice-camera.ts';
import type { Scene } from '../../hardware-sim/scene-truth.ts';
import { type SeededRandom, seededRandom } from '../../hardware-sim/seeded-random.ts';
import { defaultPlay } from '../../src/config/play-keys.ts';
import { diceApart, type LaidDie, laidOut, tripletOf } from './laid-dice.ts';
import { flickerBands, gaussianBlur, hardShadow, type PixelChange, swungBy } from './picture-changes.ts';
import type { Trigger, TriggerBench } from './trigger.ts';
import type { TriggerRig } from './trigger-rig.ts';
import { WatchedTray } from './watched-tray.ts';

const kinds = [
  'plain',
  'scale',
  'flicker bands',
  'shadow of a die on a die',
  'dice of 3 mm more',
  'out of focus',
  'smeared along a row',
] as const;
type Kind = (typeof kinds)[number];

/** Zoom of the camera over that of the calibration, per cent. */
const scales = [80, 85, 90, 95, 98, 99, 101, 102, 105, 110, 115, 120];
/** Those that last for rounds, and the rounds within which the table must ask for a calibration. */
const lastingScales = [80, 90, 95, 105, 110, 120];
const roundsMax = 3;
/** Largest edge of dice that are known, mm. */
const edgeMmMax = 22;

/** DICE-11: scale 80 to 120 %, sine bands 10 to 60 % deep, hard shadow of die on die, dice 3 mm larger, blur until a 6 is two bars. */
export const scaleBandsShadows: Trigger = {
  id: 'DICE-11',
  title: 'scale, bands of mains light, hard shadows, blur',
  rigs: 'all-dice',
  fullCount: 1_176,
  sampleCount: 42,
  unit: 'pictures',
  run: async (bench) => {
    for (let i = 0; i < bench.count; i += 1) {
      const kind = kinds[i % kinds.length] as Kind;
      const lap = Math.floor(i / kinds.length);
      const rig = bench.rigOf(lap);
      const values = tripletOf((i * 101) % 216);
      const random = seededRandom(i * 61 + 8);
      // Two pictures at each scale before the next: another scale draws the whole table anew.
      const camera = cameraOf(kind, rig, Math.floor(lap / bench.rigs.length / 2));
      // A shadow falls from a die onto its neighbour.
      const scene = kind === 'shadow of a die on a die' ? neighbours(values, random, rig) : diceApart(values, random, rig.tray);
      camera.show(scene);
      bench.read(rig, kind, i, await rig.jpeg(changeOf(kind, rig, scene, random), camera), values);
    }
    await lastingScale(bench);
  },
};

function cameraOf(kind: Kind, rig: TriggerRig, lap: number): DiceCamera {
  if (kind === 'dice of 3 mm more') return largerDice(rig);
  return kind === 'scale' ? zoomed(rig, scales[(lap * 5) % scales.length] ?? 80) : rig.camera;
}

function zoomed(rig: TriggerRig, percent: number): DiceCamera {
  return rig.otherCamera(`zoom ${percent}`, (own) => ({
    ...own,
    camera: { ...own.camera, focalPx: (own.camera.focalPx * percent) / 100 },
  }));
}

function largerDice(rig: TriggerRig): DiceCamera {
  return rig.otherCamera('larger dice', (own) => ({
    ...own,
    die: { ...own.die, edgeMm: Math.min(edgeMmMax, own.die.edgeMm + 3) },
  }));
}

function neighbours([a, b, c]: ReturnType<typeof tripletOf>, random: SeededRandom, { tray }: TriggerRig): Scene {
  const next = tray.edgeMm * random.between(1.1, 1.6);
  const laid = (value: LaidDie['value'], x: number): LaidDie => ({ value, atMm: [x, 0], yawRad: random.between(0, 2 * Math.PI) });
  return laidOut([laid(a, 0), laid(b, next + tray.edgeMm * 0.15)], [c], random, tray);
}

function changeOf(kind: Kind, rig: TriggerRig, { dice }: Scene, random: SeededRandom): PixelChange | null {
  const { edgePx } = rig;
  const heading = random.between(0, 2 * Math.PI);
  switch (kind) {
    case 'plain':
    case 'scale':
    case 'dice of 3 mm more':
      return null;
    case 'flicker bands':
      // A rolling shutter shows a few periods of 100 Hz in a picture.
      return flickerBands(random.between(0.1, 0.6), (rig.simulated.camera.heightPx / 4) * random.between(0.3, 3), heading);
    case 'out of focus':
      return gaussianBlur(random.between(0.015, 0.15) * edgePx);
    case 'smeared along a row': {
      // Along the edges of the first die, or any way.
      const [x, y] = [Math.cos(heading), Math.sin(heading)];
      const half = random.between(0.03, 0.2) * edgePx;
      return swungBy([-half * x, -half * y], [half * x, half * y]);
    }
    case 'shadow of a die on a die':
      return shadowBetween(rig, dice, random);
    default:
      return kind satisfies never;
  }
}

/** A die's shadow from a lamp low behind it, over the floor and part of its neighbour's top. */
function shadowBetween(rig: TriggerRig, dice: Scene['dice'], random: SeededRandom): PixelChange {
  const { edgeMm } = rig.tray;
  const [from, onto] = dice;
  if (from === undefined || onto === undefined) throw new RangeError('two dice are needed');
  const [dx, dy] = [onto.position[0] - from.position[0], onto.position[1] - from.position[1]];
  const distance = Math.hypot(dx, dy);
  const [ux, uy] = [dx / distance, dy / distance];
  const aside = random.between(-0.5, 0.5) * edgeMm;
  const half = random.between(0.35, 0.7) * edgeMm;
  const [begin, end] = [0.72 * edgeMm, distance + random.between(-0.4, 0.4) * edgeMm];
  const corner = (along: number, across: number): readonly [number, number] =>
    rig.project([
      from.position[0] + along * ux - (aside + across) * uy,
      from.position[1] + along * uy + (aside + across) * ux,
      edgeMm,
    ]);
  return hardShadow([corner(begin, -half), corner(end, -half), corner(end, half), corner(begin, half)], random.between(0.2, 0.7));
}

/** Rounds under a camera that was zoomed, and with larger dice, until the table asks for a calibration. */
async function lastingScale(bench: TriggerBench): Promise<void> {
  const isSample = bench.count < 100;
  const late: string[] = [];
  let count = 0;
  for (const [r, rig] of bench.rigs.entries()) {
    // A sample has one scale on one table: each round draws a dozen pictures.
    if (isSample && r > 0) break;
    const chosen = isSample ? lastingScales.slice(2, 3) : lastingScales;
    const cameras = chosen.map((percent): readonly [string, DiceCamera] => [`${percent} %`, zoomed(rig, percent)]);
    if (!isSample) cameras.push(['dice of 3 mm more', largerDice(rig)]);
    for (const [name, camera] of cameras) {
      count += 1;
      const rounds = await roundsUntilCalibration(bench, rig, camera);
      if (rounds === null) late.push(`${name} on ${rig.name}`);
    }
  }
  bench.claim(
    `a lasting change of scale asks for a calibration within ${roundsMax} rounds`,
    late.length === 0,
    late.length === 0 ? `${count} of ${count}` : `not so: ${late.join(', ')}`,
  );
}

async function roundsUntilCalibration(bench: TriggerBench, rig: TriggerRig, camera: DiceCamera): Promise<number | null> {
  const tray = new WatchedTray(rig, 8);
  try {
    for (let round = 1; round <= roundsMax; round += 1)
      for (let shake = 1; shake <= defaultPlay.shakesMax; shake += 1) {
        const seed = 200_000 + round * 100 + shake;
        const values = tripletOf((seed * 101) % 216);
        camera.show(diceApart(values, seededRandom(seed), rig.tray));
        const { reading } = await tray.watch(() => rig.jpeg(null, camera));
        bench.tally(
          rig,
          'throws under a lasting change',
          seed,
          { values: reading?.values ?? null, cause: reading?.cause ?? 'not read' },
          values,
        );
        const asks = tray.standing.some((fault) => fault === 'camera.scene-changed' || fault === 'camera.not-calibrated');
        if (asks) return round;
        if (reading !== null && reading.verdict === 'accepted') break;
      }
    return null;
  } finally {
    tray.close();
  }
}
