import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { decodeDeviceLine, decodeRequest } from '../firmware-protocol/codec.ts';
import { LineReader } from '../firmware-protocol/line-reader.ts';
import type { AnswerFields } from '../firmware-protocol/messages.ts';
import type { AvrFirmware } from './avr-build.ts';
import { FrameReader, frame } from './avr-frames.ts';
import { loadAvrMemory, provideAvrMemory } from './avr-memory.ts';
import type { BoardParts, BootCause, FirmwareBoard } from './firmware-board.ts';
import { blankMemory } from './firmware-memory.ts';

/** Time that the cover takes from end to end, ms; as in `FirmwareModel`. */
const coverMs = 800;
/** Orders whose tumbles are remembered until their motor starts. */
const ordersMax = 16;

/** Makes boards that run the compiled firmware one after the other on the EEPROM in `eepromFile`; each starts when the one before is gone. */
export function avrBoards(firmware: AvrFirmware, eepromFile: string): (parts: BoardParts) => AvrBoard {
  let before: Promise<void> = Promise.resolve();
  return (parts) => {
    const board = new AvrBoard(firmware, eepromFile, parts, before);
    before = board.ended;
    return board;
  };
}

/** The compiled reference firmware in simavr as a child process, its pins driven by `hardware-sim/avr/board.c`. The dice come from
 *  `onActivation`, as for the model: asked when the firmware says that its motor runs, played against the time of the motor's pin. */
export class AvrBoard implements FirmwareBoard {
  readonly #parts: BoardParts;
  readonly #eepromFile: string;
  readonly #tumbles = new Map<number, number>();
  readonly #requests = new LineReader(decodeRequest, (decoded) => {
    if (decoded.kind === 'message' && decoded.message.said.verb === 'shake') this.#noteOrder(decoded.message.said.fields);
  });
  readonly #lines = new LineReader(decodeDeviceLine, (decoded, bytes) => {
    // The pipe loses nothing: a line that cannot be read was written wrong.
    if (decoded.kind !== 'message') throw new Error(`the firmware said "${Buffer.from(bytes).toString('latin1')}"`);
    const { said } = decoded.message;
    const line = Buffer.concat([bytes, Buffer.from('\n')]);
    if (said.verb === 'boot') for (let count = 0; count < this.#bannerCount; count += 1) this.#parts.send(line, said);
    else this.#parts.send(line, said);
    if (said.verb === 'activation') void this.#throwDice(said.fields.order, said.fields.number);
  });
  #child: ChildProcessByStdio<Writable, Readable, null> | null = null;
  #waiting: Buffer[] | null = [];
  #isOff = false;
  #isMotorOn = false;
  #bannerCount = 0;
  #runNumber = 0;
  /** Resolves when the board's process is gone and its EEPROM file final. */
  readonly ended: Promise<void>;

  constructor(firmware: AvrFirmware, eepromFile: string, parts: BoardParts, after: Promise<void>) {
    this.#parts = parts;
    this.#eepromFile = eepromFile;
    this.ended = after.then(() => this.#run(firmware));
  }

  get isMotorOn(): boolean {
    return this.#isMotorOn;
  }

  get lastOrder(): AnswerFields<'last'> {
    return (loadAvrMemory(this.#eepromFile) ?? blankMemory()).last;
  }

  announce(_cause: BootCause): void {
    this.#bannerCount += 1;
  }

  receive(chunk: Uint8Array): void {
    if (this.#isOff) return;
    // What comes while the child starts waits for it: to the host the board starts at once, as the model does. A deaf start is a fault of its own.
    this.#requests.push(chunk);
    this.#tell('u', chunk);
  }

  powerOff(): void {
    this.#isOff = true;
    this.#isMotorOn = false;
    this.#child?.kill('SIGKILL');
  }

  setLid(lid: 'open' | 'closed'): void {
    this.#tell('l', flag(lid === 'open'));
  }

  setSupply(supply: 'ok' | 'low'): void {
    this.#tell('s', flag(supply === 'low'));
  }

  setCover(cover: 'open' | 'closed'): void {
    this.#tell('c', flag(cover === 'open'));
  }

  jam(): void {
    this.#tell('j');
  }

  tamper(): void {
    this.#tell('t');
  }

  /** Presses or releases the emergency stop. */
  setEmergencyStop(isPressed: boolean): void {
    this.#tell('e', flag(isPressed));
  }

  /** The firmware's main loop hangs until its watchdog starts it anew. */
  hang(): void {
    this.#tell('h');
  }

  async #run({ runner, elf }: AvrFirmware): Promise<void> {
    if (this.#isOff) return;
    const { cause, hasCover, deviceId } = this.#parts;
    provideAvrMemory(this.#eepromFile, deviceId);
    const args = [elf, this.#eepromFile, cause === 'power' ? 'power' : 'reset', hasCover ? '1' : '0', String(coverMs)];
    const child = spawn(runner, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child = child;
    // A write to a child that has just gone is no event for anybody.
    child.stdin.on('error', () => undefined);
    const frames = new FrameReader((type, payload) => this.#hear(type, payload));
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.#isOff) frames.push(chunk);
    });
    for (const waiting of this.#waiting ?? []) child.stdin.write(waiting);
    this.#waiting = null;
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    this.#isMotorOn = false;
    if (!this.#isOff) throw new Error(`avr-runner ended by itself with code ${code}`);
  }

  #hear(type: string, payload: Buffer): void {
    if (type === 'u') this.#lines.push(payload);
    if (type === 'm') this.#isMotorOn = payload[0] === 1;
  }

  #tell(type: string, payload: Uint8Array = Buffer.alloc(0)): void {
    if (this.#isOff) return;
    const bytes = frame(type, payload);
    if (this.#waiting !== null) this.#waiting.push(bytes);
    else this.#child?.stdin.write(bytes);
  }

  #noteOrder({ order, tumbles }: { readonly order: number; readonly tumbles: number }): void {
    this.#tumbles.set(order, tumbles);
    for (const old of this.#tumbles.keys()) if (this.#tumbles.size > ordersMax) this.#tumbles.delete(old);
  }

  async #throwDice(orderNumber: number, activationNumber: number): Promise<void> {
    this.#runNumber += 1;
    const run = this.#runNumber;
    const tumbleCount = this.#tumbles.get(orderNumber) ?? 1;
    // Physics that failed is a sensor that proves nothing.
    const course = await this.#parts.onActivation({ orderNumber, activationNumber, tumbleCount }).catch(() => null);
    if (course === null || run !== this.#runNumber) return;
    const payload = Buffer.alloc(4 + 6 * course.tumbles.length);
    const lastMs = course.tumbles.at(-1)?.atMs ?? 0;
    // The firmware calls dice at rest when nothing has moved for 300 ms, so they lie still that long before.
    const restMs = course.settledAtMs === null ? -1 : Math.max(lastMs, Math.round(course.settledAtMs - 300));
    payload.writeInt32LE(restMs, 0);
    for (const [index, { atMs, strengthMilliG }] of course.tumbles.entries()) {
      payload.writeUInt32LE(Math.round(atMs), 4 + 6 * index);
      payload.writeUInt16LE(Math.min(65_535, Math.round(strengthMilliG)), 8 + 6 * index);
    }
    this.#tell('w', payload);
  }
}

function flag(isOn: boolean): Buffer {
  return Buffer.of(isOn ? 1 : 0);
}
