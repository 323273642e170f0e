import { type AnswerFields, orderNumberMax, type Question, type Report } from '../../firmware-protocol/messages.ts';
import type { ShakeFailure } from '../core/round/faults.ts';
import type { ShakeOrder, ShakeOutcome, Shaker, ShakerNotice, ShakerStatus } from '../ports/shaker.ts';
import type { LinkLoss, LinkOptions, LinkSession } from './serial-link.ts';
import { SerialLink } from './serial-link.ts';
import { ShakerFaults } from './shaker-faults.ts';
import { failureOfOutcome, failureOfRefusal, lastOf, type OrderEnd } from './shaker-order.ts';

interface RunningOrder {
  readonly orderNumber: number;
  /** True for an order that explains where the cover goes. */
  readonly isCoverMove: boolean;
  readonly end: (end: OrderEnd) => void;
  /** True once its end is known; the motor may still have to be stopped. */
  isEnding: boolean;
  /** Resolves when nothing of it moves any more, at most two replies after its end. */
  readonly over: Promise<void>;
}

type OrderQuestion = Extract<Question, { readonly verb: 'shake' | 'cover' }>;

/** The shaker at the other end of a serial line, by firmware-protocol/README.md. How failures come out:
 *  link silent, closed or lost → `link-lost`; boot banner or another boot counter in any line → `rebooted`; acknowledgement or end lost → asked
 *  with `last`, sent again only when that proves the order was never taken, `no-answer` when nobody knows; a foreign device → fault `shaker.wrong-device`
 *  and nothing but `hello` is sent. The cover leaving `closed` without an order is told as tamper: someone may have seen the dice. */
