import type { Readable } from 'node:stream';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

/** Lines of the vision process that come into the log within `windowMs`. The JPEG decoder says one for each damaged picture: thirty a second, for as long as a
 *  cable is bad (failures.md, rule 17). */
export const linesMax = 10;
export const windowMs = 600_000;
/** Longest line kept, characters. */
const lineLengthMax = 500;

/** What a child process prints, as lines of the log: a few in any ten minutes, and how many were left out. */
export class ProcessWords {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onLeftOut: () => void;
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #lineCount = 0;
  #leftOutCount = 0;

  /** @param onLeftOut called for each line that does not come into the log. */
  constructor(clock: Clock, log: Log, onLeftOut: () => void) {
    this.#clock = clock;
    this.#log = log;
    this.#onLeftOut = onLeftOut;
  }

  /** Follows one output of a process to its end. Call it for each process; the bound holds for all together. */
  follow(output: Readable | null): void {
    let rest = '';
    output?.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString('latin1')).split('\n');
      rest = (lines.pop() ?? '').slice(0, lineLengthMax);
      for (const line of lines) if (line.trim() !== '') this.#say(line.slice(0, lineLengthMax));
    });
    output?.on('end', () => {
      if (rest.trim() !== '') this.#say(rest);
    });
    output?.on('error', () => {});
  }

  #say(line: string): void {
    const nowMs = this.#clock.now().monoMs;
    if (nowMs - this.#windowStartMs > windowMs) {
      this.#windowStartMs = nowMs;
      this.#lineCount = 0;
    }
    this.#lineCount += 1;
    if (this.#lineCount > linesMax) {
      this.#leftOutCount += 1;
      this.#onLeftOut();
      return;
    }
    this.#log.warn({ line, leftOutCount: this.#leftOutCount }, 'the vision process says');
  }
}
