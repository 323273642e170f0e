import { beforeAll, describe, expect, it } from 'vitest';
import { findTray } from '../../calibration/find-tray.ts';
import { DiceCamera } from '../../hardware-sim/dice-camera.ts';
import { loadPhysics } from '../../hardware-sim/dice-physics.ts';
import { trayOf } from '../../hardware-sim/machine.ts';
import { baseLighting, type Lighting, randomRig, type Rig as SimRig } from '../../hardware-sim/rig.ts';
import { type StagedKind, stageScene } from '../../hardware-sim/stage-scene.ts';
import { MotionMeter, motionAreaOf } from '../../src/vision/motion-meter.ts';
import { copyPart, decodeJpeg } from '../../src/vision/picture.ts';
import { makeRigView, type RigView } from '../../src/vision/rig.ts';
import { isSceneChanged, type SceneRays, type SceneShift, sceneRaysOf, sceneShiftOf } from '../../src/vision/scene-shift.ts';

/** A simulated table as it was calibrated, and its camera in other places and light. */
interface Calibrated {
  readonly rig: SimRig;
  readonly view: RigView;
  readonly scene: SceneRays;
  readonly pxPerMm: number;
}

async function pictureOf(
  rig: SimRig,
  camera: Partial<SimRig['camera']> = {},
  light: Partial<Lighting> = {},
  kind: StagedKind = 'flat',
): Promise<Buffer> {
  const eye = new DiceCamera({ ...rig, camera: { ...rig.camera, ...camera } }, 5);
  eye.setLighting({ ...baseLighting, ...light });
  eye.show(stageScene(kind, rig.seed, trayOf(rig)));
  return eye.jpeg();
}

async function calibrated(seed: number): Promise<Calibrated> {
  const rig = randomRig(seed, [640, 480]);
  const empty = decodeJpeg(await pictureOf(rig, {}, {}, 'empty'));
  const tray = empty.kind === 'picture' ? findTray(empty.mat) : null;
  if (empty.kind !== 'picture' || tray === null) throw new Error('the simulated table shows no tray');
  const pxPerMm = rig.camera.focalPx / rig.camera.heightMm;
  const edgePx = rig.die.edgeMm * pxPerMm;
  const view = makeRigView(empty.mat, tray.centrePx, tray.radiusPx, edgePx);
  const geometry = { ...tray, edgePx, edgeSlope: [0, 0], nadirPx: tray.centrePx, parallax: 0.04, bevelEdges: 0.01 } as const;
  return { rig, view, scene: sceneRaysOf(view, geometry), pxPerMm };
}

describe.each([401, 777])('the scene of simulated table %i', { timeout: 60_000 }, (seed) => {
  let table: Calibrated;
  beforeAll(async () => {
    await loadPhysics();
    table = await calibrated(seed);
  });

  function shiftIn(jpeg: Buffer): SceneShift {
    const decoded = decodeJpeg(jpeg);
    if (decoded.kind === 'unusable') throw new Error(decoded.detail);
    const { width, height } = table.view.tray.reference;
    const picture = copyPart(decoded.mat, table.view.rect, width, height);
    decoded.mat.release();
    return sceneShiftOf(table.scene, picture);
  }

  /** Camera and what it looks at moved by a share of the picture's height. */
  function movedBy(share: number): Partial<SimRig['camera']> {
    const { camera } = table.rig;
    const mm = (share * camera.heightPx) / table.pxPerMm;
    return { aimMm: [camera.aimMm[0] - mm, camera.aimMm[1]], offsetMm: [camera.offsetMm[0] - mm, camera.offsetMm[1]] };
  }

  it.each<readonly [string, Partial<Lighting>]>([
    ['as calibrated', {}],
    ['with a failed lamp', { failedLamp: 0 }],
    ['at a third of the exposure', { gain: 0.33 }],
    ['at twice the exposure', { gain: 2 }],
    ['in warmer light', { tint: [1.25, 1, 0.7] }],
  ])('is the calibrated one %s, with dice in the tray', async (_, light) => {
    const shift = shiftIn(await pictureOf(table.rig, {}, light));

    expect(shift.kind).toBe('found');
    // Edges of a die; the limit is 0.03.
    if (shift.kind === 'found') expect(shift.displacementEdges).toBeLessThan(0.01);
  });

  it('is another one when the camera has moved by 1 % of the picture, and the shift is measured to a px', async () => {
    const shift = shiftIn(await pictureOf(table.rig, movedBy(0.01)));

    expect(isSceneChanged(shift)).toBe(true);
    // A camera that goes left sees the tray farther right.
    const wantedPx = 0.01 * table.rig.camera.heightPx * Math.cos(table.rig.camera.rollRad);
    if (shift.kind === 'found') expect(Math.abs(shift.shiftPx[0] - wantedPx)).toBeLessThan(1);
    expect(shift.kind).toBe('found');
  });

  it.each([0.03, 0.08, 0.2])(
    'is another one when the camera has moved by a share of %f, with a lamp out as well',
    async (share) => {
      expect(isSceneChanged(shiftIn(await pictureOf(table.rig, movedBy(share), { failedLamp: 0 })))).toBe(true);
    },
  );

  it('is another one when the camera hangs 2 % lower', async () => {
    const heightMm = 0.98 * table.rig.camera.heightMm;

    expect(isSceneChanged(shiftIn(await pictureOf(table.rig, { heightMm })))).toBe(true);
  });

  it('is told by the look at a picture too, and not while the tray shakes', async () => {
    const { width, height } = table.view.tray.reference;
    const area = motionAreaOf([table.rig.camera.widthPx, table.rig.camera.heightPx], table.view, table.scene);
    const meter = new MotionMeter(area);
    const [there, moved] = [await pictureOf(table.rig), await pictureOf(table.rig, movedBy(0.03))];

    expect([width, height]).toEqual([area.width, area.height]);
    expect(meter.measure(1, 0, there).defect).toBeNull();
    const first = meter.measure(2, 40, moved);
    expect(first.changedShare).toBeGreaterThan(0.02);
    expect(first.defect).toBeNull();
    expect(meter.measure(3, 80, await pictureOf(table.rig, movedBy(0.03), { gain: 1.01 })).defect).toBe('scene-changed');
  });
});
