import type { FaultCode, ShakeFailure } from '../src/core/round/faults.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { ShakeOrder, ShakeOutcome, Shaker, ShakerIdentity, ShakerNotice, ShakerStatus } from '../src/ports/shaker.ts';

/** What the next shake does: as ordered and settled, a number of tumbles in its last activation, not settling, or a failure half-way. */
export type ScriptedShake =
  | 'good'
  | { readonly tumbles: number; readonly isSettled?: boolean }
  | { readonly isSettled: false }
  | { readonly fails: ShakeFailure };

export interface SimShakerOptions {
  readonly clock: Clock;
  /** One entry per shake; when it is used up every shake is good. */
  readonly script?: readonly ScriptedShake[];
  /** Between two tumbles, and from the last to rest, ms. */
  readonly tumbleMs?: number;
  readonly settleMs?: number;
  readonly coverMs?: number;
  /** Where the cover is at first; open by default. */
  readonly cover?: 'open' | 'closed';
  /** The last order that it remembers from before; none by default. */
  readonly rememberedOrder?: number;
  /** How long the link stays down, and lid and supply faults stand, after they happened, ms. */
  readonly faultMs?: number;
}

interface Run {
  readonly isShake: boolean;
  readonly finish: (outcome: ShakeOutcome) => void;
  readonly cancels: (() => void)[];
}

/** A shaker without a line or dice, on any clock, for runs of the whole table in virtual time. Same contract as `SerialShaker`. Its order numbers are kept as by firmware. */
export class SimShaker implements Shaker {
  readonly #clock: Clock;
  readonly #script: ScriptedShake[];
  readonly #options: Required<Omit<SimShakerOptions, 'clock' | 'script' | 'cover' | 'rememberedOrder'>>;
  readonly #listeners = new Set<(notice: ShakerNotice) => void>();
  readonly #standing = new Set<FaultCode>();
  readonly #cancels = new Set<() => void>();
  #isOnline = false;
  #isClosed = false;
  #bootCount = 1;
  #run: Run | null = null;
  #lastOrder: { readonly orderNumber: number; readonly outcome: ShakeOutcome } | null = null;
  #cover: 'open' | 'closed';
  /** Activations begun. */
  motionCount = 0;

  constructor(options: SimShakerOptions) {
    const { clock, script = [], tumbleMs = 120, settleMs = 300, coverMs = 800, faultMs = 1_000, cover = 'open' } = options;
    this.#clock = clock;
    this.#cover = cover;
    this.#script = [...script];
    const { rememberedOrder = 0 } = options;
    if (rememberedOrder > 0) this.#lastOrder = { orderNumber: rememberedOrder, outcome: { kind: 'failed', cause: 'aborted' } };
    this.#options = { tumbleMs, settleMs, coverMs, faultMs };
  }

