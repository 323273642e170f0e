import { randomInt } from 'node:crypto';
import type { AnswerFields, Question, Report } from '../../firmware-protocol/messages.ts';
import type { Clock } from '../ports/clock.ts';
import type { ShakerIdentity } from '../ports/shaker.ts';
import type { BytePort, OpenPort } from './byte-port.ts';
import { LinkConnection, type RequestResult } from './link-connection.ts';
import { askTwice, shakeHands } from './link-handshake.ts';
import { type LinkLog, NoiseLog } from './link-log.ts';
import type { LinkTimings } from './link-timings.ts';
import { atMost, PortOpener } from './port-opener.ts';

/** A device that has shaken hands: who it is, what it can do, how it stands. */
export interface LinkSession {
  readonly identity: ShakerIdentity;
  readonly limits: AnswerFields<'limits'>;
}

export type LinkLoss = 'link-lost' | 'rebooted';

export interface LinkListener {
  onUp(session: LinkSession, status: AnswerFields<'status'>): void;
  /** The session ended, or none could be had (once per change of `detail`). */
  onDown(cause: LinkLoss, detail: string): void;
  /** Something answers at the path, but it is not the shaker that was asked for. Not called again with the same words. */
  onWrongDevice(detail: string): void;
  onStatus(status: AnswerFields<'status'>): void;
  onReport(report: Report): void;
  onReportsLost(): void;
}

export interface LinkOptions {
  /** Device or symbolic link, e.g. `/dev/serial/by-id/…`; resolved anew at each try. */
  readonly path: string;
  /** Id that the device must give; null takes any shaker. */
  readonly deviceId: string | null;
  readonly openPort: OpenPort;
  readonly clock: Clock;
  readonly timings: LinkTimings;
  readonly log: LinkLog;
}

type Ended = { readonly cause: LinkLoss; readonly detail: string };

/** Finds the shaker, shakes hands, keeps the heartbeat, and begins anew after every loss until `close`. Sends nothing but `hello` to a device that has not
 *  shaken hands. Shown as lost within two heartbeats of silence; back at most `reconnectMsMax` plus a handshake after the device is. */
export class SerialLink {
  readonly counters: Record<string, number> = {};
  readonly #options: LinkOptions;
  readonly #listener: LinkListener;
  readonly #noise: NoiseLog;
  readonly #opener: PortOpener;
  #session: LinkSession | null = null;
  #connection: LinkConnection | null = null;
  #endPort: ((ended: Ended) => void) | null = null;
  #isClosed = false;
  #wake: () => void = () => undefined;
  #tag = randomInt(1, 65_536);
  #running: Promise<void> | null = null;

  constructor(options: LinkOptions, listener: LinkListener) {
    this.#options = options;
    this.#listener = listener;
    this.#opener = new PortOpener(options.path, options.openPort, options.clock, options.timings);
    this.#noise = new NoiseLog(options.log, options.clock);
  }

  /** The session that stands now; null while offline. */
  get session(): LinkSession | null {
    return this.#session;
  }

  /** Starts to look for the device. Once. */
  open(): void {
    this.#running ??= this.#run();
  }

