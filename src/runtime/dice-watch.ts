import { countMotionBursts } from '../core/judging/motion-bursts.ts';
import type { EvidencePicture, PictureReading } from '../core/judging/reading.ts';
import { isAtRest } from '../core/judging/rest-watch.ts';
import { isDecided, judgeThrow } from '../core/judging/throw-consensus.ts';
import type { DiceFact } from '../core/round/facts.ts';
import type { WatchFailure } from '../core/round/faults.ts';
import type { PlaySettings } from '../core/round/settings.ts';
import { StorageError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { DiceReader, FrameMotion } from '../ports/dice-reader.ts';
import type { Frame, FrameSource } from '../ports/frame-source.ts';
import type { EvidenceStore } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { Shaker } from '../ports/shaker.ts';
import type { FaultBoard } from './fault-board.ts';
import { PictureHealth } from './picture-health.ts';

/** Looks kept of one shake; at 60 pictures a second this is over a minute. The oldest go first. */
const looksMax = 4_000;

/** Pause between looks while no dice are thrown, ms: enough to notice a frozen, dark or moved camera before the next round. */
const idleLookMs = 1_000;

/** Dice that rest although the pictures showed too few tumbles are waited for this much longer, ms: a camera's queue may lag behind. */
const lateBurstsMs = 1_500;

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
  readonly play: Pick<PlaySettings, 'tumblesMin' | 'settleMs' | 'settleMsMax' | 'readMsMax'>;
}

/** Watches the dice through the camera: motion from the shake's order on, rest, then the reading on fresh pictures. One picture is looked at
 *  at a time, always the newest; while the cover is closed none is looked at, stored or read. */
export class DiceWatch {
  readonly #parts: DiceWatchParts;
  readonly #pictures: PictureHealth;
  readonly #stops: (() => void)[] = [];
  #looks: FrameMotion[] = [];
  #isThrowing = false;
  #isCovered = false;
  #isBusy = false;
  #lastLookMonoMs = Number.NEGATIVE_INFINITY;
  #activationMonoMs = 0;
  #shakeEndMonoMs = 0;
  /** True from the end of a shake until its rest was watched once; a later watch proves rest on pictures taken from then on. */
  #isFirstWatch = false;
  #onLook: (frame: Frame, look: FrameMotion) => void = () => {};
  #onLookFailed: () => void = () => {};

  constructor(parts: DiceWatchParts) {
    this.#parts = parts;
    this.#pictures = new PictureHealth(parts.board);
  }

  start(): void {
    const { frames, shaker, clock } = this.#parts;
    this.#stops.push(
      frames.onNotice((notice) => {
        if (notice.kind === 'frame') this.#offer(notice.frame);
      }),
      shaker.onNotice((notice) => {
        if (notice.kind === 'activationStarted') this.#activationMonoMs = clock.now().monoMs;
      }),
    );
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** Forgets the throw before and watches every picture from now on. */
  beginShake(): void {
    this.#looks = [];
    this.#isThrowing = true;
    this.#activationMonoMs = this.#parts.clock.now().monoMs;
    this.#shakeEndMonoMs = Number.POSITIVE_INFINITY;
  }

  /** Pictures captured from now on may prove rest and be evidence. */
  endShake(): void {
    this.#shakeEndMonoMs = this.#parts.clock.now().monoMs;
    this.#isFirstWatch = true;
  }

  setCovered(isCovered: boolean): void {
    this.#isCovered = isCovered;
  }

