import type { PictureReading } from '../core/judging/reading.ts';
import { DeviceError, InputError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { DiceReader, FrameMotion, FrameReading } from '../ports/dice-reader.ts';
import type { Frame } from '../ports/frame-source.ts';
import type { Log } from '../ports/log.ts';
import { VisionChild } from './vision-child.ts';
import type { VisionAnswer } from './vision-messages.ts';

export interface WorkerDiceReaderOptions {
  readonly calibrationFile: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Longest time for an answer about one picture, ms. */
  readonly answerMsMax?: number;
  /** Longest time from the start of the process to its first answer, ms. */
  readonly openMsMax?: number;
  /** The process is replaced between two pictures when it has grown beyond this, MB. */
  readonly rssMbMax?: number;
}

type ReaderNotice = { readonly kind: 'up' } | { readonly kind: 'down'; readonly detail: string };

/** Pause before a dead process is started again: doubles from min to max, ms; a good answer sets it back. */
const restartMsMin = 100;
const restartMsMax = 5_000;

/** The daemon's side of the vision process: starts it, asks it, and replaces it when it dies, hangs or grows. What goes wrong there costs the
 *  reading that was asked for, never the table. */
export class WorkerDiceReader implements DiceReader {
  readonly counters: Record<string, number> = { pictures: 0, restarts: 0, deadlinesMissed: 0, replaced: 0, rssMb: 0 };
  readonly #options: Required<WorkerDiceReaderOptions>;
  readonly #listeners = new Set<(notice: ReaderNotice) => void>();
  #child: VisionChild | null = null;
  #calibrationId: string | null = null;
  #restartMs = restartMsMin;
  #cancelRestart: () => void = () => {};
  #isClosed = false;

  constructor(options: WorkerDiceReaderOptions) {
    this.#options = { answerMsMax: 2_000, openMsMax: 10_000, rssMbMax: 400, ...options };
  }

  get calibrationId(): string | null {
    return this.#calibrationId;
  }

  async open(): Promise<void> {
    this.#cancelRestart();
    await this.#start();
  }

  async motion(frame: Frame): Promise<FrameMotion> {
    const answer = await this.#ask('motion', frame);
    if (answer.kind !== 'looked') throw new DeviceError('vision.lost', `the vision process answered ${answer.kind} to a look`);
    const { frameNumber, capturedMonoMs } = frame;
    return { frameNumber, capturedMonoMs, ...answer.look };
  }

  async read(frame: Frame): Promise<FrameReading> {
    const answer = await this.#ask('read', frame);
    if (answer.kind !== 'read') throw new DeviceError('vision.lost', `the vision process answered ${answer.kind} to a reading`);
    const { frameNumber, capturedMonoMs } = frame;
    const reading: PictureReading = answer.reading;
    return { frameNumber, capturedMonoMs, reading, durationMs: answer.durationMs };
  }

  onNotice(listener: (notice: ReaderNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRestart();
    const child = this.#child;
    this.#child = null;
    await child?.end();
  }

  async #start(): Promise<void> {
    if (this.#isClosed) throw new DeviceError('vision.not-ready', 'the reader is closed');
    if (this.#child !== null) return;
    const child = new VisionChild(this.#options.clock, (detail) => this.#died(child, detail));
    this.#child = child;
    const { calibrationFile, openMsMax } = this.#options;
    try {
      const answer = await child.ask({ kind: 'open', calibrationFile }, openMsMax);
      if (answer.kind === 'refused') throw new InputError(answer.code, answer.message, answer.problems);
      if (answer.kind !== 'opened')
        throw new DeviceError('vision.not-ready', `the vision process answered ${answer.kind} to its start`);
      this.#calibrationId = answer.calibrationId;
      this.#tell({ kind: 'up' });
    } catch (error) {
      // Whoever opens tries again; a child that could not open its calibration is of no use.
      if (this.#child === child) this.#child = null;
      child.kill();
      throw error;
    }
  }

  async #ask(kind: 'motion' | 'read', { jpeg }: Frame): Promise<VisionAnswer> {
    const child = this.#child;
    if (child === null || !child.isOpen) throw new DeviceError('vision.lost', 'the vision process does not run');
    this.#count('pictures');
    try {
      const answer = await child.ask({ kind, jpeg }, this.#options.answerMsMax);
      this.#restartMs = restartMsMin;
      if ('rssMb' in answer) this.#watchSize(child, answer.rssMb);
      return answer;
    } catch (error) {
      if (error instanceof DeviceError && error.code === 'vision.timed-out') {
        this.#count('deadlinesMissed');
        child.kill();
      }
      throw error;
    }
  }

  /** A process that has grown is replaced while no picture waits for it. */
  #watchSize(child: VisionChild, rssMb: number): void {
    this.counters.rssMb = Math.round(rssMb);
    if (rssMb <= this.#options.rssMbMax || child.waitingCount > 0 || this.#child !== child) return;
    this.#count('replaced');
    this.#options.log.warn(
      { rssMb: Math.round(rssMb), rssMbMax: this.#options.rssMbMax },
      'vision process has grown and is replaced',
    );
    child.kill();
  }

  #died(child: VisionChild, detail: string): void {
    if (this.#child !== child || this.#isClosed) return;
    this.#child = null;
    // Before the first answer `open` reports the failure itself.
    if (this.#calibrationId === null) return;
    this.#count('restarts');
    this.#tell({ kind: 'down', detail });
    this.#options.log.warn({ detail, restartMs: this.#restartMs }, 'vision process ended; starting another');
    this.#restartLater();
  }

  #restartLater(): void {
    this.#cancelRestart = this.#options.clock.after(this.#restartMs, () => {
      this.#start().catch((error: unknown) => {
        this.#options.log.error({ detail: String(error) }, 'vision process does not start; trying again');
        if (!this.#isClosed) this.#restartLater();
      });
    });
    this.#restartMs = Math.min(restartMsMax, this.#restartMs * 2);
  }

  #count(counter: string): void {
    this.counters[counter] = (this.counters[counter] ?? 0) + 1;
  }

  #tell(notice: ReaderNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}
