import type { Clock } from '../src/ports/clock.ts';

export type ForeignPersona = 'gps' | 'ok-to-all' | 'echo';

const sentence = '$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n';

/** A device that is no shaker: a GPS receiver that talks each second, a modem that says OK to every line, or a line that sends back what it gets. */
export class ForeignDevice {
  readonly #persona: ForeignPersona;
  readonly #clock: Clock;
  readonly #write: (bytes: Buffer) => void;
  #cancel: () => void = () => undefined;

  constructor(persona: ForeignPersona, clock: Clock, write: (bytes: Buffer) => void) {
    this.#persona = persona;
    this.#clock = clock;
    this.#write = write;
    if (persona === 'gps') this.#talk();
  }

  receive(chunk: Uint8Array): void {
    if (this.#persona === 'echo') this.#write(Buffer.from(chunk));
    if (this.#persona !== 'ok-to-all') return;
    for (const byte of chunk) if (byte === 0x0a) this.#write(Buffer.from('OK\r\n'));
  }

  powerOff(): void {
    this.#cancel();
  }

  #talk(): void {
    this.#write(Buffer.from(sentence));
    this.#cancel = this.#clock.after(1_000, () => this.#talk());
  }
}
