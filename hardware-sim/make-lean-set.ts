import { loadPhysics } from './dice-physics.ts';
import { LabelledSetWriter } from './labelled-set-writer.ts';
import { leanScene, leanSupports } from './lean-scene.ts';
import type { Rig } from './rig.ts';
import { seededRandom } from './seeded-random.ts';

/** Leans of the set, degrees; 0 is the same places with every die flat. */
export const leanSetDegrees: readonly number[] = [0, 2, 4, 6, 8, 10, 15, 20];

/** Added to each lean, so that 8 degrees count as tilted, which the rule of the product draws there. */
const hairDeg = 1e-4;

/** Writes a labelled set of one rig in which one die of each test picture leans by one of `leanSetDegrees`, `countPerLean` pictures each,
 *  all kinds of support in turn. The lean stands in `tilt_deg`, the support in `detail`. From 8 degrees on the class is `tilted`. */
export async function makeLeanSet(rig: Rig, folder: string, countPerLean: number, seed: number): Promise<void> {
  await loadPhysics();
  const set = await LabelledSetWriter.open(rig, folder, seed + 17);
  await set.writeCalibration(seededRandom(seed * 131 + 3), seed);
  for (const tiltDeg of leanSetDegrees)
    for (let i = 0; i < countPerLean; i += 1) {
      const support = leanSupports[i % leanSupports.length] ?? 'grain';
      const scene = leanScene(tiltDeg + hairDeg, support, seed * 1009 + i, set.tray);
      await set.write(scene, { kind: 'test', lighting: 'base', detail: support });
    }
  await set.close();
}
