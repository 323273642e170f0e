const headBytes = 3;
const payloadBytesMax = 4_096;

/** One frame for `avr-runner` (hardware-sim/avr/frames.h): type, length, payload; a long payload of UART bytes becomes several. */
export function frame(type: string, payload: Uint8Array): Buffer {
  const frames: Buffer[] = [];
  for (let from = 0; from === 0 || from < payload.length; from += payloadBytesMax) {
    const part = payload.subarray(from, from + payloadBytesMax);
    const head = Buffer.alloc(headBytes);
    head.write(type, 0, 'latin1');
    head.writeUInt16LE(part.length, 1);
    frames.push(head, Buffer.from(part));
  }
  return Buffer.concat(frames);
}

/** Takes frames out of the runner's output, however it is cut. */
export class FrameReader {
  readonly #onFrame: (type: string, payload: Buffer) => void;
  #kept = Buffer.alloc(0);

  constructor(onFrame: (type: string, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    let rest = this.#kept.length === 0 ? chunk : Buffer.concat([this.#kept, chunk]);
    while (rest.length >= headBytes && rest.length >= headBytes + rest.readUInt16LE(1)) {
      const end = headBytes + rest.readUInt16LE(1);
      this.#onFrame(rest.toString('latin1', 0, 1), rest.subarray(headBytes, end));
      rest = rest.subarray(end);
    }
    this.#kept = Buffer.from(rest);
  }
}
