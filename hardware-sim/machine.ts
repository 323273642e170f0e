import type { Clock } from '../src/ports/clock.ts';
import { finalPoses, loadPhysics, posesAt, type Trajectory, type TraySettings, throwDice } from './dice-physics.ts';
import type { Rig } from './rig.ts';
import type { DiePose } from './rotation.ts';
import { type ForeignObject, type Scene, type SceneTruth, sceneTruth } from './scene-truth.ts';
import type { Activation, ActivationCourse } from './shaker-physics.ts';
import { type StagedKind, stageScene } from './stage-scene.ts';

/** What the next activation does other than a fair throw. `ends-as` stages the scene that the dice come to rest in. */
export type ThrowFault =
  | { readonly kind: 'tumbles'; readonly tumbleCount: number }
  | { readonly kind: 'ends-as'; readonly scene: Exclude<StagedKind, 'moving' | 'turning'> }
  | { readonly kind: 'never-settles' };

interface Run {
  readonly startMs: number;
  readonly trajectory: Trajectory;
  readonly after: Scene;
  readonly isEndless: boolean;
}

/** Exposure of the simulated camera, ms: dice that move faster than that allows are blurred. */
const exposureMs = 9;
const momentCount = 3;
/** A motor that must end within 5 s (the firmware's default maximum) has at most this long for all its pulses. */
const pulsesMsMax = 4400;
/** How fast a wobbling die that never settles turns, radians a second. */
const wobbleRate = 5;

/** The one physical state behind the simulated firmware and camera: dice, tray, cover. Time comes from the clock, chance from the seed. */
export class DiceMachine {
  readonly tray: TraySettings;
  readonly #clock: Clock;
  readonly #seed: number;
  #throwCount = 0;
  #run: Run | null = null;
  #resting: Scene;
  #objects: readonly ForeignObject[] = [];
  #faults: ThrowFault[] = [];
  #isCoverClosed = false;
  readonly #covered: Scene;

  private constructor(clock: Clock, tray: TraySettings, seed: number) {
    this.#clock = clock;
    this.tray = tray;
    this.#seed = seed;
    this.#resting = stageScene('flat', seed, tray);
    const cover: ForeignObject = { kind: 'cover', xMm: 0, yMm: 0, angleRad: 0, radiusMm: tray.trayRadiusMm };
    this.#covered = { dice: [], objects: [cover], isMoving: false };
  }

  /** Loads the physics and lays three dice into the tray of `rig`. */
  static async start(clock: Clock, rig: Rig, seed: number): Promise<DiceMachine> {
    await loadPhysics();
    // The engine compiles while it first runs; the first throw of the table must not wait for that.
    throwDice(trayOf(rig), { seed, tumbleCount: 1, from: null });
    return new DiceMachine(clock, trayOf(rig), seed);
  }

  /** Faults of the next activations, one each, in order. */
  queue(...faults: readonly ThrowFault[]): void {
    this.#faults.push(...faults);
  }

  /** Things in or over the tray until changed. */
  setObjects(objects: readonly ForeignObject[]): void {
    this.#objects = objects;
    this.#resting = { ...this.#resting, objects };
  }

  /** Moves the opaque cover of shake-first play; while closed the camera sees no dice. */
  moveCover(position: 'open' | 'closed'): void {
    this.#isCoverClosed = position === 'closed';
  }

  get isCoverClosed(): boolean {
    return this.#isCoverClosed;
  }

  /** What a camera above sees now: the scene, or the closed cover. The same object as long as nothing changed. */
  view(): Scene {
    return this.#isCoverClosed ? this.#covered : this.scene();
  }

