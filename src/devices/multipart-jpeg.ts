/** What a reader makes of the stream. Bad parts are reported, never thrown. */
export type PartEvent =
  | {
      readonly kind: 'picture';
      readonly jpeg: Buffer;
      /** When the first byte of the part's body was pushed, monotonic ms. */
      readonly arrivedMonoMs: number;
      /** The camera's own time of capture (`X-Timestamp`, seconds), as ms of its clock; null when it sends none. */
      readonly stampMs: number | null;
    }
  | { readonly kind: 'discarded'; readonly cause: 'cut' | 'too-large' | 'not-jpeg'; readonly byteCount: number };

/** Longest head of one part, bytes; longer is not a head. */
const headBytesMax = 4096;

type Stage =
  | { readonly kind: 'between' }
  | { readonly kind: 'head' }
  /** A body of a length that the camera announced; `isKept` is false for one over the limit, which is counted and thrown away. */
  | { readonly kind: 'counted'; readonly byteCount: number; readonly isKept: boolean }
  | { readonly kind: 'delimited' };

/** Takes `multipart/x-mixed-replace` apart into JPEG pictures, with or without `Content-Length`. Holds at most one part of `partBytesMax`. */
export class MultipartJpegReader {
  readonly #delimiter: Buffer;
  readonly #partBytesMax: number;
  #stage: Stage = { kind: 'between' };
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #droppedBytes = 0;
  #arrivedMonoMs = 0;
  #stampMs: number | null = null;

  /** @param boundary As in the `Content-Type` header; two leading hyphens more or less do not matter, cameras differ there. */
  constructor(boundary: string, partBytesMax: number) {
    this.#delimiter = Buffer.from(`--${boundary.replace(/^--/, '')}`, 'latin1');
    this.#partBytesMax = partBytesMax;
  }

  /** Takes the next bytes of the stream. */
  push(chunk: Buffer, nowMonoMs: number): readonly PartEvent[] {
    const events: PartEvent[] = [];
    let rest: Buffer | null = chunk;
    while (rest !== null) rest = this.#step(rest, nowMonoMs, events);
    return events;
  }

  /** The stream ended: a part that was begun is cut. */
  end(): readonly PartEvent[] {
    const { kind } = this.#stage;
    if (kind !== 'counted' && kind !== 'delimited') return [];
    return [{ kind: 'discarded', cause: 'cut', byteCount: this.#pendingBytes + this.#droppedBytes }];
  }

  /** Consumes bytes in the present stage. @returns what is left for the next stage, or null when more input is needed. */
  #step(chunk: Buffer, nowMonoMs: number, events: PartEvent[]): Buffer | null {
    switch (this.#stage.kind) {
      case 'between':
        return this.#seekDelimiter(chunk);
      case 'head':
        return this.#readHead(chunk, nowMonoMs, events);
      case 'counted':
        return this.#readCounted(chunk, this.#stage.byteCount, this.#stage.isKept, nowMonoMs, events);
      case 'delimited':
        return this.#readDelimited(chunk, nowMonoMs, events);
    }
  }

  #seekDelimiter(chunk: Buffer): Buffer | null {
    const all = this.#withPending(chunk);
    const at = all.indexOf(this.#delimiter);
    if (at < 0) {
      this.#hold(all.subarray(Math.max(0, all.length - this.#delimiter.length)));
      return null;
    }
    this.#stage = { kind: 'head' };
    return all.subarray(at + this.#delimiter.length);
  }

  #readHead(chunk: Buffer, nowMonoMs: number, events: PartEvent[]): Buffer | null {
    const all = this.#withPending(chunk);
    const at = all.indexOf('\r\n\r\n');
    if (at < 0 && all.length <= headBytesMax) {
      this.#hold(all);
      return null;
    }
    if (at < 0 || at > headBytesMax) {
      events.push({ kind: 'discarded', cause: 'not-jpeg', byteCount: all.length });
      this.#stage = { kind: 'between' };
      return at < 0 ? null : all.subarray(at);
    }
    const head = all.toString('latin1', 0, at);
    const seconds = Number(/^x-timestamp:\s*(\d+(?:\.\d+)?)\s*$/im.exec(head)?.[1] ?? Number.NaN);
    this.#stampMs = Number.isFinite(seconds) ? seconds * 1000 : null;
    const length = /^content-length:\s*(\d{1,15})\s*$/im.exec(head)?.[1];
    const rest = all.subarray(at + 4);
    this.#arrivedMonoMs = rest.length > 0 ? nowMonoMs : Number.NaN;
    if (length === undefined) this.#stage = { kind: 'delimited' };
    else if (Number(length) === 0) this.#finish(Buffer.alloc(0), events);
    else this.#stage = { kind: 'counted', byteCount: Number(length), isKept: Number(length) <= this.#partBytesMax };
    return rest.length > 0 ? rest : null;
  }

  #readCounted(chunk: Buffer, byteCount: number, isKept: boolean, nowMonoMs: number, events: PartEvent[]): Buffer | null {
    this.#markArrival(nowMonoMs);
    const missing = byteCount - this.#pendingBytes - this.#droppedBytes;
    const own = chunk.subarray(0, missing);
    if (isKept) this.#hold(own);
    else this.#droppedBytes += own.length;
    if (own.length < missing) return null;
    if (isKept) this.#finish(this.#withPending(Buffer.alloc(0)), events);
    else this.#discard('too-large', this.#droppedBytes, events);
    return chunk.length > missing ? chunk.subarray(missing) : null;
  }

