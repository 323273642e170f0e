import type { IncomingMessage, Server } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { JournalRecord } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { Table } from '../ports/table.ts';
import type { FeedLimits } from './feed-limits.ts';
import { FeedListener } from './feed-listener.ts';
import { type FeedFrame, type FeedMessages, type ResumeRequest, resumeRequest } from './feed-messages.ts';

/** The WebSocket at `/feed`. A listener may resume by `?after=N` (with `&journal=ID`), ask for everything by `?snapshot=1`, or send
 *  `{"resumeAfter":N}` as its first message; who says nothing gets the snapshot. Nothing a listener does reaches the table. */
export class Feed {
  readonly #table: Table;
  readonly #messages: FeedMessages;
  readonly #limits: FeedLimits;
  readonly #log: Log;
  readonly #sockets: WebSocketServer;
  readonly #listeners = new Set<FeedListener>();
  readonly #counts = { opened: 0, refusedFull: 0, tooSlow: 0, noPong: 0, badMessage: 0, broken: 0, resynchronised: 0 };
  readonly #unsubscribe: () => void;
  readonly #heartbeat: NodeJS.Timeout;
  #outgoing: FeedFrame[] = [];
  #isClosing = false;

  constructor(parts: { table: Table; messages: FeedMessages; limits: FeedLimits; log: Log }) {
    this.#table = parts.table;
    this.#messages = parts.messages;
    this.#limits = parts.limits;
    this.#log = parts.log;
    this.#sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: this.#limits.receivedBytesMax });
    this.#unsubscribe = this.#table.onAppended((records) => this.#appended(records));
    this.#heartbeat = setInterval(() => this.#beat(), this.#limits.heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Counters since start: listeners now and ever, and how many were cut by cause. */
  get counters(): Readonly<Record<string, number>> {
    return { listening: this.#listeners.size, ...this.#counts };
  }

  /** Takes the upgrade requests of `server`. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Says goodbye to all listeners; those that do not answer are cut after `closeMsMax`. */
  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#unsubscribe();
    clearInterval(this.#heartbeat);
    this.#flush();
    for (const listener of this.#listeners) listener.end(1001, 'table.stopping');
    await new Promise<void>((closed) => this.#sockets.close(() => closed()));
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener an ECONNRESET in the middle of the handshake would end the process.
    socket.on('error', () => socket.destroy());
    const path = request.url ?? '';
    const url = URL.canParse(path, 'http://table') ? new URL(path, 'http://table') : null;
    const asked = url === null ? 'bad' : requestOf(url.searchParams);
    if (url?.pathname !== '/feed') {
      refuse(socket, '404 Not Found', 'api.not-found');
    } else if (asked === 'bad') {
      refuse(socket, '400 Bad Request', 'api.bad-request');
    } else if (this.#isClosing || this.#listeners.size >= this.#limits.listenersMax) {
      this.#counts.refusedFull += 1;
      refuse(socket, '503 Service Unavailable', 'feed.full');
    } else {
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#opened(webSocket, asked));
    }
  }

  /** Synchronous from the 101 answer to the listeners on the socket, so that a first message sent right behind the handshake is not lost. */
  #opened(socket: WebSocket, asked: ResumeRequest | 'snapshot' | null): void {
    this.#counts.opened += 1;
    const listener = new FeedListener(socket, this.#limits, (cause) => {
      this.#counts[cause] += 1;
    });
    this.#listeners.add(listener);
    const unasked = setTimeout(() => this.#start(listener, null), this.#limits.firstMessageMsMax);
    socket.on('error', () => {
      this.#counts.broken += 1;
    });
    socket.on('close', () => {
      clearTimeout(unasked);
      this.#listeners.delete(listener);
    });
    socket.on('message', (data, isBinary) => {
      clearTimeout(unasked);
      this.#received(listener, data, isBinary);
    });
    if (asked === null) return;
    clearTimeout(unasked);
    listener.hasAsked = asked !== 'snapshot';
    this.#start(listener, asked === 'snapshot' ? null : asked);
  }

  #received(listener: FeedListener, data: RawData, isBinary: boolean): void {
    const request = isBinary || listener.hasAsked ? null : parseRequest(data.toString());
    if (request === null) {
      listener.refuseMessage(this.#table.head.recordNumber);
      return;
    }
    listener.hasAsked = true;
    // Who asks after having got the snapshot unasked has everything up to that; the answer goes on from there.
    this.#start(listener, listener.isLive ? { resumeAfter: listener.sentSeq } : request);
  }

  /** Reads what was missed and makes the listener live in one synchronous step: no record can fall between the two. */
  #start(listener: FeedListener, request: ResumeRequest | null): void {
    if (this.#isClosing) return;
    try {
      listener.start(this.#messages.answer(request));
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'feed: cannot answer a listener');
      listener.end(1011, 'feed.cannot-answer');
    }
  }

  #appended(records: readonly JournalRecord[]): void {
    try {
      this.#messages.noteAppended(records);
      if (this.#listeners.size === 0) return;
      const frames = this.#messages.records(records);
      // Sending waits for the next turn, so that the table's orders to its devices do not stand behind a thousand displays.
      if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
      this.#outgoing.push(...frames);
    } catch (error) {
      // A listener that lost a record must not believe that it is complete: all of them start again.
      this.#counts.resynchronised += 1;
      this.#log.error({ error: String(error) }, 'feed: cannot tell a record, listeners must resume');
      for (const listener of this.#listeners) listener.end(1011, 'feed.resume');
    }
  }

  #flush(): void {
    const frames = this.#outgoing;
    this.#outgoing = [];
    for (const listener of this.#listeners) {
      if (!listener.isLive) continue;
      for (const frame of frames) listener.record(frame);
    }
  }

  #beat(): void {
    try {
      this.#flush();
      const frame = this.#messages.heartbeat();
      const nowMs = performance.now();
      for (const listener of this.#listeners) listener.beat(frame, nowMs);
    } catch (error) {
      this.#log.error({ error: String(error) }, 'feed: heartbeat failed');
    }
  }
}

function refuse(socket: Duplex, status: string, code: string): void {
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${code.length}\r\n\r\n${code}`,
  );
}

function requestOf(query: URLSearchParams): ResumeRequest | 'snapshot' | 'bad' | null {
  if (query.has('snapshot')) return 'snapshot';
  const after = query.get('after');
  if (after === null) return null;
  const journalId = query.get('journal');
  const parsed = resumeRequest.safeParse({
    resumeAfter: /^\d+$/.test(after) ? Number(after) : null,
    ...(journalId === null ? {} : { journalId }),
  });
  return parsed.success ? parsed.data : 'bad';
}

function parseRequest(text: string): ResumeRequest | null {
  try {
    const parsed = resumeRequest.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
