import { SimShaker } from '../../hardware-sim/sim-shaker.ts';
import { defaultPlay } from '../../src/config/play-keys.ts';
import type { ThrowReading } from '../../src/core/judging/reading.ts';
import type { FaultCode } from '../../src/core/round/faults.ts';
import type { DiceReader, FrameMotion, FrameReading } from '../../src/ports/dice-reader.ts';
import type { Frame, FrameNotice, FrameSource } from '../../src/ports/frame-source.ts';
import { type DiceAnswer, DiceWatch } from '../../src/runtime/dice-watch.ts';
import { FaultBoard } from '../../src/runtime/fault-board.ts';
import { MotionMeter, motionAreaOf } from '../../src/vision/motion-meter.ts';
import { readJpeg } from '../../src/vision/read-picture.ts';
import { MemoryEvidence } from '../runtime/memory-evidence.ts';
import { VirtualClock } from '../virtual-clock.ts';
import type { TriggerRig } from './trigger-rig.ts';

/** What became of one throw. */
export interface WatchedThrow {
  readonly rest: DiceAnswer;
  /** From the end of the shake to that answer, ms of virtual time. */
  readonly restMs: number;
  /** Null when the dice were not read. */
  readonly reading: ThrowReading | null;
}

/** A tray under a camera, watched by the table's own parts (motion meter, rest watch, readers, consensus, drift watch, faults) on a virtual clock. */
export class WatchedTray {
  readonly #clock = new VirtualClock();
  readonly #board = new FaultBoard(this.#clock, () => {});
  readonly #frames = new ShownFrames(this.#clock);
  readonly #watch: DiceWatch;
  readonly #frameMs: number;

  /** @param frameRate pictures a second. @param settleMsMax how long the dice may take to come to rest, ms; left out, as a table does by default. */
  constructor(rig: TriggerRig, frameRate: number, settleMsMax: number = defaultPlay.settleMsMax) {
    this.#frameMs = 1000 / frameRate;
    this.#watch = new DiceWatch({
      clock: this.#clock,
      shaker: new SimShaker({ clock: this.#clock }),
      frames: this.#frames,
      reader: new PictureReader(rig),
      evidence: new MemoryEvidence(),
      board: this.#board,
      log: { info() {}, warn() {}, error() {} },
      // No tumbles are waited for: what is asked here is when the dice count as at rest, and as early as can be.
      play: { ...defaultPlay, tumblesMin: 0, settleMsMax },
    });
    this.#watch.start();
  }

  /** Faults of the camera that stand. */
  get standing(): readonly FaultCode[] {
    return this.#board.standing;
  }

  /** One throw from the end of its shake on. @param pictureAt the picture taken that long after it, ms. */
  async watch(pictureAt: (sinceShakeMs: number) => Promise<Buffer>): Promise<WatchedThrow> {
    const { signal } = new AbortController();
    this.#watch.beginShake();
    this.#watch.endShake();
    const startMs = this.#clock.now().monoMs;
    const rest = await this.#shownUntil(this.#watch.watchRest(signal), startMs, pictureAt);
    const restMs = this.#clock.now().monoMs - startMs;
    if (rest.kind !== 'diceRested') return { rest, restMs, reading: null };
    const read = await this.#shownUntil(this.#watch.readDice(signal), startMs, pictureAt);
    return { rest, restMs, reading: read.kind === 'diceRead' ? read.reading : null };
  }

  close(): void {
    this.#watch.close();
  }

  async #shownUntil(
    answer: Promise<DiceAnswer>,
    startMs: number,
    pictureAt: (sinceShakeMs: number) => Promise<Buffer>,
  ): Promise<DiceAnswer> {
    const given: { answer: DiceAnswer | null } = { answer: null };
    answer.then((value) => {
      given.answer = value;
    });
    while (given.answer === null) {
      await this.#clock.advance(this.#frameMs);
      if (given.answer === null) this.#frames.show(await pictureAt(this.#clock.now().monoMs - startMs));
      await this.#clock.advance(0);
    }
    return given.answer;
  }
}

/** A camera that delivers what it is given, at once. */
class ShownFrames implements FrameSource {
  latest: Frame | null = null;
  readonly counters = {};
  readonly #clock: VirtualClock;
  readonly #listeners = new Set<(notice: FrameNotice) => void>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  open(): void {}

  show(jpeg: Buffer): void {
    const { monoMs, wallMs } = this.#clock.now();
    const frameNumber = (this.latest?.frameNumber ?? 0) + 1;
    this.latest = { frameNumber, jpeg, arrivedMonoMs: monoMs, capturedMonoMs: monoMs, capturedWallMs: wallMs };
    for (const listener of this.#listeners) listener({ kind: 'frame', frame: this.latest });
  }

  onNotice(listener: (notice: FrameNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {}
}

/** Reader and motion meter of the vision process, in this one. */
class PictureReader implements DiceReader {
  readonly calibrationId: string;
  readonly counters = {};
  readonly #rig: TriggerRig['reader'];
  readonly #meter: MotionMeter;

  constructor({ reader, calibrationId }: TriggerRig) {
    this.#rig = reader;
    this.calibrationId = calibrationId;
    this.#meter = new MotionMeter(motionAreaOf(reader.resolution, reader.view, reader.scene));
  }

  async open(): Promise<void> {}

  async motion({ frameNumber, capturedMonoMs, jpeg }: Frame): Promise<FrameMotion> {
    return this.#meter.measure(frameNumber, capturedMonoMs, jpeg);
  }

  async read({ frameNumber, capturedMonoMs, jpeg }: Frame): Promise<FrameReading> {
    const { reading, scene } = readJpeg(this.#rig, jpeg);
    return { frameNumber, capturedMonoMs, reading, scene, durationMs: 0 };
  }

  onNotice(): () => void {
    return () => {};
  }

  async close(): Promise<void> {}
}
