import { setTimeout as pause } from 'node:timers/promises';
import type { PublicEvent } from '../../src/api/public-event.ts';

/** What one listener of the feed hears, for whoever waits for it. */
export class Ears {
  readonly #signal: AbortSignal;
  readonly #waiting = new Map<() => void, readonly PublicEvent['kind'][]>();
  /** `performance.now()` when something was heard last, ms. */
  lastMs = performance.now();

  /** @param signal breaks off whoever waits. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** To be called for each record that the listener hears. */
  take({ kind }: PublicEvent): void {
    this.lastMs = performance.now();
    for (const [tell, kinds] of this.#waiting) if (kinds.includes(kind)) tell();
  }

  /** Resolves with true when one of these records is heard, with false after `msMax`. @throws AbortError. */
  async hears(kinds: readonly PublicEvent['kind'][], msMax: number): Promise<boolean> {
    let tell = (): void => {};
    const heard = new Promise<boolean>((resolve) => {
      tell = () => resolve(true);
    });
    this.#waiting.set(tell, kinds);
    const late = pause(msMax, false, { signal: this.#signal });
    return Promise.race([heard, late]).finally(() => this.#waiting.delete(tell));
  }
}
