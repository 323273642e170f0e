import type { Answer, Report } from '../firmware-protocol/messages.ts';
import { SystemClock } from '../src/devices/system-clock.ts';
import { avrBoards } from './avr-board.ts';
import { buildAvrFirmware } from './avr-build.ts';
import type { BoardParts, FirmwareBoard } from './firmware-board.ts';
import type { FirmwareFault } from './firmware-faults.ts';
import { blankMemory, type FirmwareMemory } from './firmware-memory.ts';
import { Pty } from './pty.ts';
import { evenTumbles, type OnActivation } from './shaker-physics.ts';
import { SimFirmware } from './sim-firmware.ts';

export interface FirmwareProcessOptions {
  /** Symbolic link to the terminal, made and removed here; the table's serial path. */
  readonly link: string;
  readonly onActivation?: OnActivation;
  readonly memory?: FirmwareMemory;
  readonly onMemoryChanged?: () => void;
  readonly onSaid?: (said: Answer | Report) => void;
  readonly deviceId?: string;
  readonly hasCover?: boolean;
  /** `avr` runs the compiled reference firmware in simavr, on the EEPROM in this file, made where it is missing; `model`, the default, the model in TypeScript. */
  readonly firmware?: { readonly kind: 'model' } | { readonly kind: 'avr'; readonly eepromFile: string };
  /** Seed of noise and lost bytes. */
  readonly seed?: number;
}

const floodChunk = Buffer.alloc(64 * 1024, 0x55);

/** The simulated shaker on a real pseudo-terminal, faults on command. */
export class FirmwareProcess {
  readonly firmware: SimFirmware;
  readonly link: string;
  readonly #clock = new SystemClock();
  #pty: Pty | null = null;
  /** Resolves when the last flood has been written out. */
  flooded: Promise<void> = Promise.resolve();

  private constructor(options: FirmwareProcessOptions, makeBoard: ((parts: BoardParts) => FirmwareBoard) | null) {
    this.link = options.link;
    const { onActivation = evenTumbles, memory = blankMemory(), link: _link, firmware: _firmware, ...rest } = options;
    this.firmware = new SimFirmware({
      ...rest,
      ...(makeBoard === null ? {} : { makeBoard }),
      clock: this.#clock,
      memory,
      onActivation,
      write: (bytes) => this.#pty?.write(bytes),
      flood: (byteCount) => {
        this.flooded = this.#flood(byteCount);
      },
    });
  }

  /** Makes the terminal and switches the board on. @throws Error when the terminal cannot be made, or the AVR firmware not built. */
  static async start(options: FirmwareProcessOptions): Promise<FirmwareProcess> {
    const { firmware } = options;
    const makeBoard = firmware?.kind === 'avr' ? avrBoards(await buildAvrFirmware(), firmware.eepromFile) : null;
    const process = new FirmwareProcess(options, makeBoard);
    await process.plugIn();
    return process;
  }

  /** The terminal; null while unplugged. */
  get pty(): Pty | null {
    return this.#pty;
  }

  inject(fault: FirmwareFault): void {
    this.firmware.inject(fault);
  }

  /** Another terminal under the same link, and the board powered from it. */
  async plugIn(): Promise<void> {
    const pty = await Pty.open(this.link);
    pty.onBytes((chunk) => this.firmware.receive(chunk));
    this.#pty = pty;
    this.firmware.powerOn();
  }

  /** Terminal and link gone, board without power. */
  async unplug(): Promise<void> {
    this.firmware.powerOff();
    await this.#pty?.close();
    this.#pty = null;
  }

  /** Ends everything; nothing is left running. */
  async close(): Promise<void> {
    await this.unplug();
    this.firmware.close();
  }

  async #flood(byteCount: number): Promise<void> {
    for (let left = byteCount; left > 0 && this.#pty !== null; left -= floodChunk.length) {
      const isRoom = this.#pty.write(floodChunk.subarray(0, Math.min(left, floodChunk.length)));
      if (!isRoom) await this.#pty.drained();
    }
  }
}
