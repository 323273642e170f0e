import { decodeRequest } from '../firmware-protocol/codec.ts';
import { LineReader } from '../firmware-protocol/line-reader.ts';
import type { Answer, Report } from '../firmware-protocol/messages.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { BoardParts, FirmwareBoard } from './firmware-board.ts';
import { type FirmwareFault, firmwareFault, type SimpleFault } from './firmware-faults.ts';
import type { FirmwareMemory } from './firmware-memory.ts';
import { FirmwareModel } from './firmware-model.ts';
import { ForeignDevice } from './foreign-device.ts';
import { seededRandom } from './seeded-random.ts';
import type { Activation, ActivationCourse, OnActivation } from './shaker-physics.ts';
import { FaultyWire } from './wire-faults.ts';

export interface SimFirmwareOptions {
  readonly clock: Clock;
  readonly memory: FirmwareMemory;
  readonly onActivation: OnActivation;
  /** Takes the bytes for the host. */
  readonly write: (bytes: Buffer) => void;
  /** Sends `byteCount` bytes without LF at the pace of the line. */
  readonly flood: (byteCount: number) => void;
  readonly seed?: number;
  readonly deviceId?: string;
  readonly hasCover?: boolean;
  readonly onMemoryChanged?: () => void;
  /** Makes the board at each start; a `FirmwareModel` on `memory` by default. */
  readonly makeBoard?: (parts: BoardParts) => FirmwareBoard;
  /** Called for each message that the firmware says, dropped or not. */
  readonly onSaid?: (said: Answer | Report) => void;
}

const togetherMs = 20;
const halfBanner = '!1 s=0000 boot=1 bo';

