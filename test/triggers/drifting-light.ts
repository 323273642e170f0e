import { baseLighting } from '../../hardware-sim/rig.ts';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import { agreeingPicturesMin, picturesPerReadingMax } from '../../src/core/judging/throw-consensus.ts';
import { DriftWatch } from '../../src/runtime/drift-watch.ts';
import { FaultBoard } from '../../src/runtime/fault-board.ts';
import { readJpeg } from '../../src/vision/read-picture.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { tintOf } from './daylight.ts';
import { diceApart, tripletOf } from './laid-dice.ts';
import type { Trigger, TriggerBench } from './trigger.ts';
import type { TriggerRig } from './trigger-rig.ts';

/** The ramp of the report. Its light begins at the cold end, for which the white balance of this camera is taken to be set. */
const brightnessTo = 0.35;
const kelvinFromTo = [6_500, 3_000] as const;
/** The step after a reconnect. */
const stepGain = 1.4;
const stepReadings = 60;
/** Share of refused pictures that needs no warning. */
const refusedShareMax = 0.1;
/** Different throws of a ramp or a step. */
const throwCount = 25;

/** CAM-05: brightness falls to 35 % and the colour from 6,500 to 3,000 K over 500 pictures; or everything is 40 % brighter from one picture to the next. */
export const driftingLight: Trigger = {
  id: 'CAM-05',
  title: 'exposure and white balance drift, or jump after a reconnect',
  rigs: 'all-dice',
  fullCount: 500,
  sampleCount: 24,
  unit: 'pictures of each ramp',
  run: async (bench) => {
    const isSample = bench.count < 500;
    // A ramp draws the whole picture anew each time: of seven tables four, one of each colour of dice.
    for (const rig of bench.rigs.filter((_, r) => r === 0 || r % 2 === 1)) {
      await ramp(bench, rig);
      await step(bench, rig, isSample ? stepReadings / 4 : stepReadings);
      rig.camera.setLighting(baseLighting);
    }
  },
};

async function ramp(bench: TriggerBench, rig: TriggerRig): Promise<void> {
  const throws = await readableThrows(rig, 0, Math.min(throwCount, Math.ceil(bench.count / 8)));
  const watch = newWatch(rig);
  const { camera } = rig;
  let firstUnread: number | null = null;
  const verdicts: string[] = [];
  let firstWarned: number | null = null;
  for (let i = 0; i < bench.count; i += 1) {
    const seed = throws[i % throws.length] ?? 0;
    const share = i / (bench.count - 1);
    const [warm, cold] = [tintOf(kelvinFromTo[0] + share * (kelvinFromTo[1] - kelvinFromTo[0])), tintOf(kelvinFromTo[0])];
    const tint = [(warm[0] ?? 1) / cold[0], 1, (warm[2] ?? 1) / cold[2]] as const;
    camera.setLighting({ ...baseLighting, gain: 1 + share * (brightnessTo - 1), tint });
    camera.show(sceneOf(rig, seed));
    const { reading, scene } = bench.read(rig, 'ramp', seed, await rig.jpeg(), valuesOf(seed));
    watch.take(scene);
    verdicts.push(reading.verdict);
    // What the table calls no reading: of the pictures of one throw too few are accepted.
    const accepted = verdicts.slice(-picturesPerReadingMax).filter((verdict) => verdict === 'accepted');
    if (verdicts.length >= picturesPerReadingMax && accepted.length < agreeingPicturesMin) firstUnread ??= i;
    if (watch.hasWarned) firstWarned ??= i;
  }
  const at = (i: number | null): string => (i === null ? 'never' : `at ${((100 * i) / bench.count).toFixed(0)} % of the way`);
  bench.claim(
    `${rig.name}: the warning comes before the first throw that is not read`,
    firstWarned !== null && (firstUnread === null || firstWarned < firstUnread),
    `warning ${at(firstWarned)}, first throw not read ${at(firstUnread)}`,
  );
}

async function step(bench: TriggerBench, rig: TriggerRig, readings: number): Promise<void> {
  const throws = await readableThrows(rig, 10_000, Math.min(throwCount, Math.ceil(readings / 3)));
  const watch = newWatch(rig);
  rig.camera.setLighting({ ...baseLighting, gain: stepGain });
  let warnedAfter: number | null = null;
  let refusedCount = 0;
  for (let i = 0; i < readings; i += 1) {
    const seed = throws[i % throws.length] ?? 0;
    rig.camera.show(sceneOf(rig, seed));
    const { reading, scene } = bench.read(rig, 'step of 40 %', seed, await rig.jpeg(), valuesOf(seed));
    watch.take(scene);
    if (reading.verdict === 'refused') refusedCount += 1;
    if (watch.hasWarned) warnedAfter ??= i + 1;
  }
  bench.claim(
    `${rig.name}: after the step dice are read as before, or the table warns`,
    warnedAfter !== null || refusedCount <= refusedShareMax * readings,
    `${refusedCount} of ${readings} refused, ${warnedAfter === null ? 'no warning' : `warning after ${warnedAfter}`}`,
  );
}

/** Throws that are read twice in the light of the calibration: what refuses them later is the light. Each comes again and again, with fresh noise. */
async function readableThrows(rig: TriggerRig, firstSeed: number, count: number): Promise<readonly number[]> {
  rig.camera.setLighting(baseLighting);
  const seeds: number[] = [];
  for (let seed = firstSeed; seeds.length < count; seed += 1) {
    if (seed - firstSeed > 4 * count + 20) throw new RangeError(`${rig.name} reads fewer than a quarter of its throws`);
    rig.camera.show(sceneOf(rig, seed));
    const isRead = async (): Promise<boolean> => readJpeg(rig.reader, await rig.jpeg()).reading.verdict === 'accepted';
    if ((await isRead()) && (await isRead())) seeds.push(seed);
  }
  return seeds;
}

function sceneOf(rig: TriggerRig, seed: number) {
  return diceApart(valuesOf(seed), seededRandom(seed * 67 + 6), rig.tray);
}

function valuesOf(seed: number) {
  return tripletOf((seed * 101) % 216);
}

function newWatch(rig: TriggerRig) {
  const board = new FaultBoard(new VirtualClock(), () => {});
  const drift = new DriftWatch(board);
  return {
    take: (scene: Parameters<DriftWatch['take']>[0]): void => void drift.take(scene, rig.calibrationId),
    get hasWarned(): boolean {
      return board.standing.includes('camera.drifting');
    },
  };
}
