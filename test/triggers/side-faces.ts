import { slidToWall } from '../../hardware-sim/dice-placing.ts';
import { rotationWithTop } from '../../hardware-sim/die-body.ts';
import type { DiePose } from '../../hardware-sim/rotation.ts';
import { gapMm } from '../../hardware-sim/scene-truth.ts';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { Dice } from '../../src/core/rules/dice.ts';
import { tripletOf } from './laid-dice.ts';
import type { Trigger } from './trigger.ts';
import type { TriggerRig } from './trigger-rig.ts';

/** DICE-05: the camera 25 to 40 cm above, all three dice at the rim of the tray, turned by 0 to 90 degrees, their sides lit. */
export const sideFaces: Trigger = {
  id: 'DICE-05',
  title: 'side faces in view at the rim',
  rigs: 'near-camera',
  fullCount: 864,
  sampleCount: 48,
  unit: 'pictures',
  run: async (bench) => {
    for (let i = 0; i < bench.count; i += 1) {
      const rig = bench.rigOf(i);
      const lap = Math.floor(i / bench.rigs.length);
      const values = tripletOf((lap * 101) % 216);
      // Nineteen turns from an edge to the wall over a corner to the next edge.
      const turnDeg = (lap % 19) * 5;
      rig.camera.show({ dice: atTheRim(rig, values, turnDeg, i), objects: [], isMoving: false });
      const near = `camera at ${Math.round(rig.simulated.camera.heightMm / 10)} cm`;
      bench.read(rig, near, i, await rig.jpeg(), values);
    }
  },
};

/** Three dice against the wall, or up to 2 mm off it, each turned by `turnDeg` from lying edge to wall. */
function atTheRim({ tray }: TriggerRig, values: Dice, turnDeg: number, seed: number): readonly DiePose[] {
  const random = seededRandom(seed * 41 + 9);
  for (let turn = 0; turn < 500; turn += 1) {
    const dice = values.map((value): DiePose => {
      const heading = random.between(0, 2 * Math.PI);
      const yaw = heading + (turnDeg * Math.PI) / 180 + (random.index(4) * Math.PI) / 2;
      const middle: DiePose = { position: [0, 0, tray.edgeMm / 2], rotation: rotationWithTop(value, yaw) };
      const die = slidToWall(middle, [Math.cos(heading), Math.sin(heading), 0], tray);
      const inwards = random.between(0.02, 2);
      const [x, y, z] = die.position;
      return { ...die, position: [x - inwards * Math.cos(heading), y - inwards * Math.sin(heading), z] };
    });
    if (dice.every((die, i) => dice.slice(0, i).every((other) => gapMm(die, other, tray.edgeMm) > 1))) return dice;
  }
  throw new RangeError('no place for three dice at the rim in 500 tries');
}
