import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { decodeDeviceLine, encodeRequest } from '../../firmware-protocol/codec.ts';
import type { Question } from '../../firmware-protocol/messages.ts';
import { blankMemory, type FirmwareMemory } from '../../hardware-sim/firmware-memory.ts';
import { FirmwareModel } from '../../hardware-sim/firmware-model.ts';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import { evenTumbles } from '../../hardware-sim/shaker-physics.ts';
import { VirtualClock } from '../virtual-clock.ts';

/** One thing that happens to both firmwares. `bytes`: what the host sends. */
export type Happening =
  | { readonly kind: 'passes'; readonly ms: number }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'lid'; readonly isOpen: boolean }
  | { readonly kind: 'supply'; readonly isLow: boolean }
  | { readonly kind: 'cover'; readonly isOpen: boolean }
  | { readonly kind: 'tamper' | 'stall' | 'restart' };

/** The reference firmware, compiled for this machine, and the firmware model in TypeScript, on the same virtual time and the same machine. */
export class FirmwarePair {
  readonly #clock = new VirtualClock();
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  #kept: FirmwareMemory = blankMemory();
  #model: FirmwareModel;
  #said: string[] = [];

  /** @param differ the program that firmware-protocol/reference/host/differ.c becomes. */
  constructor(differ: string) {
    this.#child = spawn(differ, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#model = this.#start('power');
  }

  get motionCount(): number {
    return this.#model.motionCount;
  }

  /** What both said at their start. */
  async started(): Promise<{ readonly model: readonly string[]; readonly reference: readonly string[] }> {
    return { model: this.#taken(), reference: await this.#heard() };
  }

  /** Lets it happen to both and gives the lines that each said, without the strength of tumbles, which is measured by one and made by the other. */
  async meet(happening: Happening): Promise<{ readonly model: readonly string[]; readonly reference: readonly string[] }> {
    this.#child.stdin.write(`${this.#command(happening)}\n`);
    await this.#meetModel(happening);
    return { model: this.#taken(), reference: await this.#heard() };
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.stdin.end('q\n');
    await gone;
  }

  #start(cause: 'power' | 'reset'): FirmwareModel {
    const memory = structuredClone(this.#kept);
    // As in an EEPROM, only what was stored outlives a restart.
    const keep = (): void => {
      this.#kept = structuredClone(memory);
    };
    const send = (line: Buffer): void => void this.#said.push(line.toString('latin1').trimEnd());
    const model = new FirmwareModel({
      clock: this.#clock,
      memory,
      deviceId: 'SB-0001',
      onActivation: evenTumbles,
      send,
      onMemoryChanged: keep,
    });
    model.announce(cause);
    return model;
  }

  #command(happening: Happening): string {
    switch (happening.kind) {
      case 'passes':
        return `p ${happening.ms}`;
      case 'bytes':
        return `b ${happening.bytes.toString('hex')}`;
      case 'lid':
        return `l ${happening.isOpen ? 1 : 0}`;
      case 'supply':
        return `s ${happening.isLow ? 1 : 0}`;
      case 'cover':
        return `k ${happening.isOpen ? 1 : 0}`;
      case 'tamper':
        return 't';
      case 'stall':
        return 'j';
      case 'restart':
        return 'r';
      default:
        return happening satisfies never;
    }
  }

  async #meetModel(happening: Happening): Promise<void> {
    // A drive that was just started moves what it drives before a fault comes.
    if (!['passes', 'bytes', 'restart'].includes(happening.kind)) await this.#clock.advance(1);
    switch (happening.kind) {
      case 'passes':
        await this.#clock.advance(happening.ms);
        return;
      case 'bytes':
        this.#model.receive(happening.bytes);
        await this.#clock.advance(0);
        return;
      case 'lid':
        this.#model.setLid(happening.isOpen ? 'open' : 'closed');
        break;
      case 'supply':
        this.#model.setSupply(happening.isLow ? 'low' : 'ok');
        break;
      case 'cover':
        this.#model.setCover(happening.isOpen ? 'open' : 'closed');
        break;
      case 'tamper':
        this.#model.tamper();
        break;
      case 'stall':
        if (this.#model.isMotorOn && this.#model.lastOrder.kind === 'shake') this.#model.jam();
        break;
      case 'restart':
        this.#model.powerOff();
        this.#model = this.#start('reset');
        return;
      default:
        happening satisfies never;
    }
    // The reference firmware looks at its sensors once a millisecond, and sees each of these begin and end.
    await this.#clock.advance(happening.kind === 'tamper' || happening.kind === 'stall' ? 2 : 1);
  }

  #taken(): readonly string[] {
    const said = this.#said.map(withoutStrength);
    this.#said = [];
    return said;
  }