  #readDelimited(chunk: Buffer, nowMonoMs: number, events: PartEvent[]): Buffer | null {
    this.#markArrival(nowMonoMs);
    const tail = this.#pending.pop() ?? Buffer.alloc(0);
    this.#pendingBytes -= tail.length;
    const joined = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk;
    const at = joined.indexOf(this.#delimiter);
    if (at >= 0) {
      this.#hold(joined.subarray(0, at));
      const body = this.#withPending(Buffer.alloc(0));
      if (this.#droppedBytes > 0) this.#discard('too-large', this.#droppedBytes + body.length, events);
      else this.#finish(withoutLineEnd(body), events);
      return joined.subarray(at);
    }
    // The end may hold the beginning of the delimiter, so it stays a piece of its own.
    const keep = Math.min(joined.length, this.#delimiter.length + 2);
    this.#hold(joined.subarray(0, joined.length - keep));
    if (this.#pendingBytes > this.#partBytesMax) {
      this.#droppedBytes += this.#pendingBytes;
      this.#pending = [];
      this.#pendingBytes = 0;
    }
    this.#hold(joined.subarray(joined.length - keep));
    return null;
  }

  #markArrival(nowMonoMs: number): void {
    if (Number.isNaN(this.#arrivedMonoMs)) this.#arrivedMonoMs = nowMonoMs;
  }

  #finish(body: Buffer, events: PartEvent[]): void {
    this.#stage = { kind: 'between' };
    const isStart = body.length >= 2 && body[0] === 0xff && body[1] === 0xd8;
    const isWhole = body.length >= 4 && body[body.length - 2] === 0xff && body[body.length - 1] === 0xd9;
    if (isStart && isWhole) {
      events.push({ kind: 'picture', jpeg: body, arrivedMonoMs: this.#arrivedMonoMs, stampMs: this.#stampMs });
    } else this.#discard(body.length > 0 && !isStart ? 'not-jpeg' : 'cut', body.length, events);
  }

  #discard(cause: 'cut' | 'too-large' | 'not-jpeg', byteCount: number, events: PartEvent[]): void {
    this.#stage = { kind: 'between' };
    this.#droppedBytes = 0;
    events.push({ kind: 'discarded', cause, byteCount });
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
  }

  #withPending(chunk: Buffer): Buffer {
    const only = this.#pending[0];
    const all = only === undefined ? chunk : Buffer.concat([...this.#pending, chunk]);
    this.#pending = [];
    this.#pendingBytes = 0;
    return all;
  }
}

function withoutLineEnd(body: Buffer): Buffer {
  const isLineEnd = body.length >= 2 && body[body.length - 2] === 0x0d && body[body.length - 1] === 0x0a;
  return isLineEnd ? body.subarray(0, -2) : body;
}
