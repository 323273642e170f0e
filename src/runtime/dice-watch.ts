import type { BodyPlace } from '../core/judging/motion-sample.ts';
import type { ThrowReading } from '../core/judging/reading.ts';
import { areSamePlaces, isAtRest, restShareMax } from '../core/judging/rest-watch.ts';
import { agreeingPicturesMin, isDecided } from '../core/judging/throw-consensus.ts';
import type { DiceFact } from '../core/round/facts.ts';
import { distrustedPictureFaults } from '../core/round/faults.ts';
import type { PlaySettings } from '../core/round/settings.ts';
import { StorageError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { DiceReader, FrameMotion } from '../ports/dice-reader.ts';
import type { Frame, FrameSource } from '../ports/frame-source.ts';
import type { EvidenceStore } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { Shaker } from '../ports/shaker.ts';
import { DriftWatch } from './drift-watch.ts';
import type { FaultBoard } from './fault-board.ts';
import { judgedThrow, movedThrow, type ReadPicture } from './judged-throw.ts';
import { LookFailures } from './look-failures.ts';
import { PictureHealth } from './picture-health.ts';
import { ThrowLooks } from './throw-looks.ts';

/** Pause between looks while no dice are thrown, ms: enough to notice a frozen, dark or moved camera before the next round. */
const idleLookMs = 1_000;

/** Dice that rest although the pictures showed too few tumbles are waited for this much longer, ms: a camera's queue may lag behind. */
const lateBurstsMs = 1_500;

/** A silent camera is given this much more, ms: a table that was held up (a slow disk) runs its timers before it takes what arrived meanwhile. */
const silenceGraceMs = 100;

/** An answer to an order, before the order's number and the time are put to it. */
export type DiceAnswer = DistributiveOmit<DiceFact, 'at' | 'orderNumber'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export interface DiceWatchParts {
  readonly clock: Clock;
  readonly shaker: Shaker;
  readonly frames: FrameSource;
  readonly reader: DiceReader;
  readonly evidence: EvidenceStore;
  readonly board: FaultBoard;
  readonly log: Log;
  /** Of the round being played, else of the next; asked anew for each order. */
  readonly play: Pick<PlaySettings, 'orderOfPlay' | 'tumblesMin' | 'settleMs' | 'settleMsMax' | 'readMsMax'>;
}

/** Watches the dice through the camera: motion from the shake's order on, rest, then the reading on fresh pictures. One picture is looked at
 *  at a time, always the newest; while the cover is closed none is looked at, stored or read. */
export class DiceWatch {
  readonly #parts: DiceWatchParts;
  readonly #pictures: PictureHealth;
  readonly #drift: DriftWatch;
  readonly #stops: (() => void)[] = [];
  readonly #looks = new ThrowLooks();
  #isThrowing = false;
  #isCovered: boolean;
  /** Pictures captured up to then may show the cover, or the dice before it was open. */
  #uncoveredMonoMs = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  #lastLookMonoMs = Number.NEGATIVE_INFINITY;
  #shakeEndMonoMs = 0;
  /** True from the end of a shake until its rest was watched once; a later watch proves rest on pictures taken from then on. */
  #isFirstWatch = false;
  /** Where the dice came to rest; null until they did. */
  #restPlaces: readonly BodyPlace[] | null = null;
  /** The last pictures of the proven settle window; read first, and once: a second reading is made on fresh ones. */
  #restFrames: readonly Frame[] = [];
  /** Number of the newest watch or reading; an older one that still ends touches nothing of it. */
  #watchCount = 0;
  #onLook: (frame: Frame, look: FrameMotion) => void = () => {};
  #onLookFailed: () => void = () => {};

  constructor(parts: DiceWatchParts) {
    this.#parts = parts;
    this.#pictures = new PictureHealth(parts.board);
    this.#drift = new DriftWatch(parts.board);
    // Until the sensor has spoken nobody knows whether thrown dice lie under the cover.
    this.#isCovered = parts.play.orderOfPlay === 'shake-first';
  }

  /** How far light, focus, camera and dice are from the calibration; see `DriftWatch`. */
  get driftCounters(): Readonly<Record<string, number>> {
    return this.#drift.counters;
  }

  start(): void {
    const { frames, shaker, clock } = this.#parts;
    this.#stops.push(
      frames.onNotice((notice) => {
        if (notice.kind === 'frame') this.#offer(notice.frame);
      }),
      shaker.onNotice((notice) => {
        if (notice.kind === 'activationStarted') this.#looks.activate(notice.activationNumber, clock.now().monoMs);
        if (notice.kind === 'coverSensed') this.#coverSensed(notice.position);
      }),
    );
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** Forgets the throw before and watches every picture from now on. */
  beginShake(): void {
    this.#looks.begin(this.#parts.clock.now().monoMs);
    this.#isThrowing = true;
    this.#restPlaces = null;
    this.#shakeEndMonoMs = Number.POSITIVE_INFINITY;
  }

  /** Pictures captured from now on may prove rest and be evidence. */
  endShake(): void {
    this.#shakeEndMonoMs = this.#parts.clock.now().monoMs;
    this.#isFirstWatch = true;
  }

  /** While covered no picture is looked at, stored or read; afterwards only those captured from then on. */
  setCovered(isCovered: boolean): void {
    if (this.#isCovered && !isCovered) this.#uncoveredMonoMs = this.#parts.clock.now().monoMs;
    this.#isCovered = isCovered;
  }

  /** Resolves when all dice rest, with the tumbles that the pictures show, or after `settleMsMax` with why not. */
  async watchRest(signal: AbortSignal): Promise<DiceAnswer> {
    const { clock, play } = this.#parts;
    this.#isThrowing = true;
    // Somebody may have touched the dice since the first watch.
    const startMonoMs = this.#isFirstWatch ? this.#shakeEndMonoMs : clock.now().monoMs;
    this.#shakeEndMonoMs = startMonoMs;
    this.#isFirstWatch = false;
    this.#restPlaces = null;
    this.#restFrames = [];
    let calm: readonly Frame[] = [];
    const failure = new LookFailures(this.#parts);
    const looksAfter = (): readonly FrameMotion[] => this.#looks.after(startMonoMs);
    const beganMonoMs = clock.now().monoMs;
    const isProven = await this.#until<true>(signal, play.settleMsMax, failure, (resolve) => {
      this.#onLook = (frame, look) => {
        failure.forget();
        const isCalm = look.defect === null && look.changedShare <= restShareMax && frame.capturedMonoMs > startMonoMs;
        calm = isCalm ? [...calm, frame].slice(-agreeingPicturesMin) : [];
        if (!isAtRest(looksAfter(), play.settleMs)) return;
        const isWaitOver = clock.now().monoMs - beganMonoMs >= play.settleMs + lateBurstsMs;
        if (isWaitOver || (this.#burstCount ?? play.tumblesMin) >= play.tumblesMin) resolve(true);
      };
    });
    if (signal.aborted) return { kind: 'restFailed', cause: 'timed-out' };
    const looks = looksAfter();
    const newest = looks.at(-1);
    // At the deadline: at rest, and only the tumbles were waited for.
    const isRested = isProven ?? (isAtRest(looks, play.settleMs) && failure.cause === null);
    if (newest !== undefined && isRested) {
      this.#restPlaces = newest.bodies;
      this.#restFrames = calm;
      return { kind: 'diceRested', motionBurstCount: this.#burstCount };
    }
    this.#isThrowing = false;
    if (failure.cause !== null) return { kind: 'restFailed', cause: failure.cause };
    // Only good pictures can say that the dice move; of bad ones or none the dice are not to blame.
    if (newest !== undefined && newest.defect === null) return { kind: 'restFailed', cause: 'moving' };
    return { kind: 'restFailed', cause: this.#pictures.failure ?? 'timed-out' };
  }

  /** Reads the dice where they came to rest: first on the pictures that proved rest, then on fresh ones, until enough agree and a picture captured
   *  after this call shows that nothing has moved; keeps the evidence and judges the throw. */
  async readDice(signal: AbortSignal): Promise<DiceAnswer> {
    const { clock, play, reader, evidence } = this.#parts;
    this.#isThrowing = true;
    const startMonoMs = clock.now().monoMs;
    const calibrationId = reader.calibrationId ?? 'none';
    const pictures: ReadPicture[] = [];
    const waiting = [...this.#restFrames];
    this.#restFrames = [];
    const failure = new LookFailures(this.#parts);
    let isReading = false;
    let isStill = false;
    const seen: { moved: Frame | null } = { moved: null };
    const hasEnough = (): boolean => isDecided(pictures.map(({ reading }) => reading));
    await this.#until<true>(signal, play.readMsMax, failure, (resolve) => {
      const readNext = (): void => {
        // A reading made while such a fault stands would not be taken, and a fault stands a while after its end.
        if (isReading || hasEnough() || signal.aborted || this.#isDistrusted) return;
        const frame = waiting.shift();
        if (frame === undefined) return;
        isReading = true;
        reader
          .read(frame)
          .then(
            ({ reading, scene }) => {
              failure.forget();
              this.#pictures.demandCalibration(this.#drift.take(scene, calibrationId));
              pictures.push({ frame, reading });
            },
            () => failure.note(),
          )
          .finally(() => {
            isReading = false;
            if (isStill && hasEnough()) resolve(true);
            else readNext();
          });
      };
      this.#onLook = (frame, look) => {
        if (frame.capturedMonoMs <= startMonoMs || look.defect !== null || this.#isDistrusted) return;
        // What lies elsewhere than it came to rest is not what was thrown.
        seen.moved = this.#restPlaces !== null && !areSamePlaces(this.#restPlaces, look.bodies) ? frame : null;
        isStill = seen.moved === null && look.changedShare <= restShareMax;
        if (isStill && hasEnough()) resolve(true);
        else if (isStill && waiting.length === 0) waiting.push(frame);
        readNext();
      };
      readNext();
    });
    if (signal.aborted) return { kind: 'readFailed', cause: 'timed-out' };
    this.#isThrowing = false;
    const { moved } = seen;
    if (moved !== null) return this.#told(() => movedThrow(moved, evidence, calibrationId));
    if (failure.silenceLeftMs > 0 && pictures.length > 0 && isStill)
      return this.#told(() => judgedThrow(pictures, evidence, calibrationId));
    return { kind: 'readFailed', cause: failure.cause ?? this.#pictures.failure ?? 'timed-out' };
  }

  get #isDistrusted(): boolean {
    return this.#parts.board.standing.some((fault) => distrustedPictureFaults.has(fault));
  }

  /** Tumbles seen since the last activation began; null in shake-first play, where no picture is allowed. */
  get #burstCount(): number | null {
    return this.#parts.play.orderOfPlay === 'shake-first' ? null : this.#looks.burstCount;
  }

  /** A cover matters in shake-first play only; that it is open is always good to know. */
  #coverSensed(position: 'open' | 'closed'): void {
    if (position === 'open' || this.#parts.play.orderOfPlay === 'shake-first') this.setCovered(position === 'closed');
  }

  #told(judge: () => ThrowReading): DiceAnswer {
    try {
      return { kind: 'diceRead', reading: judge() };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      this.#parts.log.error({ code: error.code, detail: error.message }, 'evidence cannot be written; the reading is not used');
      return { kind: 'readFailed', cause: 'evidence-unwritable' };
    }
  }

  #offer(frame: Frame): void {
    if (this.#isCovered || this.#isBusy || frame.capturedMonoMs <= this.#uncoveredMonoMs) return;
    const nowMonoMs = this.#parts.clock.now().monoMs;
    if (!this.#isThrowing && nowMonoMs - this.#lastLookMonoMs < idleLookMs) return;
    this.#lastLookMonoMs = nowMonoMs;
    this.#isBusy = true;
    this.#parts.reader.motion(frame).then(
      (look) => {
        this.#isBusy = false;
        // The cover may have closed while the question was under way.
        if (this.#isCovered) return;
        // Motion blurs, so a throw says nothing about the camera until it is over.
        if (!this.#isThrowing || look.capturedMonoMs > this.#shakeEndMonoMs) this.#pictures.take(look.defect);
        if (!this.#isThrowing) return;
        this.#looks.add(look, frame.arrivedMonoMs);
        this.#onLook(frame, look);
      },
      () => {
        this.#isBusy = false;
        this.#onLookFailed();
      },
    );
  }

  /** Waits until `begin`'s callback is called. @returns null after `msMax`, when aborted, or when the camera falls silent. */
  #until<T>(
    signal: AbortSignal,
    msMax: number,
    failure: LookFailures,
    begin: (resolve: (value: T) => void) => void,
  ): Promise<T | null> {
    this.#watchCount += 1;
    const watchNumber = this.#watchCount;
    return new Promise((resolve) => {
      const end = (value: T | null): void => {
        cancel();
        cancelSilence();
        signal.removeEventListener('abort', onAbort);
        // A late answer to this watch must not end the looks of the next.
        if (this.#watchCount === watchNumber) {
          this.#onLook = () => {};
          this.#onLookFailed = () => {};
        }
        resolve(value);
      };
      const onAbort = (): void => end(null);
      const { clock } = this.#parts;
      const cancel = clock.after(msMax, () => end(null));
      let cancelSilence = (): void => {};
      const watchSilence = (): void => {
        cancelSilence = clock.after(failure.silenceLeftMs + silenceGraceMs, () => {
          if (failure.silenceLeftMs === 0) end(null);
          else watchSilence();
        });
      };
      watchSilence();
      signal.addEventListener('abort', onAbort);
      this.#onLookFailed = () => failure.note();
      if (signal.aborted) end(null);
      else begin(end);
    });
  }
}
