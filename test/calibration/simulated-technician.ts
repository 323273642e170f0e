import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CameraFault } from '../../hardware-sim/camera-faults.ts';
import { CameraServer } from '../../hardware-sim/camera-server.ts';
import { DiceCamera } from '../../hardware-sim/dice-camera.ts';
import { loadPhysics } from '../../hardware-sim/dice-physics.ts';
import { trayOf } from '../../hardware-sim/machine.ts';
import { labelOf } from '../../hardware-sim/picture-label.ts';
import { type Rig, randomRig } from '../../hardware-sim/rig.ts';
import type { Scene } from '../../hardware-sim/scene-truth.ts';
import { type StagedKind, stageScene } from '../../hardware-sim/stage-scene.ts';
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

  private constructor(folder: string, rig: Rig, camera: CameraServer, eye: DiceCamera, scene: () => Scene) {
    this.folder = folder;
    this.#rig = rig;
    this.#camera = camera;
    this.#eye = eye;
    this.#scene = scene();
  }

  /** Starts the camera over the empty tray, and writes a `table.toml` that names it. @param sizePx picture size; null takes that of the rig. */
  static async start(rigSeed: number, sizePx: readonly [number, number] | null = null): Promise<UncalibratedTable> {
    await loadPhysics();
    const rig = randomRig(rigSeed, sizePx);
    const eye = new DiceCamera(rig, rigSeed);
    const empty = (): Scene => stageScene('empty', 0, trayOf(rig));
    let table: UncalibratedTable | null = null;
    const take = (): Promise<Buffer> => {
      eye.show(table?.scene ?? empty());
      return eye.jpeg();
    };
    const camera = await CameraServer.start({ clock: new SystemClock(), pictures: { take }, frameRate: 25 });
    const folder = mkdtempSync(join(tmpdir(), 'uncalibrated-'));
    table = new UncalibratedTable(folder, rig, camera, eye, empty);
    writeFileSync(join(folder, 'table.toml'), tableToml(camera.url));
    return table;
  }

  get scene(): Scene {
    return this.#scene;
  }

  /** Throws the dice: they come to lie apart, touching or at the wall, on one of the places of the staged scenes. @returns the faces on top, in any order. */
  roll(): readonly number[] {
    const tray = trayOf(this.#rig);
    for (;;) {
      this.#seed += 1;
      this.#scene = stageScene(restingKinds[this.#seed % restingKinds.length] ?? 'flat', this.#seed, tray);
      const label = labelOf(this.#rig, this.#scene, (x, y) => this.#eye.glareAt(x, y));
      if (label.valid) return label.values.flatMap((value) => value ?? []);
    }
  }

  /** Lays a scene by hand. */
  lay(kind: StagedKind): void {
    this.#scene = stageScene(kind, 4, trayOf(this.#rig));
  }

  /** A fault of the camera, or null for none. */
  breakCamera(fault: CameraFault | null): void {
    this.#camera.setFault(fault);
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
  /** Scenes that must not be taken, as far as they were laid. */
  readonly sceneCount: number;
}

/** How dice come to lie: as physics does it, and without the half second that it takes for each throw. */
const restingKinds: readonly StagedKind[] = ['flat', 'flat', 'flat', 'touching', 'at-wall'];

/** How a technician lays what the guide asks for. */
const sceneKinds: readonly (readonly [RegExp, StagedKind])[] = [
  [/Take one die out/, 'two-dice'],
  [/Lean one die/, 'leaning-on-wall'],
  [/on top of another/, 'stacked'],
  [/rim of the tray/, 'on-rim'],
  [/coin or a chip/, 'coin'],
  [/hold a hand/, 'hand'],
];

/** What a technician does otherwise than he should. */
export interface Mishaps {
  /** Throws after which Ctrl-C is pressed; null goes on to the end. */
  readonly stopAfter?: number;
  /** Values that are typed, instead of those that lie there, for the throws of these numbers (from 1, over the whole run). */
  readonly wrongLabels?: ReadonlyMap<number, readonly number[]>;
  /** What is done before a throw of this number is answered for. */
  readonly beforeThrow?: ReadonlyMap<number, () => void>;
  /** Answer to a list of samples to look at; ENTER when left out. */
  readonly samplesAnswer?: (list: readonly string[]) => string;
}

/** Runs `sicbo calibrate` as a technician does: rolls when asked, types the values that lie there, or ENTER where they were read right. */
export async function calibrateByHand(
  table: UncalibratedTable,
  args: readonly string[],
  mishaps: Mishaps = {},
): Promise<GuideRun> {
  const program = join(productRoot, 'dist', 'src', 'cli', 'sicbo.js');
  const child: ChildProcess = spawn(process.execPath, [program, 'calibrate', ...args], {
    cwd: table.folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [out, err, throwCount, confirmedCount, sceneCount] = ['', '', 0, 0, 0];
  let values: readonly number[] = [];
  let listed: string[] = [];
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const answer = (text: string): void => void child.stdin?.write(`${text}\n`);
  const labels = (): readonly number[] => mishaps.wrongLabels?.get(throwCount) ?? values;
  createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> }).on('line', (line) => {
    out += `${line}\n`;
    if (/^Take everything out|^Inner diameter/.test(line)) answer('');
    if (/limit\(s\) not kept/.test(line)) answer('go');
    if (/^ {2}throw \d+: kept as/.test(line)) listed.push(line);
    if (/^Look at these pictures/.test(line)) {
      answer(mishaps.samplesAnswer?.(listed) ?? '');
      listed = [];
    }
    if (/^Throw \d+ of/.test(line)) {
      if (throwCount === mishaps.stopAfter) {
        child.kill('SIGINT');
        return;
      }
      mishaps.beforeThrow?.get(throwCount + 1)?.();
      values = table.roll();
      answer('');
    }
    const read = /^Read (\d) (\d) (\d)\. ENTER/.exec(line);
    if (read !== null || /^Not read yet/.test(line)) {
      throwCount += 1;
      const isRight = read?.slice(1).join() === [...labels()].sort().join();
      if (isRight) confirmedCount += 1;
      answer(isRight ? '' : labels().join(' '));
    }
    if (/^Type the values that lie there/.test(line)) {
      throwCount += 1;
      answer(labels().join(''));
    }
    if (/^It was TAKEN/.test(line)) answer('');
    if (/^You say/.test(line)) answer(labels().join(''));
    const kind = sceneKinds.find(([order]) => /^Scene \d of/.test(line) && order.test(line))?.[1];
    if (kind !== undefined) {
      sceneCount += 1;
      table.lay(kind);
      answer('');
    }
  });
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, out, err, throwCount, confirmedCount, sceneCount };
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
