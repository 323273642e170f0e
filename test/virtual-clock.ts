import type { Instant } from '../src/core/time.ts';
import type { Clock } from '../src/ports/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly number: number;
  readonly run: () => void;
}

/** Time that moves only when a test moves it. Starts at monotonic 0 and wall 2026-01-01T00:00:00Z. */
export class VirtualClock implements Clock {
  readonly #wallStartMs: number;
  readonly #timers = new Set<Timer>();
  #monoMs = 0;
  #timerCount = 0;

  constructor(wallStartMs: number = Date.UTC(2026, 0, 1)) {
    this.#wallStartMs = wallStartMs;
  }

  now(): Instant {
    return { wallMs: this.#wallStartMs + this.#monoMs, monoMs: this.#monoMs };
  }

  after(delayMs: number, run: () => void): () => void {
    this.#timerCount += 1;
    const timer: Timer = { dueMs: this.#monoMs + Math.max(0, delayMs), number: this.#timerCount, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that wait. */
  get timerCount(): number {
    return this.#timers.size;
  }

  /** Moves time by `ms` and runs what falls due, in the order of its time, then of its making. Before each timer and at the end all promises that can settle
   *  without time or input have settled, so a chain of awaits runs as it would in real time. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#monoMs + ms;
    await promisesSettled();
    for (let timer = this.#next(endMs); timer !== undefined; timer = this.#next(endMs)) {
      this.#timers.delete(timer);
      this.#monoMs = timer.dueMs;
      timer.run();
      await promisesSettled();
    }
    this.#monoMs = endMs;
  }

  /** Advances from timer to timer until `isReached`. @throws Error when it is not reached within `msMax`. */
  async advanceUntil(isReached: () => boolean, msMax: number): Promise<void> {
    const endMs = this.#monoMs + msMax;
    await promisesSettled();
    while (!isReached()) {
      const timer = this.#next(endMs);
      if (timer === undefined) throw new Error(`not reached within ${msMax} ms of virtual time`);
      await this.advance(timer.dueMs - this.#monoMs);
    }
  }

  #next(endMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs > endMs) continue;
      if (next === undefined || timer.dueMs < next.dueMs || (timer.dueMs === next.dueMs && timer.number < next.number))
        next = timer;
    }
    return next;
  }
}

/** Resolves after all microtasks: `setImmediate` runs only once the promise queue is empty. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
