import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { fitProfile } from '../../calibration/fit.ts';
import { readProfile, writeProfile } from '../../calibration/profile.ts';
import { DiceCamera } from '../../hardware-sim/dice-camera.ts';
import { loadPhysics, type TraySettings } from '../../hardware-sim/dice-physics.ts';
import { trayOf } from '../../hardware-sim/machine.ts';
import { makeLabelledSet } from '../../hardware-sim/make-labelled-set.ts';
import { pinhole } from '../../hardware-sim/pinhole.ts';
import { type DieStyle, type FloorKind, randomRig, type Rig as SimulatedRig } from '../../hardware-sim/rig.ts';
import type { Vec3 } from '../../hardware-sim/rotation.ts';
import { openRig, type Rig } from '../../src/vision/rig.ts';
import type { PixelChange } from './picture-changes.ts';

/** A simulated table for triggers: camera, tray and lamps of a random rig with dice and floor of choice. */
export interface RigPlan {
  /** Names the rig in reports and its calibration file. */
  readonly name: string;
  readonly seed: number;
  readonly sizePx: readonly [number, number];
  readonly style: DieStyle;
  readonly floor: FloorKind;
  /** Height of the lens over the floor, mm; left out, that of the random rig (380 to 560). The tray fills the picture as before. */
  readonly cameraHeightMm?: number;
  /** Lamps stand low around the tray, so that they light the side faces. */
  readonly isLitFromTheSide?: boolean;
}

/** A simulated table, calibrated as a technician would, with its camera and its reader. */
export class TriggerRig {
  readonly name: string;
  readonly simulated: SimulatedRig;
  readonly tray: TraySettings;
  readonly camera: DiceCamera;
  readonly reader: Rig;
  readonly calibrationId: string;
  readonly #cameras = new Map<string, DiceCamera>();

  private constructor(simulated: SimulatedRig, reader: Rig, calibrationId: string) {
    this.name = simulated.name;
    this.simulated = simulated;
    this.tray = trayOf(simulated);
    this.camera = new DiceCamera(simulated, simulated.seed + 5);
    this.reader = reader;
    this.calibrationId = calibrationId;
  }

  /** Opens a table with the calibration of its name in a folder, or calibrates it on pictures of its own (about 15 s) and keeps the calibration there.
   *  @throws Error when the table cannot be calibrated reliably: its pictures would all be refused, and prove nothing. */
  static async open(plan: RigPlan, calibrationFolder: string): Promise<TriggerRig> {
    await loadPhysics();
    const simulated = simulatedRigOf(plan);
    const file = join(calibrationFolder, `${plan.name}.json`);
    if (!existsSync(file)) await calibrate(simulated, file);
    const profile = readProfile(file);
    const reader = openRig(profile);
    if (!reader.isReliable) throw new Error(`${plan.name} reads too few of its own samples: ${JSON.stringify(profile.measured)}`);
    return new TriggerRig(simulated, reader, profile.id);
  }

  /** A camera over the same tray that differs from the calibrated one, or sees other dice. The two used last are kept by `name`: a camera holds 50 MB. */
  otherCamera(name: string, change: (rig: SimulatedRig) => SimulatedRig): DiceCamera {
    const camera = this.#cameras.get(name) ?? new DiceCamera(change(this.simulated), this.simulated.seed + 6);
    this.#cameras.delete(name);
    this.#cameras.set(name, camera);
    const [oldest] = this.#cameras.keys();
    if (this.#cameras.size > 2 && oldest !== undefined) this.#cameras.delete(oldest);
    return camera;
  }

  /** Place of a table point in the picture of the calibrated camera, px. */
  project(point: Vec3): readonly [number, number] {
    return pinhole(this.simulated.camera).project(point);
  }

  /** Px of an edge of a die in the middle of the tray. */
  get edgePx(): number {
    return this.reader.geometry.edgePx;
  }

  /** The picture of what `camera` was shown last, with fresh noise. @param change made to its pixels before they become a JPEG. */
  async jpeg(change: PixelChange | null = null, camera: DiceCamera = this.camera): Promise<Buffer> {
    if (change === null) return camera.jpeg();
    const { widthPx, heightPx } = this.simulated.camera;
    const pixels = { data: camera.pixels(), widthPx, heightPx };
    await change(pixels);
    return sharp(pixels.data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
      .jpeg({ quality: this.simulated.picture.jpegQuality, optimiseCoding: false })
      .toBuffer();
  }

  close(): void {
    this.reader.view.referenceMat.release();
  }
}

function simulatedRigOf(plan: RigPlan): SimulatedRig {
  const rig = randomRig(plan.seed, plan.sizePx);
  const { camera } = rig;
  const heightMm = plan.cameraHeightMm ?? camera.heightMm;
  const lamps = rig.lamps.map((lamp) => {
    const [x, y] = lamp.positionMm;
    const outwards = 280 / Math.hypot(x, y);
    return plan.isLitFromTheSide === true ? { ...lamp, positionMm: [x * outwards, y * outwards, 230] as const } : lamp;
  });
  return {
    ...rig,
    name: plan.name,
    floor: plan.floor,
    die: { ...rig.die, style: plan.style },
    lamps,
    camera: { ...camera, heightMm, focalPx: (camera.focalPx * heightMm) / camera.heightMm },
  };
}

async function calibrate(rig: SimulatedRig, file: string): Promise<void> {
  const samples = mkdtempSync(join(tmpdir(), 'trigger-samples-'));
  try {
    await makeLabelledSet({ rig, folder: samples, throwCount: 0, seed: rig.seed, isPlain: true });
    const notes = { createdBy: 'triggers', why: 'rig of the triggers', createdAt: new Date().toISOString() };
    const profile = fitProfile(samples, notes, () => {});
    mkdirSync(join(file, '..'), { recursive: true });
    writeProfile(file, profile);
  } finally {
    rmSync(samples, { recursive: true });
  }
}
