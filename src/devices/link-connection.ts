import { type Decoded, decodeDeviceLine, encodeRequest } from '../../firmware-protocol/codec.ts';
import { LineReader } from '../../firmware-protocol/line-reader.ts';
import {
  type Answer,
  type DeviceLine,
  lineNumberMax,
  noSession,
  type Question,
  type Report,
} from '../../firmware-protocol/messages.ts';
import type { Clock } from '../ports/clock.ts';
import type { BytePort } from './byte-port.ts';
import type { NoiseLog } from './link-log.ts';
import type { LinkTimings } from './link-timings.ts';

/** What became of a request. `superseded`: a `stop` went ahead of it. `gone`: the session ended first. */
export type RequestResult =
  | { readonly kind: 'answer'; readonly said: Answer; readonly boot: number }
  | { readonly kind: 'no-answer' | 'superseded' | 'gone' };

export interface ConnectionListener {
  onReport(report: Report): void;
  /** Events were lost: ask what they said. */
  onReportsLost(): void;
  /** The device started anew since the handshake. */
  onReboot(boot: number): void;
  /** Two requests in a row stayed without an answer, the device no longer knows the session, or a write never completed. */
  onSilent(detail: string): void;
}

interface Pending {
  readonly question: () => Question;
  readonly resolve: (result: RequestResult) => void;
}

const queueMax = 16;

/** Requests and answers over one open port: numbers them, has one in flight, registers the wait before the send, and counts only whole lines of
 *  the session that `beginSession` started. Knows nothing of shakes. */
export class LinkConnection {
  readonly counters: Record<string, number>;
  readonly #port: BytePort;
  readonly #clock: Clock;
  readonly #timings: LinkTimings;
  readonly #listener: ConnectionListener;
  readonly #noise: NoiseLog;
  readonly #reader: LineReader<DeviceLine>;
  readonly #queue: Pending[] = [];
  #inFlight: (Pending & { readonly number: number; readonly verb: string; readonly cancelTimer: () => void }) | null = null;
  #session = noSession;
  #boot: number | null = null;
  #requestNumber = 0;
  #eventNumber: number | null = null;
  #unansweredCount = 0;
  #isEnded = false;
  #deviceTime: { readonly upMs: number; readonly receivedMs: number } | null = null;
  /** Lines discarded since the session began. */
  discardedCount = 0;

  constructor(
    port: BytePort,
    clock: Clock,
    timings: LinkTimings,
    noise: NoiseLog,
    counters: Record<string, number>,
    listener: ConnectionListener,
  ) {
    this.#port = port;
    this.#clock = clock;
    this.#timings = timings;
    this.#noise = noise;
    this.counters = counters;
    this.#listener = listener;
    this.#reader = new LineReader(decodeDeviceLine, (decoded, bytes) => this.#take(decoded, bytes));
  }