  async #heard(): Promise<readonly string[]> {
    const heard: string[] = [];
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error('the reference firmware ended');
      if (value === '.') return heard;
      if (value !== '') heard.push(withoutStrength(value));
    }
  }
}

function withoutStrength(line: string): string {
  const decoded = decodeDeviceLine(Buffer.from(line, 'latin1'));
  if (decoded.kind === 'discarded') throw new Error(`"${line}" is void: ${decoded.cause}`);
  return line.replace(/ strength=.*$| *\*[0-9A-F]{6}$/, '');
}

/** A course of happenings in which every verb, refusal and outcome turns up; the same for the same seed. */
export function happenings(seed: number): () => Happening {
  const random = seededRandom(seed);
  const session = '5e1f';
  let requestNumber = 0;
  let order = 0;
  const request = (said: Question, tag: string): Buffer => {
    requestNumber = (requestNumber % 65_535) + 1;
    return encodeRequest({ kind: 'request', number: requestNumber, session: tag, said });
  };
  // The next order mostly, the last one asked again, or a very old one.
  const nextOrder = (): number => {
    const dice = random.next();
    if (dice < 0.1) return 1;
    if (dice < 0.8) order += 1;
    return Math.max(1, order);
  };
  const byOf = (): number => random.pick([4_294_967_295, 0, 2_000_000_000, 2_000_000_000, 2_000_000_000]);
  const shake = (): Question => ({
    verb: 'shake',
    fields: { order: nextOrder(), activations: 1 + random.index(6), tumbles: 1 + random.index(10), by: byOf() },
  });
  const cover = (): Question => ({
    verb: 'cover',
    fields: { order: nextOrder(), to: random.pick(['open', 'closed']), by: byOf() },
  });
  const hello = (): Question => ({ verb: 'hello', fields: { protocol: random.next() < 0.8 ? 1 : random.index(256) } });
  const simple = (): Question => ({
    verb: random.pick(['limits', 'ping', 'status', 'last', 'clear', 'clear', 'stop']),
    fields: {},
  });
  const question = (): Question => random.pick([shake, shake, shake, cover, simple, simple, simple, simple, hello])();
  const bytes = (): Buffer => {
    const tag = random.next() < 0.9 ? session : random.pick(['0000', 'ffff', '5e20']);
    const line = request(question(), tag);
    const at = random.index(line.length);
    const dice = random.next();
    if (dice < 0.7) return line;
    if (dice < 0.75) return Buffer.concat([line.subarray(0, at), Buffer.of(random.index(256)), line.subarray(at + 1)]);
    if (dice < 0.8) return Buffer.concat([line.subarray(0, at), line.subarray(at + 1)]);
    if (dice < 0.85) return Buffer.concat([line.subarray(0, -1), Buffer.from('\r\n')]);
    if (dice < 0.9) return line.subarray(0, at);
    if (dice < 0.95) return Buffer.from(Array.from({ length: random.index(300) }, () => random.index(256)));
    return Buffer.concat([Buffer.from('\n'), line, line]);
  };
  return () => {
    const dice = random.next();
    if (dice < 0.6) return { kind: 'bytes', bytes: bytes() };
    if (dice < 0.86) return { kind: 'passes', ms: random.pick([1, 7, 50, 130, 350, 350, 900, 2_600]) };
    if (dice < 0.88) return { kind: 'lid', isOpen: random.next() < 0.3 };
    if (dice < 0.9) return { kind: 'supply', isLow: random.next() < 0.3 };
    if (dice < 0.93) return { kind: 'stall' };
    if (dice < 0.94) return { kind: 'tamper' };
    if (dice < 0.945) return { kind: 'restart' };
    // A hello, so that a session is there most of the time.
    return {
      kind: 'bytes',
      bytes: Buffer.concat([Buffer.from('\n'), request({ verb: 'hello', fields: { protocol: 1 } }, session)]),
    };
  };
}