  /** Asks within the session that stands now; `gone` when there is none. See `LinkConnection.request`. */
  request(question: () => Question, isUrgent = false): Promise<RequestResult> {
    if (this.#connection === null || this.#session === null) return Promise.resolve({ kind: 'gone' });
    return this.#connection.request(question, isUrgent);
  }

  /** Device time that passes at most `withinMs` from now, for the `by` of an order; 0 (long past or void) without a session. */
  deviceTimeIn(withinMs: number): number {
    return this.#connection?.deviceTimeIn(withinMs) ?? 0;
  }

  /** Closes the port and stops looking; resolves within `closeMsMax`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endPort?.({ cause: 'link-lost', detail: 'closed' });
    this.#wake();
    await atMost(this.#options.clock, this.#options.timings.closeMsMax, this.#running ?? Promise.resolve());
  }

  #count(name: string): void {
    this.counters[name] = (this.counters[name] ?? 0) + 1;
  }

  async #run(): Promise<void> {
    const { timings, log } = this.#options;
    let pauseMs = timings.reconnectMsMin;
    let lastDetail = '';
    while (!this.#isClosed) {
      const sessionsBefore = this.counters['session.opened'] ?? 0;
      const ended = await this.#connect();
      if (this.#isClosed) return;
      const hadSession = (this.counters['session.opened'] ?? 0) > sessionsBefore;
      if (hadSession) pauseMs = timings.reconnectMsMin;
      if (hadSession || ended.detail !== lastDetail) {
        log('warn', 'shaker link down', { path: this.#options.path, detail: ended.detail });
        if (!hadSession) this.#listener.onDown(ended.cause, ended.detail);
      }
      lastDetail = ended.detail;
      await new Promise<void>((resolve) => {
        const cancel = this.#options.clock.after(pauseMs, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
      pauseMs = Math.min(pauseMs * 2, timings.reconnectMsMax);
    }
  }

  /** One life of the port, from open to its end. */
  async #connect(): Promise<Ended> {
    let end: (ended: Ended) => void = () => undefined;
    const ended = new Promise<Ended>((resolve) => {
      end = resolve;
    });
    let connection: LinkConnection | null = null;
    const port = await this.#opener.open({
      onBytes: (chunk) => connection?.push(chunk),
      onGone: (detail) => end({ cause: 'link-lost', detail }),
    });
    if ('detail' in port) {
      this.#count('open.failed');
      return { cause: 'link-lost', detail: port.detail };
    }
    connection = new LinkConnection(port, this.#options.clock, this.#options.timings, this.#noise, this.counters, {
      onReport: (report) => this.#session !== null && this.#listener.onReport(report),
      onReportsLost: () => this.#session !== null && this.#listener.onReportsLost(),
      onReboot: (boot) => {
        this.#loseSession({ cause: 'rebooted', detail: `the shaker restarted (boot ${boot})` });
        void this.#serve(connection, end);
      },
      onSilent: (detail) => end({ cause: 'link-lost', detail }),
    });
    this.#connection = connection;
    this.#endPort = end;
    if (this.#isClosed) end({ cause: 'link-lost', detail: 'closed' });
    else void this.#serve(connection, end);
    void this.#watchPresence(port, connection, end);
    const result = await ended;
    this.#endPort = null;
    this.#connection = null;
    connection.end();
    this.#loseSession(result);
    await atMost(this.#options.clock, this.#options.timings.closeMsMax, port.close());
    return result;
  }

  /** Ends the port when its path twice in a row led elsewhere; one miss may be a link that is just being replaced. */
  async #watchPresence(port: BytePort, connection: LinkConnection, end: (ended: Ended) => void): Promise<void> {
    let missedCount = 0;
    while (this.#connection === connection && missedCount < 2) {
      await new Promise<void>((resolve) => this.#options.clock.after(this.#options.timings.presenceMs, resolve));
      if (this.#connection !== connection) return;
      missedCount = (await port.isPresent()) ? 0 : missedCount + 1;
    }
    end({ cause: 'link-lost', detail: 'the path no longer leads to the device' });
  }

  #loseSession(ended: Ended): void {
    if (this.#session === null) return;
    this.#session = null;
    this.#listener.onDown(ended.cause, ended.detail);
  }

  /** Shakes hands and keeps the heartbeat until the session ends. A reboot calls it again under another tag; the older call then sees its tag gone. */
  async #serve(connection: LinkConnection | null, end: (ended: Ended) => void): Promise<void> {
    if (connection === null) return;
    this.#tag = (this.#tag % 65_535) + 1;
    const tag = this.#tag;
    const isCurrent = (): boolean => this.#connection === connection && this.#tag === tag;
    connection.beginSession(tag.toString(16).padStart(4, '0'));
    const made = await shakeHands(connection, this.#options, isCurrent);
    if (!isCurrent()) return;
    if (made.kind !== 'shaken') {
      if (made.kind === 'wrong-device') this.#listener.onWrongDevice(made.detail);
      end({ cause: 'link-lost', detail: made.detail });
      return;
    }
    const { identity, limits, status } = made;
    this.#session = { identity, limits };
    this.#count('session.opened');
    this.#options.log('info', 'shaker online', {
      path: this.#options.path,
      deviceId: identity.deviceId,
      bootCount: identity.bootCount,
    });
    this.#listener.onUp(this.#session, status);
    while (isCurrent()) {
      await new Promise<void>((resolve) => this.#options.clock.after(this.#options.timings.heartbeatMs, resolve));
      if (!isCurrent()) return;
      // `status` and not `ping`: a lost lid event is made good by the next heartbeat.
      const heard = await askTwice(connection, 'status');
      if (heard !== null && isCurrent()) this.#listener.onStatus(heard);
    }
  }
}
