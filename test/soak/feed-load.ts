import { WebSocket } from 'ws';
import type { SeededRandom } from '../../hardware-sim/seeded-random.ts';
import { type FeedMessage, feedMessageSchema } from '../../src/api/views.ts';
import type { Findings } from './findings.ts';
import type { Witness } from './witness.ts';

export interface FeedLoadOptions {
  /** `ws://…/feed`; the same over restarts of the table. */
  readonly url: string;
  readonly random: SeededRandom;
  readonly witness: Witness;
  readonly findings: Findings;
  /** Called for each record that this listener hears. */
  readonly onEvent?: (message: Extract<FeedMessage, { type: 'event' }>) => void;
}

/** Pause before a listener tries again, ms. */
const retryMs = 100;

/** One display: connects, stays or leaves by chance, comes back and resumes behind the last record it saw, and notices gaps, doubles and steps back. */
export class FeedLoad {
  readonly #options: FeedLoadOptions;
  readonly #leaves: boolean;
  #socket: WebSocket | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;
  #lastSeq: number | null = null;
  #journalId: string | null = null;
  /** True until the first answer of this connection, which may be any of three kinds. */
  #isAnswerDue = true;

  /** @param leaves whether it leaves by itself now and then. */
  constructor(options: FeedLoadOptions, leaves: boolean) {
    this.#options = options;
    this.#leaves = leaves;
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#socket?.terminate();
  }

  #connect(): void {
    const { url, random, findings } = this.#options;
    const isResuming = this.#lastSeq !== null && this.#journalId !== null;
    const query = isResuming ? `?after=${this.#lastSeq}&journal=${this.#journalId}` : random.next() < 0.5 ? '?snapshot=1' : '';
    const socket = new WebSocket(`${url}${query}`, { perMessageDeflate: false });
    this.#socket = socket;
    this.#isAnswerDue = true;
    socket.on('error', () => {});
    socket.on('open', () => findings.count(isResuming ? 'feed resumes' : 'feed connections'));
    socket.on('message', (data) => this.#take(String(data)));
    socket.on('close', () => {
      if (this.#isClosed) return;
      this.#timer = setTimeout(() => this.#connect(), retryMs * random.between(0.2, 2));
    });
    if (this.#leaves) setTimeout(() => socket.terminate(), random.between(200, 4_000)).unref();
  }

  #take(text: string): void {
    const { findings, witness, onEvent } = this.#options;
    findings.count('feed messages');
    const parsed = feedMessageSchema.safeParse(JSON.parse(text));
    if (!parsed.success) {
      findings.wrong(`a message of the feed fits no schema: ${text.slice(0, 300)}`);
      return;
    }
    const message = parsed.data;
    witness.sawFeed(message);
    this.#checkOrder(message);
    if (message.type === 'snapshot') this.#journalId = message.table.journalId;
    if (message.type === 'event') onEvent?.(message);
  }

  #checkOrder(message: FeedMessage): void {
    const { findings } = this.#options;
    const last = this.#lastSeq;
    const { seq, type } = message;
    const isFirst = this.#isAnswerDue;
    this.#isAnswerDue = false;
    if (type === 'error') {
      findings.wrong(`the feed answered ${message.code}`);
      return;
    }
    if (last !== null && seq < last) findings.wrong(`the feed went back from record ${last} to ${type} ${seq}`);
    if (type === 'event' && last !== null && seq !== last + 1) findings.wrong(`after record ${last} the feed sent record ${seq}`);
    // A heartbeat may overtake records that wait to be sent, but never as the answer to a resume request.
    if (type === 'heartbeat' && isFirst && last !== null && seq !== last)
      findings.wrong(`resumed after ${last}, the feed said that ${seq} is all`);
    if (type !== 'heartbeat') this.#lastSeq = seq;
  }
}
