import type { Decoded } from './codec.ts';
import { lineBytesMax } from './messages.ts';

const lf = 0x0a;
const cr = 0x0d;

/** Cuts a byte stream into lines and decodes them; any way of splitting the stream gives the same results. Keeps at most 128 bytes: a longer line is dropped up
 *  to its LF and reported once as `too-long`. An own splitter and not `@serialport/parser-readline`, which joins buffers without a limit and decodes
 *  before anything is checked: a length guard in front of it has to find the line ends itself, and then nothing is left for it to do. */
export class LineReader<Line> {
  readonly #decode: (bytes: Uint8Array) => Decoded<Line>;
  readonly #emit: (decoded: Decoded<Line>, bytes: Uint8Array) => void;
  readonly #kept = Buffer.alloc(lineBytesMax);
  #byteCount = 0;

  /** @param emit gets each line's meaning and its first bytes (at most 128, without LF), valid only during the call. */
  constructor(decode: (bytes: Uint8Array) => Decoded<Line>, emit: (decoded: Decoded<Line>, bytes: Uint8Array) => void) {
    this.#decode = decode;
    this.#emit = emit;
  }

  /** Bytes of the line that has not ended yet. */
  get pendingByteCount(): number {
    return this.#byteCount;
  }

  /** Takes the next bytes of the stream. Never throws by itself. */
  push(chunk: Uint8Array): void {
    let from = 0;
    for (let end = chunk.indexOf(lf); end !== -1; end = chunk.indexOf(lf, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      this.#endLine();
    }
    this.#keep(chunk.subarray(from));
  }

  /** The first bytes of the unfinished line, at most 128, for a log. */
  pendingBytes(): Uint8Array {
    return this.#kept.subarray(0, Math.min(this.#byteCount, lineBytesMax));
  }

  #keep(part: Uint8Array): void {
    const room = lineBytesMax - this.#byteCount;
    if (room > 0) this.#kept.set(part.subarray(0, room), this.#byteCount);
    this.#byteCount += part.length;
  }

  #endLine(): void {
    const byteCount = this.#byteCount;
    this.#byteCount = 0;
    if (byteCount > lineBytesMax) {
      this.#emit({ kind: 'discarded', cause: 'too-long', byteCount }, this.#kept);
      return;
    }
    const isCrLf = byteCount > 0 && this.#kept[byteCount - 1] === cr;
    const line = this.#kept.subarray(0, isCrLf ? byteCount - 1 : byteCount);
    // The host ends whatever half line the device holds with a bare LF, so an empty line says nothing and is no fault.
    if (line.length === 0) return;
    this.#emit(this.#decode(line), line);
  }
}
