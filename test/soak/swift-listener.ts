import { WebSocket } from 'ws';

/** Pauses of a display before it connects again, ms: as in the pages of the product, doubled each time, and shortened by chance by up to a half. */
const backOffMsMin = 500;
const backOffMsMax = 10_000;

export interface SwiftListenerOptions {
  /** `ws://…/feed`. */
  readonly url: string;
  /** 0 up to 1. */
  readonly chance: () => number;
  /** Told of a gap, a double, or an error. */
  readonly wrong: (problem: string) => void;
  /** Told of each result at the moment of its arrival. */
  readonly onResult: (seq: number) => void;
}

/** A display that follows the feed, comes back by itself and resumes, and looks at no more of a message than its number and kind, so that a process can have
 *  hundreds. */
export class SwiftListener {
  readonly #options: SwiftListenerOptions;
  #socket: WebSocket | null = null;
  #timer: NodeJS.Timeout | null = null;
  #attemptCount = 0;
  #isClosed = false;
  #journalId: string | null = null;
  /** Last record that it has; -1 before the first. */
  lastSeq = -1;
  /** Results that came as records. */
  resultCount = 0;
  /** Times that the connection was lost. */
  lossCount = 0;

  constructor(options: SwiftListenerOptions) {
    this.#options = options;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#socket?.terminate();
  }

  #connect(): void {
    const query = this.lastSeq < 0 ? '?snapshot=1' : `?after=${this.lastSeq}&journal=${this.#journalId}`;
    const socket = new WebSocket(`${this.#options.url}${query}`, { perMessageDeflate: false });
    this.#socket = socket;
    socket.on('error', () => {});
    socket.on('message', (data) => this.#take(data as Buffer));
    socket.on('close', () => {
      if (this.#isClosed) return;
      this.lossCount += 1;
      const waitMs = Math.min(backOffMsMax, backOffMsMin * 2 ** this.#attemptCount) * (0.5 + this.#options.chance() / 2);
      this.#attemptCount += 1;
      this.#timer = setTimeout(() => this.#connect(), waitMs);
    });
  }

  #take(data: Buffer): void {
    const head = data.toString('latin1', 0, 120);
    const [, type, seqText] = /^\{"type":"(\w+)","seq":(\d+)/.exec(head) ?? [];
    const seq = Number(seqText);
    this.#attemptCount = 0;
    if (type === 'snapshot') {
      this.#journalId = /"journalId":"(\w+)"/.exec(data.toString('latin1'))?.[1] ?? null;
      this.lastSeq = seq;
    } else if (type === 'event') {
      if (seq !== this.lastSeq + 1) this.#options.wrong(`after record ${this.lastSeq} the feed sent record ${seq}`);
      this.lastSeq = seq;
      if (!head.includes('"kind":"resultDeclared"')) return;
      this.resultCount += 1;
      this.#options.onResult(seq);
    } else if (type !== 'heartbeat') this.#options.wrong(`the feed sent ${head}`);
  }
}
