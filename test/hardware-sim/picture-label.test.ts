import { beforeAll, describe, expect, it } from 'vitest';
import { DiceCamera } from '../../hardware-sim/dice-camera.ts';
import { loadPhysics } from '../../hardware-sim/dice-physics.ts';
import { trayOf } from '../../hardware-sim/machine.ts';
import { labelOf } from '../../hardware-sim/picture-label.ts';
import { type Rig, randomRig } from '../../hardware-sim/rig.ts';
import { stageScene } from '../../hardware-sim/stage-scene.ts';

/** Change of brightness by which glare is seen in a picture, grey levels. */
const glareStep = 60;

beforeAll(loadPhysics);

/** The same table under a dome that mirrors nothing. */
function withoutGlare(rig: Rig): Rig {
  return { ...rig, lamps: rig.lamps.map((lamp) => ({ ...lamp, glare: null })) };
}

interface Look {
  /** Largest share of a pip's area that the dome's reflections whiten, over the pips of all top faces. */
  readonly share: number;
  readonly isLabelled: boolean;
}

/** Compares pictures of the same scenes under the dome and under one that mirrors nothing. */
function looksAt(rig: Rig, seeds: readonly number[]): readonly Look[] {
  const clean = { ...rig, picture: { ...rig.picture, noiseSigma: 0 } };
  const [shown, bare] = [new DiceCamera(clean, 1), new DiceCamera(withoutGlare(clean), 1)];
  return seeds.map((seed) => {
    const scene = stageScene('flat', seed, trayOf(rig));
    const [bytes, bareBytes] = [shown, bare].map((camera) => {
      camera.show(scene);
      return Uint8ClampedArray.from(camera.pixels());
    });
    const label = labelOf(rig, scene, (x, y) => shown.glareAt(x, y));
    const shares = label.dice.flatMap((die) =>
      die.pip_px.map(([x, y]) => {
        const reach = rig.die.pipRadiusShare * die.size_px;
        let [white, all] = [0, 0];
        for (let py = Math.floor(y - reach); py <= y + reach; py += 1)
          for (let px = Math.floor(x - reach); px <= x + reach; px += 1) {
            if (Math.hypot(px + 0.5 - x, py + 0.5 - y) > reach) continue;
            const at = (py * rig.camera.widthPx + px) * 3 + 1;
            all += 1;
            if (Math.abs((bytes?.[at] ?? 0) - (bareBytes?.[at] ?? 0)) > glareStep) white += 1;
          }
        return white / Math.max(1, all);
      }),
    );
    return { share: Math.max(...shares), isLabelled: label.glare_on_pip };
  });
}

describe('the label of glare on a pip', () => {
  it('is set exactly where the picture shows the dome over a dark pip', () => {
    // Dark pips show glare in the picture; on white ones it cannot be seen, which is why their label comes from geometry alone.
    const rigs = Array.from({ length: 9 }, (_, seed) => randomRig(seed, [320, 240])).filter(({ die }) =>
      ['white', 'macau', 'ivory', 'red-black'].includes(die.style),
    );
    const looks = rigs.flatMap((rig) => looksAt(rig, [1, 2, 3, 4, 5, 6, 7, 8]));
    const hidden = looks.filter(({ share }) => share > 0.4);
    const free = looks.filter(({ share }) => share === 0);

    expect(hidden.length).toBeGreaterThan(3);
    expect(free.length).toBeGreaterThan(15);
    expect(hidden.filter(({ isLabelled }) => !isLabelled)).toEqual([]);
    expect(free.filter(({ isLabelled }) => isLabelled)).toEqual([]);
  }, 90_000);
});
