import type { Clock } from '../ports/clock.ts';
import type { GpioChip } from './gpio-chip.ts';
import type { GpioLevel } from './gpio-line.ts';
import type { LampOutputs } from './lamp-outputs.ts';
import { LineSet, type WantedLine } from './line-set.ts';

/** One GPIO line for each lamp; an output's number is the line's offset on the chip. */
export class DirectLines implements LampOutputs {
  readonly #lines: LineSet<number>;
  readonly #offsets: readonly number[];
  readonly #activeLevel: GpioLevel;
  readonly #tooFew: readonly string[];

  /** @param zones zone id to line offset on the chip. */
  constructor(chip: GpioChip, zones: ReadonlyMap<string, number>, isActiveLow: boolean, clock: Clock) {
    this.#activeLevel = isActiveLow ? 0 : 1;
    const wanted = new Map<number, WantedLine>();
    const beyond: string[] = [];
    for (const [zone, offset] of zones) {
      if (offset < chip.lineCount) {
        wanted.set(offset, { lineNumber: chip.base + offset, inactiveLevel: isActiveLow ? 1 : 0, purpose: `zone ${zone}` });
      } else {
        beyond.push(`zone ${zone}: offset ${offset} is beyond the chip's last line ${chip.lineCount - 1}`);
      }
    }
    this.#tooFew =
      beyond.length === 0
        ? []
        : [`too few lines: chip ${chip.label} has ${chip.lineCount}, ${zones.size} lamps are configured`, ...beyond];
    this.#offsets = [...wanted.keys()];
    this.#lines = new LineSet(wanted, clock);
  }

  get problems(): readonly string[] {
    return [...this.#tooFew, ...this.#lines.problems];
  }

  isWorking(output: number): boolean {
    return this.#lines.isHeld(output);
  }

  async take(): Promise<void> {
    await this.#lines.takeMissing();
  }

  write(lit: ReadonlySet<number>): void {
    const inactiveLevel: GpioLevel = this.#activeLevel === 1 ? 0 : 1;
    // Darkening comes first: at no moment is a lamp of the old picture lit beside one of the new.
    for (const offset of this.#offsets) if (!lit.has(offset)) this.#lines.write(offset, inactiveLevel);
    for (const offset of this.#offsets) if (lit.has(offset)) this.#lines.write(offset, this.#activeLevel);
  }

  close(): void {
    this.write(new Set());
    this.#lines.close();
  }
}
