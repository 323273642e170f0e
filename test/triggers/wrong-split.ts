import type { TraySettings } from '../../hardware-sim/dice-physics.ts';
import type { Scene } from '../../hardware-sim/scene-truth.ts';
import { type SeededRandom, seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { Dice, Face } from '../../src/core/rules/dice.ts';
import { type LaidDie, laidOut, quarterTurn } from './laid-dice.ts';
import type { Trigger } from './trigger.ts';

/** Dice side by side whose pips could be shared out otherwise with the same sum. */
const pairs = [
  { name: '6|5', values: [6, 5] },
  { name: '4|6', values: [4, 6] },
  { name: '6|6', values: [6, 6] },
  { name: '1 next to 1', values: [1, 1] },
  { name: '5|5', values: [5, 5] },
  { name: '4|4', values: [4, 4] },
  { name: '2|3', values: [2, 3] },
] as const;

/** Between the sides, mm. */
const gapsMm = [1, 1.5, 2, 2.5, 3];

/** DICE-04: neighbours 1 to 3 mm apart with their columns of pips facing each other; the third die is apart, or the next in the row. */
export const wrongSplit: Trigger = {
  id: 'DICE-04',
  title: 'neighbours whose pips could be shared out otherwise',
  rigs: 'all-dice',
  fullCount: pairs.length * gapsMm.length * 28,
  sampleCount: 56,
  unit: 'pictures',
  run: async (bench) => {
    for (let i = 0; i < bench.count; i += 1) {
      const pair = pairs[i % pairs.length] ?? pairs[0];
      const lap = Math.floor(i / pairs.length);
      const rig = bench.rigOf(lap);
      const random = seededRandom(i * 23 + 11);
      const gapMm = gapsMm[Math.floor(lap / bench.rigs.length) % gapsMm.length] ?? 1;
      const [first, second] = pair.values;
      // The third of a row is one of the two, so that a row of 6 6 6 or 4 6 4 comes about.
      const values: Dice = [first, second, lap % 2 === 0 ? ((1 + random.index(6)) as Face) : first];
      rig.camera.show(sideBySide(values, gapMm, lap % 2 === 1, random, rig.tray));
      bench.read(rig, pair.name, i, await rig.jpeg(), values);
    }
  },
};

function sideBySide([a, b, c]: Dice, gapMm: number, isRow: boolean, random: SeededRandom, tray: TraySettings): Scene {
  const next = tray.edgeMm + gapMm;
  const laid = (value: Face, place: number): LaidDie => {
    return { value, atMm: [place * next, 0], yawRad: facingYaw(value) + Math.PI * random.index(2) };
  };
  return isRow
    ? laidOut([laid(b, 0), laid(a, -1), laid(c, 1)], [], random, tray)
    : laidOut([laid(a, 0), laid(b, 1)], [c], random, tray);

  /** Turns the columns of three of a 6 towards its neighbours along x; unturned they face along y. */
  function facingYaw(value: Face): number {
    return value === 6 ? Math.PI / 2 : quarterTurn(random);
  }
}
