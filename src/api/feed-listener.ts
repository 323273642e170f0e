import type { WebSocket } from 'ws';
import { apiErrors } from './errors.ts';
import type { FeedLimits } from './feed-limits.ts';
import type { FeedFrame } from './feed-messages.ts';

/** Why a listener was cut; the name of the counter. */
export type CutCause = 'tooSlow' | 'noPong' | 'badMessage';

/** One connection of the feed: sends in order, never twice, never more than may wait, and notices when nobody is there. */
export class FeedListener {
  readonly #socket: WebSocket;
  readonly #limits: FeedLimits;
  readonly #onCut: (cause: CutCause) => void;
  #sentSeq = -1;
  #isEnding = false;
  #pingNumber = 0;
  #pingedAtMs: number | null = null;
  #waitingSinceMs: number | null = null;
  /** True once the listener got its first answer and receives what follows. */
  isLive = false;
  /** True once its one request was taken. */
  hasAsked = false;

  constructor(socket: WebSocket, limits: FeedLimits, onCut: (cause: CutCause) => void) {
    this.#socket = socket;
    this.#limits = limits;
    this.#onCut = onCut;
    socket.on('pong', (data) => {
      // Pongs that nobody asked for prove nothing (a stuck listener may send them by itself).
      if (data.toString() === String(this.#pingNumber)) this.#pingedAtMs = null;
    });
  }

  /** Number of the last record that the listener was sent, as such or in a snapshot; -1 before the first answer. */
  get sentSeq(): number {
    return this.#sentSeq;
  }

  /** First answer, or answer to a resume request: sent whatever its numbers are; from here on the listener is live. */
  start(frames: readonly FeedFrame[]): void {
    this.isLive = true;
    for (const { bytes } of frames) this.#send(bytes);
    this.#sentSeq = frames.at(-1)?.seq ?? this.#sentSeq;
  }

  /** A record: skipped when the first answer held it already. */
  record(frame: FeedFrame): void {
    if (frame.seq <= this.#sentSeq) return;
    this.#send(frame.bytes);
    this.#sentSeq = frame.seq;
  }

  /** Heartbeat, ping, and the look whether the listener still takes anything. @param nowMs monotonic. */
  beat(frame: FeedFrame, nowMs: number): void {
    if (this.#isEnding) return;
    if (this.#pingedAtMs !== null && nowMs - this.#pingedAtMs > this.#limits.pongMsMax) {
      this.#isEnding = true;
      this.#onCut('noPong');
      this.#socket.terminate();
      return;
    }
    if (this.#socket.bufferedAmount === 0) this.#waitingSinceMs = null;
    else this.#waitingSinceMs ??= nowMs;
    if (this.#waitingSinceMs !== null && nowMs - this.#waitingSinceMs > this.#limits.stallMsMax) {
      this.#cutSlow();
      return;
    }
    if (this.#pingedAtMs === null) {
      this.#pingedAtMs = nowMs;
      this.#pingNumber += 1;
      this.#socket.ping(String(this.#pingNumber));
    }
    if (this.isLive) this.#send(frame.bytes);
  }

  /** Tells the listener what is wrong with its message and closes. */
  refuseMessage(seq: number): void {
    if (this.#isEnding) return;
    const { status, message } = apiErrors['feed.bad-message'];
    this.#send(Buffer.from(JSON.stringify({ type: 'error', seq, code: 'feed.bad-message', message })));
    this.#onCut('badMessage');
    this.end(status, 'feed.bad-message');
  }

  /** Says goodbye, and cuts the connection when that is not answered in time. */
  end(code: number, reason: string): void {
    this.#isEnding = true;
    this.isLive = false;
    this.#socket.close(code, reason);
    const cut = setTimeout(() => this.#socket.terminate(), this.#limits.closeMsMax);
    this.#socket.once('close', () => clearTimeout(cut));
  }

  #send(bytes: Buffer): void {
    if (this.#isEnding || this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount + bytes.length > this.#limits.bufferedBytesMax) this.#cutSlow();
    else this.#socket.send(bytes, { binary: false });
  }

  #cutSlow(): void {
    this.#onCut('tooSlow');
    this.end(apiErrors['feed.too-slow'].status, 'feed.too-slow');
  }
}
