import type { Clock } from '../ports/clock.ts';

/** Where the link writes what happened: a constant message, data in fields. */
export type LinkLog = (
  level: 'info' | 'warn',
  message: string,
  fields: Readonly<Record<string, string | number | boolean | null>>,
) => void;

const entriesMax = 20;
const windowMs = 60_000;
const hexBytesMax = 64;

/** Logs bytes that are no message, as hex so that the log stays valid text, at most 20 entries a minute: a lasting fault costs bounded log. */
export class NoiseLog {
  readonly #log: LinkLog;
  readonly #clock: Clock;
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #entryCount = 0;
  #suppressedCount = 0;

  constructor(log: LinkLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Notes one discarded line. @param byteCount its length; `bytes` may hold only its beginning. */
  note(cause: string, byteCount: number, bytes: Uint8Array): void {
    const nowMs = this.#clock.now().monoMs;
    if (nowMs - this.#windowStartMs >= windowMs) {
      this.#windowStartMs = nowMs;
      this.#entryCount = 0;
    }
    if (this.#entryCount >= entriesMax) {
      this.#suppressedCount += 1;
      return;
    }
    this.#entryCount += 1;
    const hex = Buffer.from(bytes.subarray(0, hexBytesMax)).toString('hex');
    this.#log('warn', 'line discarded', { cause, byteCount, hex, suppressedCount: this.#suppressedCount });
    this.#suppressedCount = 0;
  }
}
