import { WebSocket } from 'ws';
import { type FeedMessage, feedMessageSchema, type TableView } from '../../src/api/views.ts';

type FeedEvent = Extract<FeedMessage, { type: 'event' }>['event'];

/** An event as the feed brought it. */
export interface ArrivedEvent {
  readonly event: FeedEvent;
  /** Arrival on this process's monotonic clock, ms. */
  readonly arrivedMonoMs: number;
}

/** Follows a table's feed from its beginning, as a display does, and lets a program wait for what it brings. */
export class RoundFeed {
  readonly #socket: WebSocket;
  readonly #events: ArrivedEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #table: TableView | null = null;

  /** @param address of the table's server, e.g. `http://127.0.0.1:8080`. */
  constructor(address: string) {
    this.#socket = new WebSocket(`${address.replace('http', 'ws')}/feed?snapshot=1`);
    this.#socket.on('error', () => {});
    this.#socket.on('message', (data) => this.#take(feedMessageSchema.parse(JSON.parse(String(data)))));
  }

  /** The newest table that the feed has shown; null before the first message. */
  get table(): TableView | null {
    return this.#table;
  }

  get eventCount(): number {
    return this.#events.length;
  }

  /** Events from this index on. */
  from(index: number): readonly ArrivedEvent[] {
    return this.#events.slice(index);
  }

  /** Waits until the question, asked anew at each message, has an answer. @throws Error naming `what` after `msMax`. */
  until<T>(what: string, msMax: number, answer: () => T | null | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const ask = (): void => {
        const found = answer();
        if (found === null || found === undefined) return;
        end();
        resolve(found);
      };
      const deadline = setTimeout(() => {
        end();
        reject(new Error(`${what}: not within ${msMax / 1000} s; the table is ${this.#table?.phase ?? 'unknown'}`));
      }, msMax);
      const end = (): void => {
        clearTimeout(deadline);
        this.#waiting.delete(ask);
      };
      this.#waiting.add(ask);
      ask();
    });
  }

  close(): void {
    this.#socket.close();
  }

  #take(message: FeedMessage): void {
    if (message.type === 'event') this.#events.push({ event: message.event, arrivedMonoMs: performance.now() });
    if (message.type === 'snapshot') this.#table = message.table;
    if (message.type === 'event' && message.table !== null) this.#table = message.table;
    for (const ask of [...this.#waiting]) ask();
  }
}
