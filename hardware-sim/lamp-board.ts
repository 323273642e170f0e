import type { WireLevel } from './gpio-model.ts';

/** How the simulated lamps hang on the lines; line numbers are those of sysfs. */
export type SimLampWiring =
  | {
      readonly kind: 'chain';
      readonly data: number;
      readonly clock: number;
      readonly latch: number;
      readonly outputEnable: number;
      readonly registerCount: number;
      readonly isActiveLow: boolean;
    }
  | { readonly kind: 'direct'; readonly lines: readonly number[]; readonly isActiveLow: boolean };

/** The board behind the lines: turns levels on wires into lamps that shine. */
export interface LampBoard {
  /** @returns whether other lamps may shine now. */
  levelChanged(line: number, level: WireLevel): boolean;
  /** Outputs (of a chain) or line numbers (direct) whose lamp shines now, ascending. */
  lit(): readonly number[];
  /** Noise: turns one bit that the board holds. A direct board holds none. */
  flip(output: number): void;
}

/** A board at power-on: all dark, since nothing drives any line. */
export function lampBoard(wiring: SimLampWiring): LampBoard {
  return wiring.kind === 'chain' ? new ChainBoard(wiring) : new DirectBoard(wiring);
}

/** Lamps with a line each. The board's resistors keep a lamp dark while nothing drives its line. */
class DirectBoard implements LampBoard {
  readonly #lines: ReadonlySet<number>;
  readonly #activeLevel: 0 | 1;
  readonly #lit = new Set<number>();

  constructor(wiring: Extract<SimLampWiring, { kind: 'direct' }>) {
    this.#lines = new Set(wiring.lines);
    this.#activeLevel = wiring.isActiveLow ? 0 : 1;
  }

  levelChanged(line: number, level: WireLevel): boolean {
    const isLit = level === this.#activeLevel && this.#lines.has(line);
    if (isLit === this.#lit.has(line)) return false;
    if (isLit) this.#lit.add(line);
    else this.#lit.delete(line);
    return true;
  }

  lit(): readonly number[] {
    return [...this.#lit].sort((one, other) => one - other);
  }

  flip(): void {}
}

/** A chain of 74HC595 with pull-downs on data, clock and latch and a pull-up on output enable. Registers and outputs wake up with ones where a
 *  one lights a lamp, the worst content a chain can wake up with. */
class ChainBoard implements LampBoard {
  readonly #wiring: Extract<SimLampWiring, { kind: 'chain' }>;
  readonly #activeBit: 0 | 1;
  readonly #shifted: (0 | 1)[];
  #outputs: (0 | 1)[];
  #data: 0 | 1 = 0;
  #clock: 0 | 1 = 0;
  #latch: 0 | 1 = 0;
  #isEnabled = false;

  constructor(wiring: Extract<SimLampWiring, { kind: 'chain' }>) {
    this.#wiring = wiring;
    this.#activeBit = wiring.isActiveLow ? 0 : 1;
    this.#shifted = Array.from({ length: wiring.registerCount * 8 }, () => this.#activeBit);
    this.#outputs = [...this.#shifted];
  }

  levelChanged(line: number, level: WireLevel): boolean {
    const { data, clock, latch, outputEnable } = this.#wiring;
    if (line === outputEnable) this.#isEnabled = level === 0;
    if (line === data) this.#data = level ?? 0;
    if (line === clock) {
      if (this.#clock === 0 && level === 1) {
        this.#shifted.unshift(this.#data);
        this.#shifted.pop();
      }
      this.#clock = level ?? 0;
    }
    if (line === latch) {
      if (this.#latch === 0 && level === 1) this.#outputs = [...this.#shifted];
      this.#latch = level ?? 0;
    }
    return line === latch || line === outputEnable;
  }

  lit(): readonly number[] {
    if (!this.#isEnabled) return [];
    return this.#outputs.flatMap((bit, output) => (bit === this.#activeBit ? [output] : []));
  }

  flip(output: number): void {
    this.#outputs[output] = this.#outputs[output] === 1 ? 0 : 1;
  }
}
