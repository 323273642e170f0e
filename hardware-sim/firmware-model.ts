import { decodeRequest, encodeDeviceLine } from '../firmware-protocol/codec.ts';
import { LineReader } from '../firmware-protocol/line-reader.ts';
import {
  type Answer,
  type AnswerFields,
  lineNumberMax,
  noSession,
  type OrderOutcome,
  protocolVersion,
  type Question,
  type RefusalCause,
  type Report,
  type RequestLine,
  shakerDevice,
} from '../firmware-protocol/messages.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { BootCause, FirmwareBoard } from './firmware-board.ts';
import type { FirmwareMemory } from './firmware-memory.ts';
import type { OnActivation } from './shaker-physics.ts';

/** Limits that the simulated firmware declares (firmware-protocol/README.md section 6, defaults). */
export const modelLimits: AnswerFields<'limits'> = {
  motor: 5_000,
  settle: 5_000,
  cover: 4_000,
  quiet: 2_500,
  tumbles: 9,
  activations: 5,
};

/** Sensors are looked at this often, ms. */
const sensorMs = 1;

export interface FirmwareModelOptions {
  readonly clock: Clock;
  readonly memory: FirmwareMemory;
  readonly onActivation: OnActivation;
  /** Takes the bytes of one line, LF included. */
  readonly send: (line: Buffer, said: Answer | Report) => void;
  /** What the device calls itself; a shaker by default. */
  readonly device?: string;
  readonly deviceId?: string;
  readonly hasCover?: boolean;
  readonly limits?: AnswerFields<'limits'>;
  /** Time the cover takes, ms. */
  readonly coverMs?: number;
  /** Called whenever the memory changed. */
  readonly onMemoryChanged?: () => void;
}

type Sensors = { lid: 'closed' | 'open'; cover: 'none' | 'closed' | 'open' | 'moving'; supply: 'ok' | 'low' };

/** The firmware's state machine from one start to the next, by firmware-protocol/README.md: bytes in, lines out, time from the clock, dice from `onActivation`.
 *  A reboot is a new model on the same memory. Counts the motion orders that it obeyed in `motionCount`. */
