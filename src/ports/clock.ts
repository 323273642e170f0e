import type { Instant } from '../core/time.ts';

/** Source of time and timers. Real: `SystemClock`. Simulated: `VirtualClock`, which moves only when a test moves it. */
export interface Clock {
  now(): Instant;
  /** Calls `run` once, `delayMs` (>= 0) of monotonic time from now. @returns a function that cancels it, harmless when called late or twice. */
  after(delayMs: number, run: () => void): () => void;
}