export class SerialShaker implements Shaker {
  readonly #link: SerialLink;
  readonly #options: LinkOptions;
  readonly #listeners = new Set<(notice: ShakerNotice) => void>();
  readonly #faults = new ShakerFaults((notice) => this.#tell(notice));
  #running: RunningOrder | null = null;
  #isClosed = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#link = new SerialLink(options, {
      onUp: (session, status) => this.#up(session, status),
      onDown: (cause, detail) => this.#down(cause, detail),
      onWrongDevice: (detail) => this.#faults.set('shaker.wrong-device', true, detail),
      onStatus: (status) => this.#takeStatus(status),
      onReport: (report) => this.#takeReport(report),
      onReportsLost: () => void this.#recall(),
    });
  }

  get status(): ShakerStatus {
    const { session } = this.#link;
    return { isOnline: session !== null, identity: session?.identity ?? null, counters: { ...this.#link.counters } };
  }

  open(): void {
    this.#link.open();
  }

  async shake(order: ShakeOrder, signal: AbortSignal): Promise<ShakeOutcome> {
    const { limits } = this.#link.session ?? {};
    const isPossible =
      isWithin(order.activationCount, limits?.activations ?? 0) && isWithin(order.tumbleCount, limits?.tumbles ?? 0);
    if (limits !== undefined && !isPossible) return { kind: 'failed', cause: 'refused' };
    const motionMs = limits === undefined ? 0 : order.activationCount * (limits.motor + limits.settle);
    const ask = (): OrderQuestion => ({
      verb: 'shake',
      fields: {
        order: order.orderNumber,
        activations: order.activationCount,
        tumbles: order.tumbleCount,
        by: this.#link.deviceTimeIn(this.#options.timings.replyMsMax),
      },
    });
    const end = await this.#runOrder({ orderNumber: order.orderNumber, isCoverMove: false }, ask, motionMs, signal);
    if (end.kind === 'failed') return end;
    const cause = failureOfOutcome(end.outcome);
    if (cause !== null) return { kind: 'failed', cause };
    const isSettled = end.outcome === 'settled';
    return { kind: 'finished', tumbleCount: end.tumbleCount, activationCount: end.activationCount, isSettled };
  }

  async moveCover(
    orderNumber: number,
    position: 'open' | 'closed',
  ): Promise<{ readonly kind: 'moved' } | { readonly kind: 'failed'; readonly cause: ShakeFailure }> {
    const ask = (): OrderQuestion => ({
      verb: 'cover',
      fields: { order: orderNumber, to: position, by: this.#link.deviceTimeIn(this.#options.timings.replyMsMax) },
    });
    const motionMs = this.#link.session?.limits.cover ?? 0;
    const end = await this.#runOrder({ orderNumber, isCoverMove: true }, ask, motionMs, new AbortController().signal);
    // The order explains where the cover is from here on, also when its events were lost.
    this.#faults.setCover(end.kind === 'ended' && end.outcome === 'done' ? position : 'moving', true);
    if (end.kind === 'failed') return end;
    const cause = end.outcome === 'done' ? null : (failureOfOutcome(end.outcome) ?? 'no-answer');
    return cause === null ? { kind: 'moved' } : { kind: 'failed', cause };
  }

  async stop(): Promise<void> {
    const stop = (): Question => ({ verb: 'stop', fields: {} });
    const first = await this.#link.request(stop, true);
    // Unlike a shake, a stop may be repeated blindly. After a second silence the link is lost and the device stops by itself.
    if (first.kind === 'no-answer') await this.#link.request(stop, true);
  }

  async clearFaults(): Promise<void> {
    const result = await this.#link.request(() => ({ verb: 'clear', fields: {} }));
    if (result.kind !== 'answer') return;
    await this.#askStatus();
  }

  onNotice(listener: (notice: ShakerNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#running?.end({ kind: 'failed', cause: 'aborted' });
    const { timings, clock } = this.#options;
    await Promise.race([this.stop(), new Promise<void>((resolve) => clock.after(timings.replyMsMax, resolve))]);
    await this.#link.close();
  }

  /** Gives an order and follows it to its end. Everything that can end it races for one place, so it ends exactly once. */
  async #runOrder(
    order: Pick<RunningOrder, 'orderNumber' | 'isCoverMove'>,
    ask: () => OrderQuestion,
    motionMs: number,
    signal: AbortSignal,
  ): Promise<OrderEnd> {
    // A hold that is resumed at once: the order before has ended and is still being stopped.
    const { session } = this.#link;
    if (this.#running?.isEnding) await this.#running.over;
    if (signal.aborted || this.#isClosed) return { kind: 'failed', cause: 'aborted' };
    if (session === null || this.#link.session !== session) return { kind: 'failed', cause: 'link-lost' };
    if (this.#running !== null || !isWithin(order.orderNumber, orderNumberMax)) return { kind: 'failed', cause: 'refused' };
    const { clock, timings } = this.#options;
    let settle: (end: OrderEnd) => void = () => undefined;
    const ended = new Promise<OrderEnd>((resolve) => {
      settle = resolve;
    });
    let tellOver: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      tellOver = resolve;
    });
    const endWith = (end: OrderEnd): void => {
      running.isEnding = true;
      settle(end);
    };
    const running: RunningOrder = { ...order, end: endWith, isEnding: false, over };
    this.#running = running;
    const abort = (): void => endWith({ kind: 'failed', cause: 'aborted' });
    signal.addEventListener('abort', abort);
    const cancelDeadline = clock.after(motionMs + timings.orderMarginMs, () => endWith({ kind: 'failed', cause: 'no-answer' }));
    void this.#giveOrder(running, ask);
    const end = await ended;
    cancelDeadline();
    signal.removeEventListener('abort', abort);
    // Nobody waits for this order any more, so nothing of it may go on moving.
    if (end.kind === 'failed' && (end.cause === 'aborted' || end.cause === 'no-answer')) await this.stop();
    this.#running = null;
    tellOver();
    return end;
  }

  async #giveOrder(running: RunningOrder, ask: () => OrderQuestion): Promise<void> {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const result = await this.#link.request(() => ask());
      if (this.#running !== running || result.kind === 'superseded') return;
      if (result.kind === 'gone') {
        running.end({ kind: 'failed', cause: 'link-lost' });
        return;
      }
      if (result.kind === 'answer') {
        if (result.said.verb === 'refused') running.end({ kind: 'failed', cause: failureOfRefusal(result.said.fields.cause) });
        else {
          // Taken before: its end may be long past and is told only when asked for.
          if ('taken' in result.said.fields && result.said.fields.taken === 'again') await this.#recall();
          await this.#follow(running);
        }
        return;
      }
      const known = await this.#recall();
      if (this.#running !== running) return;
      if (known !== 'never-taken') {
        await this.#follow(running);
        return;
      }
    }
    running.end({ kind: 'failed', cause: 'no-answer' });
  }

  /** Asks for the order's state at each heartbeat, so that a lost end is found. */
  async #follow(running: RunningOrder): Promise<void> {
    const { clock, timings } = this.#options;
    while (this.#running === running) {
      await new Promise<void>((resolve) => clock.after(timings.heartbeatMs, resolve));
      if (this.#running !== running) return;
      const known = await this.#recall();
      // Taken once and now unknown: the device has lost its memory.
      if (known === 'never-taken') running.end({ kind: 'failed', cause: 'no-answer' });
    }
  }

  /** Asks `last` and `status`, and ends the running order when the answer says how it ended. */
  async #recall(): Promise<'running' | 'never-taken' | 'ended' | 'unknown'> {
    const running = this.#running;
    if (running === null) {
      await this.#askStatus();
      return 'unknown';
    }
    const result = await this.#link.request(() => ({ verb: 'last', fields: {} }));
    if (result.kind !== 'answer' || result.said.verb !== 'last') return 'unknown';
    const known = lastOf(running.orderNumber, result.said.fields);
    if (typeof known === 'string') return known;
    running.end(known);
    return 'ended';
  }

  async #askStatus(): Promise<void> {
    const result = await this.#link.request(() => ({ verb: 'status', fields: {} }));
    if (result.kind === 'answer' && result.said.verb === 'status') this.#takeStatus(result.said.fields);
  }

  #up(session: LinkSession, status: AnswerFields<'status'>): void {
    this.#faults.set('shaker.wrong-device', false, '');
    this.#tell({ kind: 'online', identity: session.identity });
    this.#faults.forgetCover();
    this.#takeStatus(status);
    void this.#tellLastOrder();
  }

  async #tellLastOrder(): Promise<void> {
    const result = await this.#link.request(() => ({ verb: 'last', fields: {} }));
    if (result.kind !== 'answer' || result.said.verb !== 'last' || result.said.fields.order === 0) return;
    this.#tell({ kind: 'ordersSeen', orderNumber: result.said.fields.order });
  }

  #down(cause: LinkLoss, detail: string): void {
    this.#running?.end({ kind: 'failed', cause });
    this.#tell({ kind: 'offline', detail });
  }

  #takeStatus(status: AnswerFields<'status'>): void {
    this.#faults.setAll(status);
    this.#faults.setCover(status.cover, this.#running?.isCoverMove === true);
  }

  #takeReport(report: Report): void {
    switch (report.verb) {
      case 'activation':
        if (this.#isOurs(report.fields.order)) {
          const { order, number } = report.fields;
          this.#tell({ kind: 'activationStarted', orderNumber: order, activationNumber: number });
        }
        return;
      case 'tumble':
        if (this.#isOurs(report.fields.order)) {
          const { order, number, strength } = report.fields;
          this.#tell({ kind: 'tumble', orderNumber: order, tumbleNumber: number, strengthMilliG: strength });
        }
        return;
      case 'ended':
        if (this.#isOurs(report.fields.order)) {
          const { outcome, activations, tumbles } = report.fields;
          this.#running?.end({ kind: 'ended', outcome, activationCount: activations, tumbleCount: tumbles });
        }
        return;
      case 'cover':
        this.#faults.setCover(report.fields.state, this.#running?.isCoverMove === true);
        return;
      case 'lid':
      case 'supply':
      case 'jam':
      case 'tamper':
        this.#faults.takeReport(report);
        return;
      case 'boot':
      case 'settled':
        return;
      default:
        report satisfies never;
    }
  }

  #isOurs(orderNumber: number): boolean {
    if (this.#running?.orderNumber === orderNumber) return true;
    this.#link.counters['report.stale'] = (this.#link.counters['report.stale'] ?? 0) + 1;
    return false;
  }

  #tell(notice: ShakerNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}

/** True for a whole number from 1 to `max`. */
function isWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max;
}