  /** Bytes as they arrive. */
  push(chunk: Uint8Array): void {
    if (!this.#isEnded) this.#reader.push(chunk);
  }

  /** Starts a session under another tag: what was asked before is gone, what still arrives of it does not count. */
  beginSession(tag: string): void {
    this.#dropAll('gone');
    this.#session = tag;
    this.#boot = null;
    this.#eventNumber = null;
    this.#unansweredCount = 0;
    this.#deviceTime = null;
    this.discardedCount = 0;
    // Ends whatever half line the device holds.
    this.#port.write(Buffer.from('\n'), () => undefined);
  }

  /** Asks and waits for the answer of that number, at most `replyMsMax` from the send. Never rejects.
   *  @param question made at the moment of sending, so that a deadline in it is fresh. @param isUrgent goes ahead of the request in flight. */
  request(question: () => Question, isUrgent = false): Promise<RequestResult> {
    return new Promise((resolve) => {
      if (this.#isEnded || this.#queue.length >= queueMax) {
        resolve({ kind: 'gone' });
        return;
      }
      if (isUrgent) {
        this.#dropAll('superseded');
        this.#queue.unshift({ question, resolve });
      } else {
        this.#queue.push({ question, resolve });
      }
      this.#sendNext();
    });
  }

  /** Device time, u32 ms, that the device reaches at most `withinMs` from now; null before it told its time. */
  deviceTimeIn(withinMs: number): number | null {
    if (this.#deviceTime === null) return null;
    const passedMs = this.#clock.now().monoMs - this.#deviceTime.receivedMs;
    return Math.floor(this.#deviceTime.upMs + passedMs + withinMs) % 4_294_967_296;
  }

  /** Ends everything: every request is `gone`, no byte is sent or taken any more. */
  end(): void {
    this.#isEnded = true;
    this.#dropAll('gone');
  }

  #count(name: string): void {
    this.counters[name] = (this.counters[name] ?? 0) + 1;
  }

  #dropAll(kind: 'superseded' | 'gone'): void {
    const dropped = this.#inFlight === null ? [] : [this.#inFlight];
    this.#inFlight?.cancelTimer();
    this.#inFlight = null;
    for (const pending of [...dropped, ...this.#queue.splice(0)]) pending.resolve({ kind });
  }

  #sendNext(): void {
    if (this.#inFlight !== null || this.#isEnded) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    const said = next.question();
    this.#requestNumber = (this.#requestNumber % lineNumberMax) + 1;
    const number = this.#requestNumber;
    const line = encodeRequest({ kind: 'request', number, session: this.#session, said });
    let isTaken = false;
    const cancelTimer = this.#clock.after(this.#timings.replyMsMax, () => this.#giveUp(number, isTaken));
    this.#inFlight = { ...next, number, verb: said.verb, cancelTimer };
    // What was not answered may have lost its line end; a bare LF keeps it from swallowing this line too.
    this.#port.write(this.#unansweredCount > 0 ? Buffer.concat([Buffer.from('\n'), line]) : line, () => {
      isTaken = true;
    });
  }

  #giveUp(number: number, isTaken: boolean): void {
    const asked = this.#inFlight;
    if (asked?.number !== number) return;
    this.#inFlight = null;
    this.#unansweredCount += 1;
    this.#count('request.unanswered');
    asked.resolve({ kind: 'no-answer' });
    if (asked.verb !== 'hello') {
      // Bytes that the system has not taken would come out later, in front of the next request.
      if (!isTaken) this.#listener.onSilent('a write did not complete');
      else if (this.#unansweredCount >= 2) this.#listener.onSilent('two requests without an answer');
    }
    this.#sendNext();
  }

  #discard(cause: string, byteCount: number, bytes: Uint8Array): void {
    this.discardedCount += 1;
    this.#count(`line.${cause}`);
    this.#noise.note(cause, byteCount, bytes);
  }

  #take(decoded: Decoded<DeviceLine>, bytes: Uint8Array): void {
    if (this.#isEnded) return;
    if (decoded.kind === 'discarded') {
      this.#discard(decoded.cause, decoded.byteCount, bytes);
      return;
    }
    const line = decoded.message;
    if (line.kind === 'event' && line.said.verb === 'boot') this.#count('boot.seen');
    if (this.#boot !== null && line.boot !== this.#boot) {
      this.#listener.onReboot(line.boot);
      return;
    }
    const isSessionLost = line.kind === 'answer' && line.session === noSession && line.said.verb === 'refused';
    if (line.session !== this.#session && !(isSessionLost && line.number === this.#inFlight?.number)) {
      // A banner before the handshake, or doubled after it, belongs to no session and is no fault.
      if (!(line.kind === 'event' && line.session === noSession)) this.#discard('before-session', bytes.length, bytes);
      return;
    }
    if (line.kind === 'answer') this.#takeAnswer(line.number, line.boot, line.said);
    else this.#takeReport(line.number, line.said);
  }

  #takeAnswer(number: number, boot: number, said: Answer): void {
    const asked = this.#inFlight;
    if (asked === null || asked.number !== number || (said.verb !== asked.verb && said.verb !== 'refused')) {
      this.#count('answer.stale');
      return;
    }
    this.#inFlight = null;
    asked.cancelTimer();
    this.#unansweredCount = 0;
    // From here on another boot counter means that the device lost what it was doing.
    if (said.verb === 'hello') this.#boot = boot;
    if (said.verb === 'hello' || said.verb === 'ping' || said.verb === 'status') {
      this.#deviceTime = { upMs: said.fields.up, receivedMs: this.#clock.now().monoMs };
    }
    asked.resolve({ kind: 'answer', said, boot });
    if (said.verb === 'refused' && said.fields.cause === 'no-session' && this.#boot !== null) {
      this.#listener.onSilent('the device has ended the session');
    }
    this.#sendNext();
  }

  #takeReport(number: number, said: Report): void {
    const expected = this.#eventNumber === null ? number : (this.#eventNumber % lineNumberMax) + 1;
    this.#eventNumber = number;
    this.#listener.onReport(said);
    if (number !== expected) {
      this.#count('event.lost');
      this.#listener.onReportsLost();
    }
  }
}
