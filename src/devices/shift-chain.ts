import { DeviceError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { GpioChip } from './gpio-chip.ts';
import type { LampOutputs } from './lamp-outputs.ts';
import { LineSet, type WantedLine } from './line-set.ts';

/** Outputs of one 74HC595 (its data sheet: QA to QH). */
export const outputsPerRegister = 8;

/** Offsets on the chip of the four lines of a chain. */
export interface ChainLines {
  /** SER, pin 14 of the first register. */
  readonly data: number;
  /** SRCLK, pin 11 of all registers: shifts on the rising edge. */
  readonly clock: number;
  /** RCLK, pin 12 of all registers: shows the shifted bits on the rising edge. */
  readonly latch: number;
  /** OE, pin 13 of all registers, low enables. The board pulls it high, so that the lamps are dark until the controller runs. */
  readonly outputEnable: number;
}

type Role = keyof ChainLines;

/** A chain of 74HC595. Output 0 is QA of the register nearest to the controller, output 8 QA of the next.
 *  The outputs stay disabled until the first whole pattern is latched, because the registers wake up with any content. */
export class ShiftChain implements LampOutputs {
  readonly #lines: LineSet<Role>;
  readonly #outputCount: number;
  readonly #isActiveLow: boolean;
  readonly #tooFew: readonly string[];

  constructor(chip: GpioChip, offsets: ChainLines, registerCount: number, isActiveLow: boolean, clock: Clock) {
    this.#outputCount = registerCount * outputsPerRegister;
    this.#isActiveLow = isActiveLow;
    // Released in this order: output enable last, when nothing can move any more.
    const roles = ['data', 'clock', 'latch', 'outputEnable'] as const;
    const wanted = new Map<Role, WantedLine>();
    for (const role of roles) {
      if (offsets[role] >= chip.lineCount) continue;
      const inactiveLevel = role === 'outputEnable' ? 1 : 0;
      wanted.set(role, { lineNumber: chip.base + offsets[role], inactiveLevel, purpose: `${role} of the lamp chain` });
    }
    this.#tooFew = roles
      .filter((role) => !wanted.has(role))
      .map(
        (role) =>
          `too few lines: ${role} of the lamp chain needs offset ${offsets[role]}, chip ${chip.label} has ${chip.lineCount}`,
      );
    this.#lines = new LineSet(wanted, clock);
  }

  get problems(): readonly string[] {
    return [...this.#tooFew, ...this.#lines.problems];
  }

  isWorking(output: number): boolean {
    return output < this.#outputCount && this.problems.length === 0;
  }

  async take(): Promise<void> {
    // Output enable before all others: whatever an earlier process left in the registers goes dark first.
    await this.#lines.takeMissing(['outputEnable']);
    await this.#lines.takeMissing();
    if (this.problems.length > 0) this.#lines.write('outputEnable', 1);
  }

  write(lit: ReadonlySet<number>): void {
    if (this.#shift(lit)) this.#lines.write('outputEnable', 0);
    // After half a shift nobody knows what the registers hold; dark is the safe picture.
    else this.#lines.write('outputEnable', 1);
  }

  /** Shifts all bits, also the unchanged: a clock edge that noise added or swallowed is put right by the next whole shift. */
  #shift(lit: ReadonlySet<number>): boolean {
    const data = this.#lines.line('data');
    const clock = this.#lines.line('clock');
    const latch = this.#lines.line('latch');
    if (data === undefined || clock === undefined || latch === undefined) return false;
    let role: Role = 'data';
    try {
      let dataLevel: 0 | 1 | null = null;
      for (let output = this.#outputCount - 1; output >= 0; output -= 1) {
        const level = lit.has(output) !== this.#isActiveLow ? 1 : 0;
        if (level !== dataLevel) {
          role = 'data';
          data.write(level);
          dataLevel = level;
        }
        role = 'clock';
        clock.write(1);
        clock.write(0);
      }
      role = 'latch';
      latch.write(1);
      latch.write(0);
      return true;
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      this.#lines.fail(role, error);
      return false;
    }
  }

  close(): void {
    this.#shift(new Set());
    this.#lines.write('outputEnable', 1);
    this.#lines.close();
  }
}
