import type { Instant } from '../core/time.ts';
import type { Clock } from '../ports/clock.ts';

/** The machine's time: `monoMs` from `performance.now` (monotonic, starts near 0 with the process), `wallMs` from the wall clock, which may jump. Whether
 *  the wall clock is synchronised is another question that this class does not answer. */
export class SystemClock implements Clock {
  now(): Instant {
    return { wallMs: Date.now(), monoMs: performance.now() };
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = setTimeout(run, Math.max(0, delayMs));
    return () => clearTimeout(timer);
  }
}
