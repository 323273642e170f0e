import type { DieStyle, Lighting } from '../../hardware-sim/rig.ts';
import { baseLighting } from '../../hardware-sim/rig.ts';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { Dice } from '../../src/core/rules/dice.ts';
import { DriftWatch } from '../../src/runtime/drift-watch.ts';
import { FaultBoard } from '../../src/runtime/fault-board.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { tintOf } from './daylight.ts';
import { diceApart, tripletOf } from './laid-dice.ts';
import type { Trigger, TriggerBench } from './trigger.ts';

/** Light of the report: 2,700 to 6,500 K, exposure from -1.5 to +1.5 EV. */
const kelvins = [2_700, 3_500, 4_600, 5_500, 6_500];
const exposuresEv = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5];
/** Pictures under each light before the next; setting the light draws the whole picture anew. */
const picturesPerLight = 3;

/** Dice of other colours, laid into a tray that is calibrated for its own. */
const styles: readonly DieStyle[] = ['white', 'macau', 'ivory', 'black', 'red', 'translucent-red', 'white-red', 'red-black'];
/** Body colours that nobody takes for each other. */
const bodyOf = (style: DieStyle): string =>
  style.startsWith('black')
    ? 'black'
    : style.includes('red') && !style.startsWith('white') && !style.startsWith('ivory')
      ? 'red'
      : 'pale';
/** Readings of a set of other dice within which the table must have stopped taking them: five rounds of three. */
const readingsUntilDemand = 15;

/** DICE-09: dice of every colour under light and exposure that change, and sets of another colour than the calibrated one. */
export const coloursAndLight: Trigger = {
  id: 'DICE-09',
  title: 'colour of pips and dice, colour of the light, exposure',
  rigs: 'all-dice',
  fullCount: 1_470,
  sampleCount: 48,
  unit: 'pictures',
  run: async (bench) => {
    const otherCount = Math.floor(bench.count / 4);
    await underLights(bench, bench.count - otherCount);
    await withOtherDice(bench, otherCount);
  },
};

async function underLights(bench: TriggerBench, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const group = Math.floor(i / picturesPerLight);
    const rig = bench.rigOf(group);
    const lap = Math.floor(group / bench.rigs.length);
    const kelvin = kelvins[lap % kelvins.length] ?? 4_600;
    // 3 has no factor in common with 7, so that every pair of light and exposure comes.
    const ev = exposuresEv[(lap * 3) % exposuresEv.length] ?? 0;
    const lighting: Lighting = { ...baseLighting, gain: 2 ** ev, tint: tintOf(kelvin) };
    if (i % picturesPerLight === 0) rig.camera.setLighting(lighting);
    const values = tripletOf((i * 101) % 216);
    rig.camera.show(diceApart(values, seededRandom(i * 53 + 2), rig.tray));
    bench.read(rig, `${kelvin} K, ${ev} EV`, i, await rig.jpeg(), values);
  }
  for (const rig of bench.rigs) rig.camera.setLighting(baseLighting);
}

/** Lays each other set into each tray until the table demands a calibration; until then its dice may be read, but never wrong. */
async function withOtherDice(bench: TriggerBench, count: number): Promise<void> {
  const pairs = bench.rigs.flatMap((rig) =>
    styles.filter((style) => style !== rig.simulated.die.style).map((style) => ({ rig, style })),
  );
  const perPair = Math.max(2, Math.floor(count / pairs.length));
  const taken: string[] = [];
  let [otherBodyRead, otherBodyCount] = [0, 0];
  for (let k = 0; k < Math.min(pairs.length, Math.ceil(count / perPair)); k += 1) {
    // 17 has no factor in common with the number of pairs, 49 or 14, so that a sample has many kinds.
    const pair = pairs[(k * 17) % pairs.length];
    if (pair === undefined) continue;
    const { rig, style } = pair;
    const camera = rig.otherCamera(style, (own) => ({ ...own, die: { ...own.die, style } }));
    const isOtherBody = bodyOf(style) !== bodyOf(rig.simulated.die.style);
    const board = new FaultBoard(new VirtualClock(), () => {});
    const drift = new DriftWatch(board);
    let readCount = 0;
    for (let i = 0; i < perPair; i += 1) {
      const seed = 100_000 + k * 1_000 + i;
      const values: Dice = tripletOf((seed * 101) % 216);
      camera.show(diceApart(values, seededRandom(seed), rig.tray));
      const className = isOtherBody ? 'dice of another colour' : 'dice with other pips or shade';
      const { scene, reading } = bench.read(rig, className, seed, await rig.jpeg(null, camera), values);
      const isDemanded = drift.take(scene, rig.calibrationId) !== null;
      if (isOtherBody) otherBodyCount += 1;
      if (reading.verdict === 'accepted') readCount += 1;
      if (isOtherBody && reading.verdict === 'accepted') otherBodyRead += 1;
      if (isDemanded) break;
      if (i + 1 === readingsUntilDemand && isOtherBody && readCount > 0) taken.push(`${style} on ${rig.name}`);
    }
  }
  bench.claim(
    'a set of another body colour is refused',
    otherBodyRead === 0 && taken.length === 0,
    `${otherBodyRead} of ${otherBodyCount} pictures read${taken.length > 0 ? `; never stopped: ${taken.join(', ')}` : ''}`,
  );
}