/** The board with its line: a firmware model that can be restarted, a wire that can be spoilt, faults on command. Knows no transport. */
export class SimFirmware {
  readonly #options: SimFirmwareOptions;
  readonly #random;
  readonly #outWire: FaultyWire;
  readonly #inWire: FaultyWire;
  readonly #drops: { from: 'request' | 'answer' | 'event'; verb: string; count: number }[] = [];
  readonly #triggers: { said: string; delayMs: number; fault: SimpleFault }[] = [];
  #model: FirmwareBoard | null = null;
  #foreign: ForeignDevice | null = null;
  #isPrinter = false;
  #isSilent = false;
  #tumbleCountsMax: number[] = [];
  #cancelBoot: () => void = () => undefined;
  #cancelFlush: () => void = () => undefined;
  #bootCause: 'power' | 'reset' = 'power';
  /** Verbs of all valid requests heard by shaker or foreign device, by count. */
  readonly heard: Record<string, number> = {};
  /** Motion orders obeyed since the beginning, over restarts. */
  motionCount = 0;
  readonly #listener = new LineReader(decodeRequest, (decoded, bytes) => {
    const verb = decoded.kind === 'message' ? decoded.message.said.verb : 'not-understood';
    this.heard[verb] = (this.heard[verb] ?? 0) + 1;
    if (!this.#isDropped('request', verb)) this.#inWire.send(Buffer.concat([bytes, Buffer.from('\n')]));
  });

  constructor(options: SimFirmwareOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed ?? 1);
    this.#outWire = new FaultyWire(this.#random, (bytes) => options.write(bytes));
    this.#inWire = new FaultyWire(this.#random, (bytes) => this.#model?.receive(bytes));
  }

  /** The running firmware, null while the board is off, deaf or another device. */
  get model(): FirmwareBoard | null {
    return this.#model;
  }

  get spoiltLineCount(): number {
    return this.#outWire.spoiltLineCount + this.#inWire.spoiltLineCount;
  }

  /** Switches the board on. */
  powerOn(): void {
    this.#boot(1, 0);
    this.#bootCause = 'reset';
  }

  powerOff(): void {
    this.#cancelBoot();
    this.#model?.powerOff();
    this.#model = null;
    this.#foreign?.powerOff();
    this.#foreign = null;
  }

  /** Off for good: no timer is left. */
  close(): void {
    this.powerOff();
    this.#cancelFlush();
  }

  /** Bytes from the host. */
  receive(chunk: Uint8Array): void {
    if (this.#foreign !== null) this.#foreign.receive(chunk);
    if (this.#isSilent) return;
    // The listener below passes whole lines on; a bare LF that ends a half line must reach the firmware too.
    if (chunk[0] === 0x0a) this.#model?.receive(Buffer.from('\n'));
    this.#listener.push(chunk);
  }

  /** @throws ZodError for a fault that is none. */
  inject(fault: FirmwareFault): void {
    const checked = firmwareFault.parse(fault);
    if (checked.kind === 'when') this.#triggers.push(checked);
    else this.#apply(checked);
  }

  #apply(fault: SimpleFault): void {
    switch (fault.kind) {
      case 'silent':
        this.#isSilent = fault.isOn;
        return;
      case 'drop':
        this.#drops.push({ ...fault });
        return;
      case 'reboot':
        this.powerOff();
        if (fault.noiseByteCount > 0) this.#makeNoise(fault.noiseByteCount);
        this.#boot(fault.bannerCount, fault.deafMs);
        return;
      case 'jam':
        this.#model?.jam();
        return;
      case 'tamper':
        this.#model?.tamper();
        return;
      case 'lid':
        this.#model?.setLid(fault.state);
        return;
      case 'supply':
        this.#model?.setSupply(fault.state);
        return;
      case 'cover':
        this.#model?.setCover(fault.state);
        return;
      case 'tumbles':
        this.#tumbleCountsMax = [...fault.countsMax];
        return;
      case 'wire':
        this.#outWire.flush();
        this.#cancelFlush();
        this.#outWire.settings = fault;
        if (fault.split === 'together') this.#flushTogether();
        this.#inWire.settings = { ...fault, split: 'lines' };
        return;
      case 'flood':
        this.#options.flood(fault.byteCount);
        return;
      case 'bytes':
        this.#options.write(Buffer.from(fault.hex, 'hex'));
        return;
      case 'persona':
        this.#become(fault.persona);
        return;
      default:
        fault satisfies never;
    }
  }

  #become(persona: Extract<SimpleFault, { kind: 'persona' }>['persona']): void {
    this.powerOff();
    this.#isPrinter = persona === 'printer';
    if (persona === 'shaker' || persona === 'printer') this.#boot(1, 0);
    else this.#foreign = new ForeignDevice(persona, this.#options.clock, this.#options.write);
  }

  #boot(bannerCount: number, deafMs: number): void {
    const start = (): void => {
      const { clock, memory, deviceId = 'SB-SIM', hasCover = true, onMemoryChanged, makeBoard } = this.#options;
      const parts: BoardParts = {
        clock,
        cause: this.#bootCause,
        hasCover,
        deviceId,
        send: (line, said) => this.#say(line, said),
        onActivation: (activation) => this.#throwDice(activation),
      };
      // A printer that speaks the protocol is another program than the shaker's.
      this.#model =
        makeBoard !== undefined && !this.#isPrinter
          ? makeBoard(parts)
          : new FirmwareModel({
              ...parts,
              memory,
              ...(this.#isPrinter ? { device: 'label-printer' } : {}),
              ...(onMemoryChanged === undefined ? {} : { onMemoryChanged }),
            });
      for (let banner = 0; banner < bannerCount; banner += 1) this.#model.announce(this.#bootCause);
    };
    if (deafMs === 0) start();
    else this.#cancelBoot = this.#options.clock.after(deafMs, start);
  }

  #makeNoise(byteCount: number): void {
    const noise = Buffer.from(Array.from({ length: byteCount }, () => this.#random.index(256)));
    this.#options.write(Buffer.concat([Buffer.of(0x00, 0xff, 0xfa), noise, Buffer.from(halfBanner)]));
  }

  async #throwDice(activation: Activation): Promise<ActivationCourse> {
    this.motionCount += 1;
    const course = await this.#options.onActivation(activation);
    const countMax = this.#tumbleCountsMax.shift();
    return countMax === undefined ? course : { ...course, tumbles: course.tumbles.slice(0, countMax) };
  }

  #say(line: Buffer, said: Answer | Report): void {
    this.#options.onSaid?.(said);
    for (const trigger of this.#triggers.filter((one) => one.said === said.verb)) {
      this.#triggers.splice(this.#triggers.indexOf(trigger), 1);
      this.#options.clock.after(trigger.delayMs, () => this.#apply(trigger.fault));
    }
    if (this.#isSilent) return;
    const isAnswer = line[0] === 0x3c;
    if (this.#isDropped(isAnswer ? 'answer' : 'event', said.verb)) return;
    // An LF before each answer ends whatever the line before it left open.
    this.#outWire.send(isAnswer ? Buffer.concat([Buffer.from('\n'), line]) : line);
  }

  #isDropped(from: 'request' | 'answer' | 'event', verb: string): boolean {
    const drop = this.#drops.find((one) => one.from === from && one.verb === verb && one.count > 0);
    if (drop !== undefined) drop.count -= 1;
    return drop !== undefined;
  }

  #flushTogether(): void {
    this.#cancelFlush = this.#options.clock.after(togetherMs, () => {
      this.#outWire.flush();
      this.#flushTogether();
    });
  }
}
