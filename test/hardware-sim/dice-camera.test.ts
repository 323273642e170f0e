import { beforeAll, describe, expect, it } from 'vitest';
import { DiceCamera } from '../../hardware-sim/dice-camera.ts';
import { loadPhysics, posesAt, throwDice } from '../../hardware-sim/dice-physics.ts';
import { rotationWithTop } from '../../hardware-sim/die-body.ts';
import { trayOf } from '../../hardware-sim/machine.ts';
import { labelOf } from '../../hardware-sim/picture-label.ts';
import { baseLighting, demoRig, type Rig, randomRig } from '../../hardware-sim/rig.ts';
import type { Scene } from '../../hardware-sim/scene-truth.ts';
import { stageScene } from '../../hardware-sim/stage-scene.ts';

/** The demo rig with white dice, a lens over the middle, no noise and no glare: places can be measured to parts of a pixel. */
const plain: Rig = {
  ...demoRig(),
  camera: { ...demoRig().camera, offsetMm: [0, 0], aimMm: [0, 0], rollRad: 0.1 },
  die: { style: 'white', edgeMm: 16, cornerRadiusMm: 1, pipRadiusShare: 0.09 },
  lamps: demoRig().lamps.map((lamp) => ({ ...lamp, glare: null })),
  picture: { exposure: 0.62, noiseSigma: 0, blurPx: 0.5, softPx: 0, vignette: 0, jpegQuality: 90 },
};

type Grey = (x: number, y: number) => number;
const look = (camera: DiceCamera, scene: Scene): Grey => {
  camera.show(scene);
  const pixels = Uint8ClampedArray.from(camera.pixels());
  const { widthPx } = camera.rig.camera;
  const at = (x: number, y: number): number => (pixels[(y * widthPx + x) * 3] ?? 0) + (pixels[(y * widthPx + x) * 3 + 2] ?? 0);
  // Pixel centres lie at halves.
  return (x, y) => {
    const [px, py] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [fx, fy] = [x - 0.5 - px, y - 0.5 - py];
    return (at(px, py) * (1 - fx) + at(px + 1, py) * fx) * (1 - fy) + (at(px, py + 1) * (1 - fx) + at(px + 1, py + 1) * fx) * fy;
  };
};
const noGlare = (): number => 0;

beforeAll(loadPhysics);

