import { beforeAll, describe, expect, it } from 'vitest';
import { findTray } from '../../calibration/find-tray.ts';
import { DiceCamera } from '../../hardware-sim/dice-camera.ts';
import { loadPhysics } from '../../hardware-sim/dice-physics.ts';
import { trayOf } from '../../hardware-sim/machine.ts';
import { labelOf } from '../../hardware-sim/picture-label.ts';
import { baseLighting, randomRig } from '../../hardware-sim/rig.ts';
import { type StagedKind, stageScene } from '../../hardware-sim/stage-scene.ts';
import type { DiePose } from '../../src/vision/die-pose.ts';
import { copyPart, decodeJpeg } from '../../src/vision/picture.ts';
import { reducedMaps } from '../../src/vision/reduced-maps.ts';
import { makeRigView, type RigView } from '../../src/vision/rig.ts';
import { strangeAreaFaces } from '../../src/vision/strange-area.ts';

/** Ivory dice on white cloth in a small tray: three dice and a coin cover a good part of it. */
const rig = randomRig(777, [640, 480]);
const tray = trayOf(rig);

describe('what neither floor nor dice explain', { timeout: 60_000 }, () => {
  const camera = new DiceCamera(rig, 777);
  let view: RigView;
  beforeAll(async () => {
    await loadPhysics();
    camera.show(stageScene('empty', 0, tray));
    const empty = decodeJpeg(await camera.jpeg());
    const circle = empty.kind === 'picture' ? findTray(empty.mat) : null;
    if (empty.kind !== 'picture' || circle === null) throw new Error('the simulated table shows no tray');
    view = makeRigView(empty.mat, circle.centrePx, circle.radiusPx, (rig.die.edgeMm * rig.camera.focalPx) / rig.camera.heightMm);
  });

  /** Strange area, areas of a die's face, of a staged scene whose dice are known. */
  async function strangeOf(kind: StagedKind, seed: number, failedLamp: number | null): Promise<number> {
    const scene = stageScene(kind, seed, tray);
    camera.setLighting({ ...baseLighting, failedLamp });
    camera.show(scene);
    const dice = labelOf(rig, scene, (x, y) => camera.glareAt(x, y)).dice.map(({ top_quad_px, centre_px, size_px }): DiePose => {
      const [first = [0, 0], second = [0, 0]] = top_quad_px;
      const angle = Math.atan2((second[1] ?? 0) - (first[1] ?? 0), (second[0] ?? 0) - (first[0] ?? 0));
      return { x: centre_px[0] ?? 0, y: centre_px[1] ?? 0, angle, edgePx: size_px };
    });
    const decoded = decodeJpeg(await camera.jpeg());
    if (decoded.kind !== 'picture') throw new Error(decoded.detail);
    const { width, height } = view.tray.reference;
    const picture = copyPart(decoded.mat, view.rect, width, height);
    decoded.mat.release();
    const geometry = {
      centrePx: [view.rect.x + view.rect.width / 2, view.rect.y + view.rect.height / 2],
      radiusPx: view.rect.width / 2.36,
      edgePx: view.tray.edgePx / view.scale,
      edgeSlope: [0, 0],
      nadirPx: [320, 240],
      parallax: 0.04,
      bevelEdges: 0.04,
    } as const;
    return strangeAreaFaces(reducedMaps(view.tray, picture, { kind: 'contrast' }, false), view, geometry, dice);
  }

  // The coin and the dice together passed for a slope of the light as of a failed lamp, and that explained the coin.
  it.each([2, 4, 6, 7])('holds a coin beside dice that lie on one side of the tray (scene %i)', async (seed) => {
    expect(await strangeOf('coin', seed, null)).toBeGreaterThan(0.1);
  });

  it.each([0, 1])('does not hold the shadows of dice when lamp %i has failed', async (failedLamp) => {
    for (const seed of [1, 2, 3]) expect(await strangeOf('flat', seed, failedLamp)).toBeLessThan(0.01);
  });
});
