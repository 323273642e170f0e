import { type DecodedJpeg, decodeJpeg } from './picture.ts';

/** Decodes the pictures of one camera and keeps the last one: a picture is measured for motion first and read next, and its decoding is a third
 *  of the reading. Whoever holds a decoder closes it. */
export class FrameDecoder {
  #last: { readonly jpeg: Buffer; readonly decoded: DecodedJpeg } | null = null;

  /** @param jpeg must not be changed afterwards. @returns the picture, which stays the decoder's: it is valid until another one is asked for. */
  decode(jpeg: Buffer): DecodedJpeg {
    // Bytes are compared, not frame numbers: a wrong picture under the right number would be read as a result.
    if (this.#last !== null && jpeg.equals(this.#last.jpeg)) return this.#last.decoded;
    this.close();
    const decoded = decodeJpeg(jpeg);
    this.#last = { jpeg, decoded };
    return decoded;
  }

  close(): void {
    if (this.#last?.decoded.kind === 'picture') this.#last.decoded.mat.release();
    this.#last = null;
  }
}