  /** Resolves when all dice rest, with the tumbles that the pictures show, or after `settleMsMax` with why not. */
  watchRest(signal: AbortSignal): Promise<DiceAnswer> {
    const { clock, play } = this.#parts;
    this.#isThrowing = true;
    // Somebody may have touched the dice since the first watch.
    const startMonoMs = this.#isFirstWatch ? this.#shakeEndMonoMs : clock.now().monoMs;
    this.#shakeEndMonoMs = startMonoMs;
    this.#isFirstWatch = false;
    const failure = new LookFailures(this.#parts);
    return this.#until<DiceAnswer>(signal, play.settleMsMax, failure, (resolve) => {
      this.#onLook = () => {
        failure.forget();
        const after = this.#looks.filter((look) => look.capturedMonoMs > startMonoMs);
        if (!isAtRest(after, play.settleMs)) return;
        const motionBurstCount = countMotionBursts(this.#looks, this.#activationMonoMs);
        const restedMs = clock.now().monoMs - startMonoMs;
        if (motionBurstCount < play.tumblesMin && restedMs < play.settleMs + lateBurstsMs) return;
        resolve({ kind: 'diceRested', motionBurstCount });
      };
    }).then((answer) => answer ?? { kind: 'restFailed', cause: failure.cause ?? 'moving' });
  }

  /** Reads the dice on pictures captured after this call until enough agree, keeps the evidence, and judges the throw. */
  async readDice(signal: AbortSignal): Promise<DiceAnswer> {
    const { clock, play, reader } = this.#parts;
    const startMonoMs = clock.now().monoMs;
    const readings: PictureReading[] = [];
    const jpegs: { readonly frame: Frame; readonly verdict: PictureReading['verdict'] }[] = [];
    const failure = new LookFailures(this.#parts);
    let isReading = false;
    const done = await this.#until<true>(signal, play.readMsMax, failure, (resolve) => {
      this.#onLook = (frame, look) => {
        if (frame.capturedMonoMs <= startMonoMs || look.defect !== null || isReading || isDecided(readings)) return;
        isReading = true;
        reader
          .read(frame)
          .then(({ reading }) => {
            failure.forget();
            readings.push(reading);
            jpegs.push({ frame, verdict: reading.verdict });
            if (isDecided(readings)) resolve(true);
          }, this.#onLookFailed)
          .finally(() => {
            isReading = false;
          });
      };
    });
    this.#isThrowing = false;
    if (signal.aborted) return { kind: 'readFailed', cause: 'timed-out' };
    if (done === null && readings.length === 0)
      return { kind: 'readFailed', cause: failure.cause ?? this.#pictures.failure ?? 'timed-out' };
    return this.#judged(readings, jpegs);
  }

  /** The evidence is on disk before the reading is told to anybody. */
  #judged(
    readings: readonly PictureReading[],
    jpegs: readonly { frame: Frame; verdict: PictureReading['verdict'] }[],
  ): DiceAnswer {
    const { evidence, reader, log } = this.#parts;
    const isAccepted = judgeThrow(readings, [], '').verdict === 'accepted';
    // One picture proves an accepted throw; of a refused one all are kept, since somebody will ask why.
    const kept = isAccepted ? jpegs.filter(({ verdict }) => verdict === 'accepted').slice(0, 1) : jpegs;
    try {
      const pictures: EvidencePicture[] = kept.map(({ frame }) => ({
        sha256: evidence.keep(frame.jpeg),
        capturedAtMs: frame.capturedWallMs,
      }));
      return { kind: 'diceRead', reading: judgeThrow(readings, pictures, reader.calibrationId ?? 'none') };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      log.error({ code: error.code, detail: error.message }, 'evidence cannot be written; the reading is not used');
      return { kind: 'readFailed', cause: 'evidence-unwritable' };
    }
  }

  #offer(frame: Frame): void {
    if (this.#isCovered || this.#isBusy) return;
    const nowMonoMs = this.#parts.clock.now().monoMs;
    if (!this.#isThrowing && nowMonoMs - this.#lastLookMonoMs < idleLookMs) return;
    this.#lastLookMonoMs = nowMonoMs;
    this.#isBusy = true;
    this.#parts.reader.motion(frame).then(
      (look) => {
        this.#isBusy = false;
        // Motion blurs, so a throw says nothing about the camera until it is over.
        if (!this.#isThrowing || look.capturedMonoMs > this.#shakeEndMonoMs) this.#pictures.take(look.defect);
        if (!this.#isThrowing) return;
        this.#looks.push(look);
        if (this.#looks.length > looksMax) this.#looks.shift();
        this.#onLook(frame, look);
      },
      () => {
        this.#isBusy = false;
        this.#onLookFailed();
      },
    );
  }

  /** Waits until `begin`'s callback is called. @returns null after `msMax` or when aborted. */
  #until<T>(
    signal: AbortSignal,
    msMax: number,
    failure: LookFailures,
    begin: (resolve: (value: T) => void) => void,
  ): Promise<T | null> {
    return new Promise((resolve) => {
      const end = (value: T | null): void => {
        cancel();
        signal.removeEventListener('abort', onAbort);
        this.#onLook = () => {};
        this.#onLookFailed = () => {};
        resolve(value);
      };
      const onAbort = (): void => end(null);
      const cancel = this.#parts.clock.after(msMax, () => end(null));
      signal.addEventListener('abort', onAbort);
      this.#onLookFailed = () => failure.note();
      if (signal.aborted) end(null);
      else begin(end);
    });
  }
}

/** Why nothing could be seen, if so: the vision process failed since the last good look, or no picture came. */
class LookFailures {
  readonly #frames: FrameSource;
  readonly #board: FaultBoard;
  #hasFailed = false;

  constructor({ frames, board }: { readonly frames: FrameSource; readonly board: FaultBoard }) {
    this.#frames = frames;
    this.#board = board;
  }

  note(): void {
    this.#hasFailed = true;
  }

  forget(): void {
    this.#hasFailed = false;
  }

  get cause(): WatchFailure | null {
    const { standing } = this.#board;
    if (standing.includes('camera.not-calibrated')) return 'not-calibrated';
    if (standing.includes('camera.frozen')) return 'camera-frozen';
    if (standing.includes('camera.offline') || this.#frames.latest === null) return 'camera-lost';
    return this.#hasFailed || standing.includes('vision.down') ? 'vision-lost' : null;
  }
}
