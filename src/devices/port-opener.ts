import type { Clock } from '../ports/clock.ts';
import type { BytePort, OpenPort, PortListener } from './byte-port.ts';
import type { LinkTimings } from './link-timings.ts';

/** Opens that hang at the same time: each holds a thread of the pool of four that the journal's files need too. */
const hangingOpensMax = 2;
const hangs = { detail: 'opening the port hangs' } as const;

/** Opens a port with a deadline, although the system's call has none. */
export class PortOpener {
  readonly #path: string;
  readonly #openPort: OpenPort;
  readonly #clock: Clock;
  readonly #timings: LinkTimings;
  #hangingCount = 0;

  constructor(path: string, openPort: OpenPort, clock: Clock, timings: LinkTimings) {
    this.#path = path;
    this.#openPort = openPort;
    this.#clock = clock;
    this.#timings = timings;
  }

  /** The open port, or why there is none after at most `openMsMax`. Never rejects. A port that opens after its deadline is closed at once. */
  async open(listener: PortListener): Promise<BytePort | { readonly detail: string }> {
    if (this.#hangingCount >= hangingOpensMax) return hangs;
    let isLate = false;
    this.#hangingCount += 1;
    const opening = this.#openPort(this.#path, listener).then(
      (port) => {
        this.#hangingCount -= 1;
        if (isLate) void port.close();
        return port;
      },
      (error: unknown) => {
        this.#hangingCount -= 1;
        return { detail: error instanceof Error ? error.message : String(error) };
      },
    );
    const opened = await atMost(this.#clock, this.#timings.openMsMax, opening);
    if (opened !== undefined) return opened;
    isLate = true;
    return hangs;
  }
}

/** What `work` gives, or undefined after `msMax`. */
export function atMost<Value>(clock: Clock, msMax: number, work: Promise<Value>): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(msMax, () => resolve(undefined));
    work.then(resolve, reject).finally(cancel);
  });
}
