import type { LampStatus, Lamps } from '../src/ports/lamps.ts';

/** Lamps in memory, for runs on a virtual clock. */
export class SimLamps implements Lamps {
  readonly #wiredZones: ReadonlySet<string> | null;
  readonly #unwired = new Set<string>();
  /** Every picture shown, oldest first, up to 10,000; the dark of `close` included. */
  readonly shown: (readonly string[])[] = [];
  #state: 'new' | 'open' | 'closed' = 'new';
  #wanted: ReadonlySet<string> = new Set();
  #failure: string | null = null;

  /** @param wiredZones zones that have a lamp; null: every zone has one. */
  constructor(wiredZones: ReadonlySet<string> | null = null) {
    this.#wiredZones = wiredZones;
  }

  async open(): Promise<void> {
    if (this.#state === 'new') this.#state = 'open';
  }

  show(zones: ReadonlySet<string>): void {
    if (this.#state === 'closed') return;
    this.#wanted = new Set(zones);
    for (const zone of zones) if (this.#wiredZones?.has(zone) === false) this.#unwired.add(zone);
    this.#note();
  }

  /** Fault on command: all lamps stop working for `reason`, or work again with null. */
  fail(reason: string | null): void {
    this.#failure = reason;
  }

  get status(): LampStatus {
    const isOffline = this.#state !== 'open' || this.#failure !== null;
    const problems = this.#failure === null ? [] : [this.#failure];
    if (this.#unwired.size > 0)
      problems.push(`no lamp is wired for ${this.#unwired.size} zones: ${[...this.#unwired].join(', ')}`);
    return {
      condition: isOffline ? 'offline' : problems.length > 0 ? 'degraded' : 'ok',
      problems,
      lit: isOffline ? new Set() : new Set([...this.#wanted].filter((zone) => this.#wiredZones?.has(zone) !== false)),
    };
  }

  close(): void {
    if (this.#state === 'closed') return;
    this.#wanted = new Set();
    this.#note();
    this.#state = 'closed';
  }

  #note(): void {
    if (this.shown.length < 10_000) this.shown.push([...this.#wanted].sort());
  }
}