  get status(): ShakerStatus {
    return {
      isOnline: this.#isOnline,
      identity: this.#isOnline ? this.#identity() : null,
      counters: { 'boot.seen': this.#bootCount },
    };
  }

  /** Where the cover is. */
  get cover(): 'open' | 'closed' {
    return this.#cover;
  }

  /** True while the motor throws the dice; a move of the cover is none. */
  get isShaking(): boolean {
    return this.#run?.isShake === true;
  }

  /** Adds to the end of the script. */
  queue(...shakes: readonly ScriptedShake[]): void {
    this.#script.push(...shakes);
  }

  open(): void {
    this.#after(0, () => this.#goOnline());
  }

  shake(order: ShakeOrder, signal: AbortSignal): Promise<ShakeOutcome> {
    const refusal = this.#refusalOf(order.orderNumber, signal);
    if (refusal !== null) return Promise.resolve(refusal);
    if (!isWithin(order.activationCount, 5) || !isWithin(order.tumbleCount, 9))
      return Promise.resolve({ kind: 'failed', cause: 'refused' });
    const plan = this.#script.shift() ?? 'good';
    return this.#start(order.orderNumber, true, signal, (run) => this.#activate(run, order, 1, plan));
  }

  async moveCover(
    orderNumber: number,
    position: 'open' | 'closed',
  ): Promise<{ kind: 'moved' } | { kind: 'failed'; cause: ShakeFailure }> {
    const refusal = this.#refusalOf(orderNumber, new AbortController().signal);
    if (refusal?.kind === 'failed') return refusal;
    if (refusal !== null) return { kind: 'moved' };
    const outcome = await this.#start(orderNumber, false, new AbortController().signal, (run) => {
      this.#later(run, this.#options.coverMs, () => {
        this.#cover = position;
        run.finish({ kind: 'finished', tumbleCount: 0, activationCount: 0, isSettled: true });
      });
    });
    return outcome.kind === 'failed' ? outcome : { kind: 'moved' };
  }

  async stop(): Promise<void> {
    this.#run?.finish({ kind: 'failed', cause: 'aborted' });
  }

  async clearFaults(): Promise<void> {
    this.#clear('shaker.jammed');
  }

  onNotice(listener: (notice: ShakerNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#run?.finish({ kind: 'failed', cause: 'aborted' });
    this.#isOnline = false;
    for (const cancel of this.#cancels) cancel();
  }

  /** Cable pulled (`isBack` false) or put in again. */
  plug(isBack: boolean): void {
    if (isBack) this.#goOnline();
    else this.#lose('link-lost', 'cable pulled');
  }

  /** Somebody moves the cover by hand. */
  pushCover(position: 'open' | 'closed'): void {
    if (this.#cover === position) return;
    this.#cover = position;
    if (!this.#isOnline) return;
    this.#tell({ kind: 'coverSensed', position });
    if (position === 'open') this.#tell({ kind: 'tamper', detail: 'the cover left its closed position without an order' });
  }

  /** A condition of the device begins; what it does to a running shake is as by firmware. */
  befall(cause: 'rebooted' | 'jammed' | 'lid-open' | 'supply' | 'tamper'): void {
    const { faultMs } = this.#options;
    if (cause === 'rebooted') {
      this.#bootCount += 1;
      this.#lose('rebooted', 'the shaker restarted');
      this.#after(faultMs, () => this.#goOnline());
      return;
    }
    if (cause === 'tamper') this.#tell({ kind: 'tamper', detail: 'the tamper contact was triggered' });
    else this.#raise(`shaker.${cause}`);
    if (cause === 'lid-open' || cause === 'supply') this.#after(faultMs, () => this.#clear(`shaker.${cause}`));
    this.#run?.finish({ kind: 'failed', cause });
  }

  /** A fault begins that does not end what runs. */
  tellFault(fault: FaultCode): void {
    this.#raise(fault);
  }

  #identity(): ShakerIdentity {
    return { deviceId: 'SB-SIM', firmwareVersion: '1.0.0', protocolVersion: 1, bootCount: this.#bootCount };
  }

  #refusalOf(orderNumber: number, signal: AbortSignal): ShakeOutcome | null {
    if (signal.aborted || this.#isClosed) return { kind: 'failed', cause: 'aborted' };
    if (!this.#isOnline) return { kind: 'failed', cause: 'link-lost' };
    if (this.#run !== null || !isWithin(orderNumber, 2_147_483_647)) return { kind: 'failed', cause: 'refused' };
    if (this.#lastOrder !== null && orderNumber < this.#lastOrder.orderNumber) return { kind: 'failed', cause: 'refused' };
    if (orderNumber === this.#lastOrder?.orderNumber) return this.#lastOrder.outcome;
    if (this.#standing.has('shaker.lid-open')) return { kind: 'failed', cause: 'lid-open' };
    if (this.#standing.has('shaker.jammed')) return { kind: 'failed', cause: 'jammed' };
    return this.#standing.has('shaker.supply') ? { kind: 'failed', cause: 'supply' } : null;
  }

  #start(orderNumber: number, isShake: boolean, signal: AbortSignal, begin: (run: Run) => void): Promise<ShakeOutcome> {
    return new Promise((resolve) => {
      const abort = (): void => run.finish({ kind: 'failed', cause: 'aborted' });
      const run: Run = {
        isShake,
        cancels: [],
        finish: (outcome) => {
          if (this.#run !== run) return;
          this.#run = null;
          signal.removeEventListener('abort', abort);
          for (const cancel of run.cancels) cancel();
          this.#lastOrder = { orderNumber, outcome };
          resolve(outcome);
        },
      };
      this.#run = run;
      signal.addEventListener('abort', abort);
      begin(run);
    });
  }

  #activate(run: Run, order: ShakeOrder, activation: number, plan: ScriptedShake): void {
    const { tumbleMs, settleMs } = this.#options;
    const isLast = activation === order.activationCount;
    const { tumbleCount, isSettled, fails } = courseOf(isLast ? plan : 'good', order);
    this.motionCount += 1;
    this.#tell({ kind: 'activationStarted', orderNumber: order.orderNumber, activationNumber: activation });
    for (let tumble = 1; tumble <= tumbleCount; tumble += 1) {
      this.#later(run, tumbleMs * tumble, () =>
        this.#tell({ kind: 'tumble', orderNumber: order.orderNumber, tumbleNumber: tumble, strengthMilliG: 1_300 }),
      );
    }
    if (fails !== null) this.#later(run, (tumbleMs * order.tumbleCount) / 2, () => this.#fail(run, fails));
    this.#later(run, tumbleMs * tumbleCount + settleMs, () => {
      if (isLast) run.finish({ kind: 'finished', tumbleCount, activationCount: activation, isSettled });
      else this.#activate(run, order, activation + 1, plan);
    });
  }

  #fail(run: Run, cause: ShakeFailure): void {
    switch (cause) {
      case 'link-lost':
        this.#lose('link-lost', 'cable pulled');
        this.#after(this.#options.faultMs, () => this.#goOnline());
        return;
      case 'no-answer':
      case 'refused':
      case 'aborted':
        run.finish({ kind: 'failed', cause });
        return;
      default:
        this.befall(cause);
    }
  }

  #goOnline(): void {
    if (this.#isOnline || this.#isClosed) return;
    this.#isOnline = true;
    this.#tell({ kind: 'online', identity: this.#identity() });
    if (this.#lastOrder !== null) this.#tell({ kind: 'ordersSeen', orderNumber: this.#lastOrder.orderNumber });
    this.#tell({ kind: 'coverSensed', position: this.#cover });
  }

  #lose(cause: 'link-lost' | 'rebooted', detail: string): void {
    this.#isOnline = false;
    this.#run?.finish({ kind: 'failed', cause });
    this.#tell({ kind: 'offline', detail });
  }

  #raise(fault: FaultCode): void {
    this.#standing.add(fault);
    this.#tell({ kind: 'faultRaised', fault, detail: 'simulated' });
  }

  #clear(fault: FaultCode): void {
    if (this.#standing.delete(fault)) this.#tell({ kind: 'faultCleared', fault });
  }

  #after(delayMs: number, run: () => void): void {
    const cancel = this.#clock.after(delayMs, () => {
      this.#cancels.delete(cancel);
      run();
    });
    this.#cancels.add(cancel);
  }

  #later(run: Run, delayMs: number, act: () => void): void {
    run.cancels.push(this.#clock.after(delayMs, () => this.#run === run && act()));
  }

  #tell(notice: ShakerNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}

/** What a script's entry means for one activation. */
function courseOf(
  plan: ScriptedShake,
  order: ShakeOrder,
): { readonly tumbleCount: number; readonly isSettled: boolean; readonly fails: ShakeFailure | null } {
  const good = { tumbleCount: order.tumbleCount, isSettled: true, fails: null };
  if (plan === 'good') return good;
  if ('fails' in plan) return { ...good, fails: plan.fails };
  if ('tumbles' in plan) return { ...good, tumbleCount: plan.tumbles, isSettled: plan.isSettled ?? true };
  return { ...good, isSettled: false };
}

/** True for a whole number from 1 to `max`. */
function isWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max;
}
