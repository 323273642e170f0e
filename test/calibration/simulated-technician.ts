import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CameraServer } from '../../hardware-sim/camera-server.ts';
import { DiceCamera } from '../../hardware-sim/dice-camera.ts';
import { finalPoses, loadPhysics, throwDice } from '../../hardware-sim/dice-physics.ts';
import { trayOf } from '../../hardware-sim/machine.ts';
import { labelOf } from '../../hardware-sim/picture-label.ts';
import { randomRig } from '../../hardware-sim/rig.ts';
import type { DiePose } from '../../hardware-sim/rotation.ts';
import type { Scene } from '../../hardware-sim/scene-truth.ts';
import { stageScene } from '../../hardware-sim/stage-scene.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import { productRoot } from '../../src/product-root.ts';

/** A simulated table that has never been calibrated, its network camera, and what lies in its tray. */
export class UncalibratedTable {
  readonly folder: string;
  readonly #camera: CameraServer;
  readonly #rig: ReturnType<typeof randomRig>;
  readonly #eye: DiceCamera;
  #scene: Scene;
  #seed = 1;
  #from: readonly DiePose[] | null = null;

  private constructor(folder: string, rigSeed: number, camera: CameraServer, eye: DiceCamera, scene: () => Scene) {
    this.folder = folder;
    this.#rig = randomRig(rigSeed);
    this.#camera = camera;
    this.#eye = eye;
    this.#scene = scene();
  }

  /** Starts the camera over the empty tray, and writes a `table.toml` that names it. */
  static async start(rigSeed: number): Promise<UncalibratedTable> {
    await loadPhysics();
    const rig = randomRig(rigSeed);
    const eye = new DiceCamera(rig, rigSeed);
    const empty = (): Scene => stageScene('empty', 0, trayOf(rig));
    let table: UncalibratedTable | null = null;
    const take = (): Promise<Buffer> => {
      eye.show(table?.scene ?? empty());
      return eye.jpeg();
    };
    const camera = await CameraServer.start({ clock: new SystemClock(), pictures: { take }, frameRate: 15 });
    const folder = mkdtempSync(join(tmpdir(), 'uncalibrated-'));
    table = new UncalibratedTable(folder, rigSeed, camera, eye, empty);
    writeFileSync(join(folder, 'table.toml'), tableToml(camera.url));
    return table;
  }

  get scene(): Scene {
    return this.#scene;
  }

  /** Throws the dice; on a stage where they would lie invalid, throws again. @returns the faces on top, in any order. */
  roll(): readonly number[] {
    const tray = trayOf(this.#rig);
    for (;;) {
      this.#seed += 1;
      const trajectory = throwDice(tray, { seed: this.#seed * 7_919, tumbleCount: 3, from: this.#from });
      this.#from = finalPoses(trajectory);
      this.#scene = { dice: this.#from, objects: [], isMoving: false };
      const label = labelOf(this.#rig, this.#scene, (x, y) => this.#eye.glareAt(x, y));
      if (label.valid && trajectory.settledMs !== null) return label.values.flatMap((value) => value ?? []);
    }
  }

  close(): Promise<void> {
    return this.#camera.close();
  }
}

function tableToml(cameraUrl: string): string {
  return `[table]
id = "table-7"
name = "Seven"
house = "live"
[shaker]
path = "no-shaker"
[camera]
kind = "mjpeg"
url = "${cameraUrl}"
calibrationFile = "calibration.json"
[lamps]
kind = "none"
`;
}

/** How a run of `sicbo calibrate` ended. */
export interface GuideRun {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
  /** Throws that were answered, and of these how many were read and only had to be confirmed. */
  readonly throwCount: number;
  readonly confirmedCount: number;
}

/** Runs `sicbo calibrate` as a technician does: rolls when asked, types the values that lie there, or ENTER where they were read right.
 *  @param stopAfter throws after which Ctrl-C is pressed; null goes on to the end. */
export async function calibrateByHand(
  table: UncalibratedTable,
  args: readonly string[],
  stopAfter: number | null = null,
): Promise<GuideRun> {
  const program = join(productRoot, 'dist', 'src', 'cli', 'sicbo.js');
  const child: ChildProcess = spawn(process.execPath, [program, 'calibrate', ...args], {
    cwd: table.folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [out, err, throwCount, confirmedCount] = ['', '', 0, 0];
  let values: readonly number[] = [];
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const answer = (text: string): void => void child.stdin?.write(`${text}\n`);
  createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> }).on('line', (line) => {
    out += `${line}\n`;
    if (/^Take everything out|^Inner diameter/.test(line)) answer('');
    if (/limit\(s\) not kept/.test(line)) answer('go');
    if (/^Throw \d+ of/.test(line)) {
      if (throwCount === stopAfter) {
        child.kill('SIGINT');
        return;
      }
      values = table.roll();
      answer('');
    }
    const read = /^Read (\d) (\d) (\d)\. ENTER/.exec(line);
    if (read !== null || /^Not read/.test(line)) {
      const isRight = read?.slice(1).join() === [...values].sort().join();
      throwCount += 1;
      if (isRight) confirmedCount += 1;
      answer(isRight ? '' : values.join(' '));
    }
  });
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, out, err, throwCount, confirmedCount };
}

/** Runs `sicbo calibrate` with answers from a pipe, all at once. */
export async function runGuideWith(
  table: UncalibratedTable,
  args: readonly string[],
  answers = '',
): Promise<Pick<GuideRun, 'exitCode' | 'out' | 'err'>> {
  const program = join(productRoot, 'dist', 'src', 'cli', 'sicbo.js');
  const child = spawn(process.execPath, [program, 'calibrate', ...args], { cwd: table.folder, stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.end(answers);
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, out, err };
}
