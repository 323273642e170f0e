import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readProfileBytes } from '../../calibration/profile.ts';
import { DeviceError, InputError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { DiceReader, FrameMotion, FrameReading } from '../ports/dice-reader.ts';
import type { Frame } from '../ports/frame-source.ts';
import type { Log } from '../ports/log.ts';
import { productRoot } from '../product-root.ts';
import { ProcessWords } from './process-words.ts';
import { isVisionAnswer, type VisionAnswer, type VisionQuestion } from './vision-messages.ts';

type ReaderNotice = { readonly kind: 'up' } | { readonly kind: 'down'; readonly detail: string };

/** What a `WorkerDiceReader` is made of. The limits have defaults; tests narrow them. */
export interface WorkerDiceReaderOptions {
  readonly calibrationFile: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Longest wait for the answer to one picture, ms. The process is killed and replaced after it. */
  readonly answerMsMax?: number;
  /** Longest wait for the process to load OpenCV and the calibration, ms. */
  readonly openMsMax?: number;
  /** Resident memory of the process above which it is replaced between two pictures, MB. */
  readonly rssMbMax?: number;
  /** Pictures after which it is replaced in any case. */
  readonly picturesMax?: number;
}

interface Pending {
  readonly questionNumber: number;
  readonly resolve: (answer: VisionAnswer) => void;
  readonly reject: (error: Error) => void;
  readonly stopTimer: () => void;
}

/** First and longest wait before a dead process is started again, ms. */
const restartMsMin = 200;
const restartMsMax = 5_000;

/** The dice reader of the real table: a forked process that alone loads OpenCV, so that a crash, a hang or a leak there costs a reading and never
 *  the table. Questions are answered one at a time; a `motion` question that waits is replaced by a newer one.
 *  The calibration is the one that the file held at the first successful `open`: a process that replaces a lost one reads with the same, whatever
 *  has been activated or edited meanwhile. Another one counts from the next start of the table on, never in the middle of a round. */
export class WorkerDiceReader implements DiceReader {
  readonly counters: Record<string, number> = {
    frames: 0,
    reads: 0,
    restarts: 0,
    deadlinesMissed: 0,
    replaced: 0,
    motionsSkipped: 0,
    linesLeftOut: 0,
    rssMb: 0,
  };
  readonly #options: Required<WorkerDiceReaderOptions>;
  readonly #listeners = new Set<(notice: ReaderNotice) => void>();
  readonly #words: ProcessWords;
  #child: ChildProcess | null = null;
  #calibrationId: string | null = null;
  #calibration: Buffer | null = null;
  #pending: Pending | null = null;
  #waiting: { readonly kind: 'motion' | 'read'; readonly start: () => void; readonly giveUp: (error: Error) => void }[] = [];
  #questionNumber = 0;
  #pictureCount = 0;
  #restartMs = restartMsMin;
  #stopRestart: (() => void) | null = null;
  #isUp = false;
  #isClosed = false;

  constructor(options: WorkerDiceReaderOptions) {
    this.#options = { answerMsMax: 2_000, openMsMax: 15_000, rssMbMax: 400, picturesMax: 200_000, ...options };
    this.#words = new ProcessWords(options.clock, options.log, () => this.#count('linesLeftOut'));
  }

  get calibrationId(): string | null {
    return this.#calibrationId;
  }

  async open(): Promise<void> {
    if (this.#isClosed) throw new DeviceError('vision.not-ready', 'the dice reader is closed');
    await this.#start();
  }

  async motion(frame: Frame): Promise<FrameMotion> {
    const answer = await this.#ask('motion', frame);
    if (answer.kind !== 'motion')
      throw new DeviceError('vision.lost', `the vision process answered ${answer.kind} to a motion question`);
    return answer.motion;
  }

  async read(frame: Frame): Promise<FrameReading> {
    const answer = await this.#ask('read', frame);
    if (answer.kind !== 'reading')
      throw new DeviceError('vision.lost', `the vision process answered ${answer.kind} to a read question`);
    this.#count('reads');
    return {
      frameNumber: frame.frameNumber,
      capturedMonoMs: frame.capturedMonoMs,
      reading: answer.reading,
      scene: answer.scene,
      durationMs: answer.durationMs,
    };
  }

  onNotice(listener: (notice: ReaderNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopRestart?.();
    const child = this.#child;
    this.#drop(new DeviceError('vision.lost', 'the dice reader was closed'));
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }

  /** Starts a process and opens the calibration in it. */
  async #start(): Promise<void> {
    const { calibrationFile, openMsMax } = this.#options;
    const calibration = this.#calibration ?? readProfileBytes(calibrationFile);
    const child = fork(processFile(), {
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
    });
    this.#child = child;
    this.#pictureCount = 0;
    for (const output of [child.stdout, child.stderr]) this.#words.follow(output);
    child.on('message', (message: unknown) => this.#take(child, message));
    child.on('error', (error) => this.#lost(child, `cannot be run: ${error.message}`));
    child.on('exit', (code, signal) => this.#lost(child, `ended with ${signal ?? `code ${code}`}`));
    const question = { kind: 'open', questionNumber: this.#nextNumber(), calibrationFile, calibration } as const;
    const answer = await this.#send(question, openMsMax).catch((error: unknown) => {
      // A process that could not open its calibration is of no use, and whoever tries again starts another.
      if (child === this.#child) this.#child = null;
      child.kill('SIGKILL');
      throw error;
    });
    if (answer.kind !== 'opened')
      throw new DeviceError('vision.not-ready', `the vision process answered ${answer.kind} when it was opened`);
    this.#calibration = calibration;
    this.#calibrationId = answer.calibrationId;
    this.#restartMs = restartMsMin;
    this.#isUp = true;
    this.#tell({ kind: 'up' });
    this.#next();
  }

  /** Queues a question; at most one motion and a few reads wait. */
  #ask(kind: 'motion' | 'read', frame: Frame): Promise<VisionAnswer> {
    return new Promise((resolve, reject) => {
      if (!this.#isUp || this.#isClosed) {
        reject(new DeviceError('vision.lost', 'the vision process is not running'));
        return;
      }
      if (kind === 'motion') {
        const older = this.#waiting.find((waiting) => waiting.kind === 'motion');
        if (older !== undefined) {
          this.#count('motionsSkipped');
          this.#waiting = this.#waiting.filter((waiting) => waiting !== older);
          older.giveUp(new DeviceError('vision.superseded', 'a newer picture took its place'));
        }
      }
      const start = (): void => {
        this.#count('frames');
        this.#pictureCount += 1;
        const { frameNumber, capturedMonoMs, jpeg } = frame;
        this.#send({ kind, questionNumber: this.#nextNumber(), frameNumber, capturedMonoMs, jpeg }, this.#options.answerMsMax)
          .then((answer) => {
            if ('rssMb' in answer) this.counters.rssMb = answer.rssMb;
            resolve(answer);
          }, reject)
          .finally(() => this.#afterAnswer());
      };
      this.#waiting.push({ kind, start, giveUp: reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#pending !== null || !this.#isUp) return;
    this.#waiting.shift()?.start();
  }

  /** Between two pictures a process that has grown or grown old is replaced. */
  #afterAnswer(): void {
    const hasGrown = (this.counters.rssMb ?? 0) > this.#options.rssMbMax;
    if (this.#isUp && this.#pending === null && (hasGrown || this.#pictureCount >= this.#options.picturesMax)) {
      this.#count('replaced');
      this.counters.rssMb = 0;
      const child = this.#child;
      if (child !== null)
        this.#lost(
          child,
          hasGrown ? `replaced above ${this.#options.rssMbMax} MB` : `replaced after ${this.#options.picturesMax} pictures`,
        );
      return;
    }
    this.#next();
  }

  /** Sends one question and waits for its answer; the wait is registered before the send. */
  #send(question: VisionQuestion, msMax: number): Promise<VisionAnswer> {
    return new Promise((resolve, reject) => {
      const child = this.#child;
      if (child === null) {
        reject(new DeviceError('vision.lost', 'the vision process is not running'));
        return;
      }
      const stopTimer = this.#options.clock.after(msMax, () => {
        this.#count('deadlinesMissed');
        this.#lost(child, `gave no answer within ${msMax} ms`, 'vision.timed-out');
      });
      this.#pending = { questionNumber: question.questionNumber, resolve, reject, stopTimer };
      child.send(question, (error) => {
        if (error !== null) this.#lost(child, `took no question: ${error.message}`);
      });
    });
  }

  #take(child: ChildProcess, message: unknown): void {
    if (child !== this.#child || !isVisionAnswer(message)) return;
    const pending = this.#pending;
    // An answer to a question that nobody waits for any more is dropped.
    if (pending === null || pending.questionNumber !== message.questionNumber) return;
    this.#pending = null;
    pending.stopTimer();
    if (message.kind === 'failed') {
      pending.reject(
        message.code.startsWith('calibration.')
          ? new InputError(message.code, message.message, message.problems)
          : new DeviceError(message.code, message.message),
      );
    } else {
      pending.resolve(message);
    }
  }

  /** The process is gone or given up: everybody who waits is told, and another is started after a while. */
  #lost(child: ChildProcess, detail: string, code = 'vision.lost'): void {
    if (child !== this.#child) return;
    const wasUp = this.#isUp;
    this.#drop(new DeviceError(code, `the vision process ${detail}`));
    child.kill('SIGKILL');
    if (this.#isClosed || !wasUp) return;
    this.#options.log.warn({ detail }, 'vision process lost, starting another');
    this.#tell({ kind: 'down', detail });
    this.#restartLater();
  }

  #restartLater(): void {
    this.#stopRestart = this.#options.clock.after(this.#restartMs, () => {
      this.#stopRestart = null;
      this.#count('restarts');
      this.#start().catch((error: unknown) => {
        this.#options.log.error(
          { detail: error instanceof Error ? error.message : String(error) },
          'vision process does not start',
        );
        if (!this.#isClosed) this.#restartLater();
      });
    });
    this.#restartMs = Math.min(restartMsMax, this.#restartMs * 2);
  }

  #drop(error: DeviceError): void {
    this.#child = null;
    this.#isUp = false;
    const [pending, waiting] = [this.#pending, this.#waiting];
    this.#pending = null;
    this.#waiting = [];
    pending?.stopTimer();
    pending?.reject(error);
    for (const { giveUp } of waiting) giveUp(error);
  }

  #nextNumber(): number {
    this.#questionNumber += 1;
    return this.#questionNumber;
  }

  #count(counter: string): void {
    this.counters[counter] = (this.counters[counter] ?? 0) + 1;
  }

  #tell(notice: ReaderNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}

/** The program of the child: beside this file when built code runs; the built one when the sources run (tests), because Node 20 runs no TypeScript.
 *  @throws DeviceError `vision.not-ready` when it has not been built. */
function processFile(): string {
  const here = fileURLToPath(import.meta.url);
  const file = here.endsWith('.ts')
    ? join(productRoot, 'dist', 'src', 'vision', 'vision-process.js')
    : here.replace(/worker-dice-reader\.js$/, 'vision-process.js');
  if (!existsSync(file)) throw new DeviceError('vision.not-ready', `${file} is missing: build first (npm run build)`);
  return file;
}