export class FirmwareModel implements FirmwareBoard {
  readonly #options: FirmwareModelOptions;
  readonly #memory: FirmwareMemory;
  readonly #limits: AnswerFields<'limits'>;
  readonly #startMs: number;
  readonly #reader = new LineReader(decodeRequest, (decoded) => {
    if (decoded.kind === 'message') this.#obey(decoded.message);
  });
  readonly #timers = new Set<() => void>();
  readonly #sensors: Sensors;
  #cancelQuiet: () => void = () => undefined;
  #session = noSession;
  #eventNumber = 0;
  #isOff = false;
  /** Grows with each activation and each end, so that timers and physics of an older one do nothing. */
  #runNumber = 0;
  #isMotorOn = false;
  motionCount = 0;

  constructor(options: FirmwareModelOptions) {
    this.#options = options;
    this.#memory = options.memory;
    this.#limits = options.limits ?? modelLimits;
    this.#startMs = options.clock.now().monoMs;
    this.#sensors = { lid: 'closed', cover: (options.hasCover ?? true) ? 'closed' : 'none', supply: 'ok' };
    this.#memory.bootCount += 1;
    if (this.#memory.last.outcome === 'running') this.#memory.last = { ...this.#memory.last, outcome: 'lost' };
    this.#remember();
  }

  get isMotorOn(): boolean {
    return this.#isMotorOn;
  }

  get lastOrder(): AnswerFields<'last'> {
    return this.#memory.last;
  }

  /** Sends the boot banner; the model works without it, as a firmware whose banner got lost. */
  announce(cause: BootCause): void {
    this.#report({ verb: 'boot', fields: { fw: '1.0.0', protocol: protocolVersion, cause } });
  }

  /** Bytes from the host. */
  receive(chunk: Uint8Array): void {
    if (!this.#isOff) this.#reader.push(chunk);
  }

  /** Power or firmware gone: everything stands, nothing is said any more. */
  powerOff(): void {
    this.#isOff = true;
    this.#isMotorOn = false;
    this.#cancelQuiet();
    this.#clearTimers();
  }

  setLid(lid: Sensors['lid']): void {
    if (this.#sensors.lid === lid) return;
    this.#sensors.lid = lid;
    this.#report({ verb: 'lid', fields: { state: lid } });
    if (lid === 'open') this.#endOrder('lid-open');
  }

  setSupply(supply: Sensors['supply']): void {
    if (this.#sensors.supply === supply) return;
    this.#sensors.supply = supply;
    this.#report({ verb: 'supply', fields: { state: supply } });
    if (supply === 'low') this.#endOrder('supply');
  }

  /** The cover moved by a hand. */
  setCover(cover: 'closed' | 'open'): void {
    this.#senseCover(cover);
  }

  /** The motor stalls. */
  jam(): void {
    if (this.#memory.isJammed) return;
    this.#memory.isJammed = true;
    this.#remember();
    this.#report({ verb: 'jam', fields: { state: 'on' } });
    this.#endOrder('jammed');
  }

  tamper(): void {
    if (this.#memory.isTampered) return;
    this.#memory.isTampered = true;
    this.#remember();
    this.#report({ verb: 'tamper', fields: { state: 'on' } });
    this.#endOrder('tamper');
  }

  #up(): number {
    return Math.floor(this.#options.clock.now().monoMs - this.#startMs) % 4_294_967_296;
  }

  #remember(): void {
    this.#options.onMemoryChanged?.();
  }

  #after(delayMs: number, run: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }

  #clearTimers(): void {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #answer(number: number, said: Answer): void {
    const line = encodeDeviceLine({ kind: 'answer', number, session: this.#session, boot: this.#memory.bootCount, said });
    this.#options.send(line, said);
  }

  #report(said: Report): void {
    if (this.#isOff) return;
    this.#eventNumber = (this.#eventNumber % lineNumberMax) + 1;
    const head = { number: this.#eventNumber, session: this.#session, boot: this.#memory.bootCount };
    this.#options.send(encodeDeviceLine({ kind: 'event', ...head, said }), said);
  }

  #refuse(number: number, cause: RefusalCause): void {
    this.#answer(number, { verb: 'refused', fields: { cause } });
  }

  #obey({ number, session, said }: RequestLine): void {
    if (said.verb === 'stop') {
      this.#endOrder('stopped');
      this.#answer(number, { verb: 'stop', fields: {} });
      if (session === this.#session) this.#hearHost();
      return;
    }
    if (said.verb === 'hello') {
      this.#endOrder('stopped');
      this.#session = said.fields.protocol === protocolVersion ? session : noSession;
      if (this.#session === noSession) {
        this.#refuse(number, 'protocol');
        return;
      }
      this.#hearHost();
      const id = this.#options.deviceId ?? 'SB-SIM';
      const fields = { device: this.#options.device ?? shakerDevice, id, fw: '1.0.0', protocol: protocolVersion, up: this.#up() };
      this.#answer(number, { verb: 'hello', fields });
      return;
    }
    if (this.#session === noSession || session !== this.#session) {
      this.#refuse(number, 'no-session');
      return;
    }
    this.#hearHost();
    this.#answerInSession(number, said);
  }

  #answerInSession(number: number, said: Exclude<Question, { readonly verb: 'stop' | 'hello' }>): void {
    switch (said.verb) {
      case 'limits':
        this.#answer(number, { verb: 'limits', fields: this.#limits });
        return;
      case 'ping':
        this.#answer(number, { verb: 'ping', fields: { up: this.#up() } });
        return;
      case 'status': {
        const { isJammed, isTampered, last } = this.#memory;
        const running = last.kind === 'cover' ? 'moving' : 'shaking';
        const state = last.outcome === 'running' ? running : 'idle';
        const flags = { jam: isJammed ? 'on' : 'off', tamper: isTampered ? 'on' : 'off' } as const;
        const { lid, cover, supply } = this.#sensors;
        this.#answer(number, { verb: 'status', fields: { up: this.#up(), state, lid, cover, supply, ...flags } });
        return;
      }
      case 'last':
        this.#answer(number, { verb: 'last', fields: this.#memory.last });
        return;
      case 'clear':
        this.#clear();
        this.#answer(number, { verb: 'clear', fields: {} });
        return;
      case 'shake':
      case 'cover':
        this.#takeOrder(number, said);
        return;
      default:
        said satisfies never;
    }
  }

  #clear(): void {
    const { isJammed, isTampered } = this.#memory;
    this.#memory.isJammed = false;
    this.#memory.isTampered = false;
    if (isJammed || isTampered) this.#remember();
    if (isJammed) this.#report({ verb: 'jam', fields: { state: 'off' } });
    if (isTampered) this.#report({ verb: 'tamper', fields: { state: 'off' } });
  }

  #takeOrder(number: number, said: Extract<Question, { readonly verb: 'shake' | 'cover' }>): void {
    const { order } = said.fields;
    const cause = this.#refusalOf(said);
    if (cause !== null) {
      this.#refuse(number, cause);
      return;
    }
    if (order === this.#memory.last.order) {
      this.#answer(number, { verb: said.verb, fields: { order, taken: 'again' } });
      return;
    }
    this.#memory.last = { order, kind: said.verb, outcome: 'running', activations: 0, tumbles: 0 };
    this.#remember();
    this.motionCount += 1;
    this.#answer(number, { verb: said.verb, fields: { order, taken: 'new' } });
    if (said.verb === 'shake') this.#activate(order, 1, said.fields.activations, said.fields.tumbles);
    else this.#driveCover(said.fields.to);
  }

  /** The first cause that applies, in the order of the protocol document; null for an order to run or one that was taken before. */
  #refusalOf(said: Extract<Question, { readonly verb: 'shake' | 'cover' }>): RefusalCause | null {
    const { last, isJammed, isTampered } = this.#memory;
    const { order, by } = said.fields;
    if (
      said.verb === 'shake' &&
      (said.fields.activations > this.#limits.activations || said.fields.tumbles > this.#limits.tumbles)
    ) {
      return 'out-of-range';
    }
    if (order === last.order) return null;
    if (order < last.order) return 'old-order';
    if (last.outcome === 'running') return 'busy';
    if (((this.#up() - by) | 0) > 0) return 'too-late';
    if (said.verb === 'cover' && this.#sensors.cover === 'none') return 'no-cover';
    if (this.#sensors.lid === 'open') return 'lid-open';
    if (isJammed) return 'jammed';
    if (isTampered) return 'tamper';
    return this.#sensors.supply === 'low' ? 'supply' : null;
  }

  #activate(order: number, activation: number, activationCount: number, tumbleCount: number): void {
    this.#runNumber += 1;
    const run = this.#runNumber;
    const isCurrent = (): boolean => run === this.#runNumber && !this.#isOff;
    const startMs = this.#options.clock.now().monoMs;
    let provenCount = 0;
    this.#isMotorOn = true;
    this.#memory.last = { ...this.#memory.last, activations: activation, tumbles: 0 };
    this.#report({ verb: 'activation', fields: { order, number: activation } });
    const end = (isSettled: boolean): void => {
      this.#clearTimers();
      this.#isMotorOn = false;
      if (isSettled) this.#report({ verb: 'settled', fields: { order, activation } });
      if (activation < activationCount) this.#activate(order, activation + 1, activationCount, tumbleCount);
      else this.#endOrder(isSettled ? 'settled' : 'unsettled');
    };
    const stopMotor = (): void => {
      if (!this.#isMotorOn) return;
      this.#isMotorOn = false;
      this.#after(this.#limits.settle, () => end(false));
    };
    this.#after(this.#limits.motor, stopMotor);
    // Physics that failed is a sensor that proves nothing: the activation runs into its maximum durations.
    const course = this.#options
      .onActivation({ orderNumber: order, activationNumber: activation, tumbleCount })
      .catch(() => null);
    void course.then((course) => {
      if (course === null || !isCurrent()) return;
      const after = (atMs: number, act: () => void): void =>
        this.#after(Math.max(0, startMs + atMs - this.#options.clock.now().monoMs), act);
      for (const { atMs, strengthMilliG } of course.tumbles) {
        after(atMs, () => {
          provenCount += 1;
          this.#memory.last = { ...this.#memory.last, tumbles: provenCount };
          if (provenCount >= tumbleCount) stopMotor();
          this.#report({ verb: 'tumble', fields: { order, activation, number: provenCount, strength: strengthMilliG } });
        });
      }
      if (course.settledAtMs !== null) after(course.settledAtMs, () => end(true));
    });
  }

  #driveCover(to: 'open' | 'closed'): void {
    if (this.#sensors.cover === to) {
      this.#endOrder('done');
      return;
    }
    this.#isMotorOn = true;
    this.#after(sensorMs, () => this.#senseCover('moving'));
    this.#after(this.#limits.cover, () => this.#endOrder('cover-stuck'));
    this.#after(this.#options.coverMs ?? 800, () => {
      this.#senseCover(to);
      this.#endOrder('done');
    });
  }

  #senseCover(cover: 'closed' | 'open' | 'moving'): void {
    if (this.#sensors.cover === cover) return;
    this.#sensors.cover = cover;
    this.#report({ verb: 'cover', fields: { state: cover } });
  }

  /** Everything stands, the outcome is stored, then told. Harmless without a running order. */
  #endOrder(outcome: OrderOutcome): void {
    this.#isMotorOn = false;
    this.#clearTimers();
    this.#runNumber += 1;
    if (this.#memory.last.outcome !== 'running') return;
    this.#memory.last = { ...this.#memory.last, outcome };
    this.#remember();
    const { order, activations, tumbles } = this.#memory.last;
    this.#report({ verb: 'ended', fields: { order, outcome, activations, tumbles } });
  }

  #hearHost(): void {
    this.#cancelQuiet();
    this.#cancelQuiet = this.#options.clock.after(this.#limits.quiet, () => {
      this.#endOrder('quiet');
      this.#session = noSession;
    });
  }
}
