import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeviceError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { productRoot } from '../product-root.ts';
import type { VisionAnswer, VisionQuestion } from './vision-messages.ts';

type Question = VisionQuestion extends infer Q ? (Q extends unknown ? Omit<Q, 'questionNumber'> : never) : never;

interface Waiting {
  readonly resolve: (answer: VisionAnswer) => void;
  readonly reject: (error: DeviceError) => void;
  readonly cancelDeadline: () => void;
}

/** Time that the process has to end by itself before it is killed, ms. */
const endMsMax = 500;

/** One life of the vision process: questions with numbers and deadlines. Its end fails all that wait. */
export class VisionChild {
  readonly #process: ChildProcess;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Waiting>();
  #questionCount = 0;
  #isGone = false;
  #isOpen = false;
  #lastWords = '';

  /** @param onDied Called once when the process has ended, however. */
  constructor(clock: Clock, onDied: (detail: string) => void) {
    this.#clock = clock;
    this.#process = fork(programPath(), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, OPENCV4NODEJS_DISABLE_AUTOBUILD: '1', OPENCV4NODEJS_DISABLE_EXTERNAL_MEM_TRACKING: '1' },
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-2_000);
    });
    this.#process.on('message', (answer: VisionAnswer) => this.#take(answer));
    const gone = (detail: string): void => {
      if (this.#isGone) return;
      this.#isGone = true;
      for (const number of [...this.#waiting.keys()]) this.#fail(number, new DeviceError('vision.lost', detail));
      onDied(detail);
    };
    this.#process.on('error', (error) => gone(`vision process: ${error.message}`));
    this.#process.on('exit', (code, signal) =>
      gone(`vision process ended (${signal ?? `code ${code}`}) ${this.#lastWords.trim()}`.trim()),
    );
  }

  /** True once the calibration was opened, until the end. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#isGone;
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** @throws DeviceError `vision.lost` when the process ends first, `vision.timed-out` after `msMax`. */
  ask(question: Question, msMax: number): Promise<VisionAnswer> {
    if (this.#isGone) return Promise.reject(new DeviceError('vision.lost', 'the vision process has ended'));
    this.#questionCount += 1;
    const questionNumber = this.#questionCount;
    return new Promise((resolve, reject) => {
      const cancelDeadline = this.#clock.after(msMax, () =>
        this.#fail(questionNumber, new DeviceError('vision.timed-out', `no answer of the vision process within ${msMax} ms`)),
      );
      // The wait is registered before the question is sent.
      this.#waiting.set(questionNumber, { resolve, reject, cancelDeadline });
      this.#process.send({ ...question, questionNumber } as VisionQuestion, (error) => {
        if (error !== null) this.#fail(questionNumber, new DeviceError('vision.lost', error.message));
      });
    });
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Ends the process; resolves when it is gone. */
  async end(): Promise<void> {
    if (this.#isGone) return;
    const exit = once(this.#process, 'exit');
    if (this.#process.connected) this.#process.disconnect();
    const cancel = this.#clock.after(endMsMax, () => this.kill());
    await exit;
    cancel();
  }

  #take(answer: VisionAnswer): void {
    if (answer.kind === 'opened') this.#isOpen = true;
    const waiting = this.#waiting.get(answer.questionNumber);
    // An answer after its deadline is of no use to anybody.
    if (waiting === undefined) return;
    this.#waiting.delete(answer.questionNumber);
    waiting.cancelDeadline();
    waiting.resolve(answer);
  }

  #fail(questionNumber: number, error: DeviceError): void {
    const waiting = this.#waiting.get(questionNumber);
    if (waiting === undefined) return;
    this.#waiting.delete(questionNumber);
    waiting.cancelDeadline();
    waiting.reject(error);
  }
}

/** The compiled program: beside this file, or under dist when this runs from source (tests).
 *  @throws DeviceError `vision.not-built`. */
function programPath(): string {
  const here = fileURLToPath(import.meta.url);
  const path = here.endsWith('.ts')
    ? join(productRoot, 'dist/src/vision/vision-process.js')
    : here.replace('vision-child.js', 'vision-process.js');
  if (!existsSync(path)) throw new DeviceError('vision.not-built', `${path} is missing: build first (npm run build)`);
  return path;
}