describe('the picture of the simulated camera', () => {
  it('shows the edges of a die under the lens where the truth says, within 1.5 px', () => {
    const camera = new DiceCamera(plain, 1);
    for (const yaw of [0, 0.3, 0.9, 1.4]) {
      const scene: Scene = { dice: [{ position: [0, 0, 8], rotation: rotationWithTop(1, yaw) }], objects: [], isMoving: false };
      const grey = look(camera, scene);
      const quad = labelOf(plain, scene, noGlare).dice[0]?.top_quad_px ?? [];
      const centre = [quad.reduce((sum, p) => sum + p[0] / 4, 0), quad.reduce((sum, p) => sum + p[1] / 4, 0)] as const;
      for (const [index, corner] of quad.entries()) {
        const next = quad[(index + 1) % 4] ?? corner;
        const middle = [(corner[0] + next[0]) / 2, (corner[1] + next[1]) / 2] as const;
        const reach = Math.hypot(middle[0] - centre[0], middle[1] - centre[1]);
        const [ux, uy] = [(middle[0] - centre[0]) / reach, (middle[1] - centre[1]) / reach];
        const profile = Array.from({ length: 161 }, (_, i) =>
          grey(middle[0] + ux * (i - 80) * 0.1, middle[1] + uy * (i - 80) * 0.1),
        );
        const half = (Math.max(...profile) + Math.min(...profile)) / 2;
        const edge = (profile.findIndex((value) => value < half) - 80) * 0.1;

        expect(Math.abs(edge)).toBeLessThan(1.5);
      }
    }
  });

  it('shows the pips where the truth says, within 1 px, anywhere in the tray', () => {
    const camera = new DiceCamera(plain, 1);
    for (let seed = 0; seed < 4; seed += 1) {
      const scene = stageScene('flat', seed, trayOf(plain));
      const grey = look(camera, scene);
      for (const die of labelOf(plain, scene, noGlare).dice)
        for (const [x, y] of die.pip_px) {
          const reach = die.size_px * plain.die.pipRadiusShare * 1.4;
          let [mass, mx, my] = [0, 0, 0];
          const white = Math.max(
            ...[0, 1, 2, 3].map((k) =>
              grey(x + 1.35 * reach * Math.cos((k * Math.PI) / 2), y + 1.35 * reach * Math.sin((k * Math.PI) / 2)),
            ),
          );
          for (let dy = -reach; dy <= reach; dy += 0.5)
            for (let dx = -reach; dx <= reach; dx += 0.5) {
              if (Math.hypot(dx, dy) > reach) continue;
              const darkness = Math.max(0, white * 0.8 - grey(x + dx, y + dy));
              mass += darkness;
              mx += darkness * dx;
              my += darkness * dy;
            }
          expect(mass).toBeGreaterThan(1_000);
          expect(Math.hypot(mx / mass, my / mass)).toBeLessThan(1);
        }
    }
  });

  it('has other noise in every picture of the same scene, as strong as the rig says', () => {
    const rig = { ...plain, picture: { ...plain.picture, noiseSigma: 3 } };
    const camera = new DiceCamera(rig, 4);
    camera.show(stageScene('flat', 1, trayOf(rig)));
    const first = Uint8ClampedArray.from(camera.pixels());
    const second = Uint8ClampedArray.from(camera.pixels());
    let square = 0;
    for (const [index, level] of first.entries()) square += (level - (second[index] ?? 0)) ** 2;

    // The difference of two pictures has the deviation of the noise times the root of 2.
    expect(Math.sqrt(square / first.length / 2)).toBeGreaterThan(2.6);
    expect(Math.sqrt(square / first.length / 2)).toBeLessThan(3.3);
  });

  it('leaves nothing of the dice behind when they are taken away', () => {
    const camera = new DiceCamera(plain, 1);
    camera.show(stageScene('empty', 0, trayOf(plain)));
    const empty = Uint8ClampedArray.from(camera.pixels());
    camera.show(stageScene('flat', 3, trayOf(plain)));
    camera.show(stageScene('hand', 3, trayOf(plain)));
    expect(Buffer.from(camera.pixels()).equals(Buffer.from(empty))).toBe(false);
    camera.show(stageScene('empty', 0, trayOf(plain)));

    expect(Buffer.from(camera.pixels()).equals(Buffer.from(empty))).toBe(true);
  });

  it('gets darker when a lamp fails and when the exposure falls, and comes back', () => {
    const camera = new DiceCamera(plain, 1);
    camera.show(stageScene('flat', 3, trayOf(plain)));
    const mean = (): number => camera.pixels().reduce((sum, level) => sum + level, 0) / (1280 * 720 * 3);
    const base = mean();
    camera.setLighting({ ...baseLighting, failedLamp: 0 });
    camera.show(stageScene('flat', 3, trayOf(plain)));
    expect(mean()).toBeLessThan(base * 0.9);
    camera.setLighting({ ...baseLighting, gain: 0.4 });
    camera.show(stageScene('flat', 3, trayOf(plain)));
    expect(mean()).toBeLessThan(base * 0.75);
    camera.setLighting(baseLighting);
    camera.show(stageScene('flat', 3, trayOf(plain)));

    expect(mean()).toBeCloseTo(base, 5);
  });

  it('is drawn quicker at rest than while dice move', async () => {
    const rig = demoRig();
    const camera = new DiceCamera(rig, 1);
    const thrown = throwDice(trayOf(rig), { seed: 3, tumbleCount: 3, from: null });
    const cpuMs = async (moments: (index: number) => Scene): Promise<number> => {
      const start = process.cpuUsage();
      for (let index = 0; index < 20; index += 1) {
        const scene = moments(index);
        camera.show(scene, scene.isMoving ? [0, 4, 8].map((lagMs) => posesAt(thrown, 70 + index * 66 - lagMs)) : null);
        await camera.jpeg();
      }
      const used = process.cpuUsage(start);
      return (used.user + used.system) / 1000 / 20;
    };
    const objects: Scene['objects'] = [];
    const moving = (index: number): Scene => ({ dice: posesAt(thrown, 70 + index * 66), objects, isMoving: true });
    const resting = stageScene('flat', 1, trayOf(rig));
    // The first pictures compile the code.
    await cpuMs(moving);
    await cpuMs(() => resting);

    const movingMs = await cpuMs(moving);
    expect(await cpuMs(() => resting)).toBeLessThan(movingMs);
  });
});

describe('a rig drawn by chance', () => {
  it('is the same for the same seed, and holds the whole tray in the picture', () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const rig = randomRig(seed);
      expect(randomRig(seed)).toEqual(rig);
      const { tray } = labelOf(rig, stageScene('empty', 0, trayOf(rig)), noGlare);
      expect(tray.rim_centre_px[0] - tray.rim_radius_px).toBeGreaterThan(0);
      expect(tray.rim_centre_px[1] - tray.rim_radius_px).toBeGreaterThan(0);
      expect(tray.rim_centre_px[1] + tray.rim_radius_px).toBeLessThan(rig.camera.heightPx);
    }
  });

  it('takes every kind of die, floor and rim', () => {
    const rigs = Array.from({ length: 80 }, (_, seed) => randomRig(seed));

    expect(new Set(rigs.map((rig) => rig.die.style)).size).toBe(10);
    expect(new Set(rigs.map((rig) => rig.floor)).size).toBe(8);
    expect(new Set(rigs.map((rig) => rig.rim.kind)).size).toBe(4);
  });

  it('takes dice of 14 to 20 mm, sharp and round, a lens out of focus, a dusty dome, and every picture size', () => {
    const rigs = Array.from({ length: 80 }, (_, seed) => randomRig(seed));
    const edges = rigs.map((rig) => rig.die.edgeMm);
    const corners = rigs.map((rig) => rig.die.cornerRadiusMm);

    expect([Math.min(...edges) <= 14.25, Math.max(...edges) >= 19.75]).toEqual([true, true]);
    expect(edges.every((edge) => edge >= 14 && edge <= 20)).toBe(true);
    expect([Math.min(...corners) < 0.4, Math.max(...corners) > 2.2]).toEqual([true, true]);
    expect([rigs.some((rig) => rig.picture.softPx > 1), rigs.some((rig) => rig.domeSpeckCount > 30)]).toEqual([true, true]);
    expect([...new Set(rigs.map((rig) => rig.camera.heightPx))].sort((a, b) => a - b)).toEqual([480, 720, 960, 1080]);
  });
});