  /** Throws the dice from now on; fits `OnActivation` of the simulated firmware. A running throw is overtaken by a new one. */
  readonly onActivation = async ({ tumbleCount }: Activation): Promise<ActivationCourse> => {
    const fault = this.#faults.shift() ?? null;
    const startMs = this.#clock.now().monoMs;
    const from = this.scene().dice;
    this.#throwCount += 1;
    const seed = this.#seed * 1_000_003 + this.#throwCount;
    const pulses = fault?.kind === 'tumbles' ? fault.tumbleCount : tumbleCount;
    const tray = { ...this.tray, pulseGapMs: Math.min(this.tray.pulseGapMs, pulsesMsMax / Math.max(1, pulses)) };
    const trajectory = throwDice(tray, {
      seed,
      tumbleCount: pulses,
      from: from.length === 3 && this.#isInside(from) ? from : null,
    });
    const end =
      fault?.kind === 'ends-as'
        ? stageScene(fault.scene, seed, this.tray)
        : { dice: finalPoses(trajectory), objects: [], isMoving: false };
    const after = { ...end, objects: [...this.#objects, ...end.objects] };
    const isEndless = fault?.kind === 'never-settles' || trajectory.settledMs === null;
    this.#run = { startMs, trajectory, after, isEndless };
    return { tumbles: trajectory.tumbles, settledAtMs: isEndless ? null : trajectory.settledMs };
  };

  /** The scene at this moment. The same object as before as long as nothing changed. */
  scene(): Scene {
    const run = this.#run;
    if (run === null) return this.#resting;
    const atMs = this.#clock.now().monoMs - run.startMs;
    if (run.isEndless && atMs >= durationOf(run.trajectory)) return this.#wobbling(run, atMs);
    if (atMs < (run.trajectory.settledMs ?? durationOf(run.trajectory))) {
      return {
        dice: posesAt(run.trajectory, atMs),
        objects: this.#objects,
        isMoving: atMs >= (run.trajectory.tumbles[0]?.atMs ?? 0),
      };
    }
    this.#resting = run.after;
    this.#run = null;
    return this.#resting;
  }

  /** What a camera that exposes now gathers: null when nothing moves, else the dice at moments spread over the exposure. */
  exposure(): readonly (readonly DiePose[])[] | null {
    const run = this.#run;
    const scene = this.scene();
    if (run === null || this.#run === null || !scene.isMoving || this.#isCoverClosed) return null;
    const atMs = this.#clock.now().monoMs - run.startMs;
    if (run.isEndless && atMs >= durationOf(run.trajectory)) return [scene.dice];
    return Array.from({ length: momentCount }, (_, i) => posesAt(run.trajectory, atMs - (exposureMs * i) / (momentCount - 1)));
  }

  /** The truth about this moment, for tests and labels only; it never gets into a picture. */
  truth(): SceneTruth {
    return sceneTruth(this.scene(), this.tray.edgeMm, this.tray.trayRadiusMm);
  }

  #isInside(dice: readonly DiePose[]): boolean {
    return dice.every((die) => Math.hypot(die.position[0], die.position[1]) < this.tray.trayRadiusMm - this.tray.edgeMm * 0.5);
  }

  /** One die spins on without end, as on a plate that keeps trembling. */
  #wobbling(run: Run, atMs: number): Scene {
    const dice = finalPoses(run.trajectory).map((pose, index): DiePose => {
      if (index > 0) return pose;
      const half = ((atMs / 1000) * wobbleRate) / 2;
      const [x, y, z, w] = pose.rotation;
      const [s, c] = [Math.sin(half), Math.cos(half)];
      return { position: pose.position, rotation: [c * x - s * y, c * y + s * x, c * z + s * w, c * w - s * z] };
    });
    return { dice, objects: this.#objects, isMoving: true };
  }
}

/** The mechanical sizes that a rig's picture shows. */
export function trayOf(rig: Rig): TraySettings {
  const { edgeMm, cornerRadiusMm } = rig.die;
  return { edgeMm, cornerRadiusMm, trayRadiusMm: rig.trayRadiusMm, rim: rig.rim, pulseGapMs: 650 };
}

function durationOf(trajectory: Trajectory): number {
  return trajectory.stepCount * trajectory.stepMs;
}
