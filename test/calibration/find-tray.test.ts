import { beforeAll, describe, expect, it } from 'vitest';
import { findTray } from '../../calibration/find-tray.ts';
import { DiceCamera } from '../../hardware-sim/dice-camera.ts';
import { loadPhysics } from '../../hardware-sim/dice-physics.ts';
import { trayOf } from '../../hardware-sim/machine.ts';
import { labelOf } from '../../hardware-sim/picture-label.ts';
import { randomRig } from '../../hardware-sim/rig.ts';
import { stageScene } from '../../hardware-sim/stage-scene.ts';
import { decodeJpeg } from '../../src/vision/picture.ts';

describe('the tray in the picture of the empty table', { timeout: 60_000 }, () => {
  beforeAll(loadPhysics);

  // Rig 1040 has red felt in a brown wall on green, which hardly differ in brightness, and a mirrored lamp across the wall: an arc of it was taken for the tray.
  it.each([1040, 1021, 1032, 429])('of simulated rig %i is found by its colours', async (seed) => {
    const rig = randomRig(seed, [640, 480]);
    const scene = stageScene('empty', 0, trayOf(rig));
    const camera = new DiceCamera(rig, 5);
    camera.show(scene);
    const { tray } = labelOf(rig, scene, (x, y) => camera.glareAt(x, y));
    const decoded = decodeJpeg(await camera.jpeg());
    if (decoded.kind !== 'picture') throw new Error(decoded.detail);

    const found = findTray(decoded.mat);
    decoded.mat.release();

    const [x, y] = tray.centre_px as [number, number];
    expect(found?.centrePx[0]).toBeGreaterThan(x - 6);
    expect(found?.centrePx[0]).toBeLessThan(x + 6);
    expect(found?.centrePx[1]).toBeGreaterThan(y - 6);
    expect(found?.centrePx[1]).toBeLessThan(y + 6);
    // The wall's top or its foot, which lie that far apart.
    expect(found?.radiusPx).toBeGreaterThan(0.97 * tray.radius_px);
    expect(found?.radiusPx).toBeLessThan(1.06 * tray.radius_px);
  });
});
