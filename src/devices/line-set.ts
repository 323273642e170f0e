import { DeviceError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { type GpioLevel, type GpioLine, takeGpioLine } from './gpio-line.ts';

/** A line that is wanted: its number in sysfs, what it carries while nothing is lit, and its name for people. */
export interface WantedLine {
  readonly lineNumber: number;
  readonly inactiveLevel: GpioLevel;
  /** What hangs on it, e.g. "zone big" or "latch of the chain". */
  readonly purpose: string;
}

/** A group of output lines of which each works or fails by itself. */
export class LineSet<Key> {
  readonly #wanted: ReadonlyMap<Key, WantedLine>;
  readonly #clock: Clock;
  readonly #lines = new Map<Key, GpioLine>();
  readonly #problems = new Map<Key, string>();
  #isClosed = false;

  constructor(wanted: ReadonlyMap<Key, WantedLine>, clock: Clock) {
    this.#wanted = wanted;
    this.#clock = clock;
  }

  /** One readable line per line that does not work, in the order in which the lines were named. */
  get problems(): readonly string[] {
    return [...this.#wanted.keys()].flatMap((key) => this.#problems.get(key) ?? []);
  }

  isHeld(key: Key): boolean {
    return this.#lines.has(key);
  }

  /** The line itself, for fast series of writes; undefined while it is not held. */
  line(key: Key): GpioLine | undefined {
    return this.#lines.get(key);
  }

  /** Takes those of `keys` that are not held, all at once, each with its inactive level first. Never rejects: see `problems`. */
  async takeMissing(keys: Iterable<Key> = this.#wanted.keys()): Promise<void> {
    await Promise.all([...keys].filter((key) => !this.#lines.has(key)).map((key) => this.#take(key)));
  }

  async #take(key: Key): Promise<void> {
    const wanted = this.#wanted.get(key);
    if (wanted === undefined) return;
    try {
      const line = await takeGpioLine(wanted.lineNumber, wanted.inactiveLevel, this.#clock);
      if (this.#isClosed) {
        line.release();
        return;
      }
      this.#lines.set(key, line);
      this.#problems.delete(key);
    } catch (error) {
      this.fail(key, error);
    }
  }

  /** Writes one line; a refused write drops the line, so that the next `takeMissing` takes it again. @returns whether it was written. */
  write(key: Key, level: GpioLevel): boolean {
    const line = this.#lines.get(key);
    if (line === undefined) return false;
    try {
      line.write(level);
      return true;
    } catch (error) {
      this.fail(key, error);
      return false;
    }
  }

  /** Drops a line and notes why. @throws whatever is not a DeviceError: a bug. */
  fail(key: Key, error: unknown): void {
    if (!(error instanceof DeviceError)) throw error;
    const wanted = this.#wanted.get(key);
    this.#problems.set(key, `line ${wanted?.lineNumber} (${wanted?.purpose}): ${error.message}`);
    this.#lines.get(key)?.release();
    this.#lines.delete(key);
  }

  /** Gives all lines back in the order in which they were named, as they are; the caller has darkened them. */
  close(): void {
    this.#isClosed = true;
    for (const key of this.#wanted.keys()) this.#lines.get(key)?.release();
    this.#lines.clear();
  }
}
