import type { SeededRandom } from './seeded-random.ts';

/** How the line between firmware and host is spoilt. Everything off by default. */
export interface WireSettings {
  /** `bytes`: each byte is written alone. `crlf`: CR and LF, each in a write of its own. `together`: lines wait for `flush` and go out in one write. */
  readonly split: 'lines' | 'bytes' | 'crlf' | 'together';
  /** Shares of lines, 0 to 1, that lose one byte, get one byte doubled, or lose their LF and so merge with the next. */
  readonly lostByteShare: number;
  readonly doubledByteShare: number;
  readonly mergedLineShare: number;
}

export const cleanWire: WireSettings = { split: 'lines', lostByteShare: 0, doubledByteShare: 0, mergedLineShare: 0 };

/** A wire that spoils lines as `settings` say, repeatably by the seed of `random`. Used in both directions. */
export class FaultyWire {
  settings: WireSettings = cleanWire;
  readonly #random: SeededRandom;
  readonly #write: (bytes: Buffer) => void;
  #held: Buffer[] = [];
  spoiltLineCount = 0;

  constructor(random: SeededRandom, write: (bytes: Buffer) => void) {
    this.#random = random;
    this.#write = write;
  }

  /** Sends one line, LF included. */
  send(line: Buffer): void {
    const bytes = this.#spoilt(line);
    switch (this.settings.split) {
      case 'lines':
        this.#write(bytes);
        return;
      case 'bytes':
        for (const byte of bytes) this.#write(Buffer.of(byte));
        return;
      case 'crlf':
        this.#write(bytes.subarray(0, -1));
        this.#write(Buffer.from('\r'));
        this.#write(bytes.subarray(-1));
        return;
      case 'together':
        this.#held.push(bytes);
        return;
      default:
        this.settings.split satisfies never;
    }
  }

  /** Writes what `together` holds back. */
  flush(): void {
    const held = Buffer.concat(this.#held);
    this.#held = [];
    if (held.length > 0) this.#write(held);
  }

  #spoilt(line: Buffer): Buffer {
    const { lostByteShare, doubledByteShare, mergedLineShare } = this.settings;
    const dice = this.#random.next();
    const at = Math.floor(this.#random.next() * line.length);
    if (dice >= lostByteShare + doubledByteShare + mergedLineShare) return line;
    this.spoiltLineCount += 1;
    if (dice < lostByteShare) return Buffer.concat([line.subarray(0, at), line.subarray(at + 1)]);
    if (dice < lostByteShare + doubledByteShare) return Buffer.concat([line.subarray(0, at + 1), line.subarray(at)]);
    return line.subarray(0, -1);
  }
}
