import { DeviceError, InputError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { LampStatus, Lamps } from '../ports/lamps.ts';
import { DirectLines } from './direct-lines.ts';
import { findGpioChip, type GpioChip } from './gpio-chip.ts';
import type { LampOutputs } from './lamp-outputs.ts';
import { type ChainLines, outputsPerRegister, ShiftChain } from './shift-chain.ts';

/** How the lamps hang on the controller. `zones` maps a zone id to its output of the chain (0 is QA of the first register) or to the offset
 *  of its own line on the chip. */
export type LampWiring =
  | {
      readonly kind: 'chain';
      readonly lines: ChainLines;
      readonly registerCount: number;
      readonly zones: ReadonlyMap<string, number>;
    }
  | { readonly kind: 'direct'; readonly zones: ReadonlyMap<string, number> };

/** What a table's configuration says of its lamps. */
export interface GpioLampsOptions {
  /** Label of the GPIO chip as `/sys/class/gpio/gpiochip…/label` shows it, e.g. `pinctrl-bcm2711`. */
  readonly chipLabel: string;
  readonly wiring: LampWiring;
  /** True when a lamp is lit by a low level. */
  readonly isActiveLow: boolean;
  /** All outputs are written again this often, ms, 50 to 900, so that a bit flipped by noise is wrong for less than a second. Default 500. */
  readonly refreshMs?: number;
}

/** Lines that could not be taken, or were lost, are tried again this often, ms. */
const retakeMs = 10_000;
/** Bound of `LampStatus.problems`, as the port promises. */
const problemCountMax = 120;
const registerCountMax = 64;

/** Lamps on GPIO lines through the `onoff` package. The lamps keep their picture when the process is killed; the next `open` takes the lines over dark. A
 *  machine without usable lines is no error: the table plays on and `status` says `offline`. */
export class GpioLamps implements Lamps {
  readonly #options: GpioLampsOptions;
  readonly #clock: Clock;
  #outputs: LampOutputs | null = null;
  #chipProblem: string | null = 'not opened yet';
  #wanted: ReadonlySet<string> = new Set();
  readonly #unwired = new Set<string>();
  #isClosed = false;
  #cancelRefresh: () => void = () => {};
  #cancelRetake: () => void = () => {};

  /** @throws InputError `config.lamps` with every problem of the wiring. */
  constructor(options: GpioLampsOptions, clock: Clock) {
    const problems = wiringProblems(options);
    if (problems.length > 0) throw new InputError('config.lamps', `lamp wiring is wrong: ${problems.join('; ')}`, problems);
    this.#options = options;
    this.#clock = clock;
  }

  async open(): Promise<void> {
    await this.#take();
    if (this.#isClosed) return;
    this.#refreshLater();
    this.#retakeLater();
  }

  show(zones: ReadonlySet<string>): void {
    if (this.#isClosed) return;
    this.#wanted = new Set(zones);
    for (const zone of zones)
      if (!this.#options.wiring.zones.has(zone) && this.#unwired.size < problemCountMax) this.#unwired.add(zone);
    this.#write();
  }

  get status(): LampStatus {
    const outputs = this.#outputs;
    const zones = this.#options.wiring.zones;
    const isWorking = (zone: string) => {
      const output = zones.get(zone);
      return outputs !== null && output !== undefined && outputs.isWorking(output);
    };
    const problems = [...(this.#chipProblem === null ? [] : [this.#chipProblem]), ...(outputs?.problems ?? [])];
    if (this.#unwired.size > 0)
      problems.push(`no lamp is wired for ${this.#unwired.size} zones: ${[...this.#unwired].join(', ')}`);
    const hasLamp = [...zones.keys()].some(isWorking);
    return {
      condition: !hasLamp ? 'offline' : problems.length > 0 ? 'degraded' : 'ok',
      problems: problems.slice(0, problemCountMax),
      lit: new Set([...this.#wanted].filter(isWorking)),
    };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelRefresh();
    this.#cancelRetake();
    this.#wanted = new Set();
    this.#outputs?.close();
    this.#outputs = null;
    this.#chipProblem = 'closed';
  }

  async #take(): Promise<void> {
    try {
      const outputs = this.#outputs ?? this.#outputsOn(await findGpioChip(this.#options.chipLabel));
      if (this.#isClosed) return;
      this.#outputs = outputs;
      this.#chipProblem = null;
      await outputs.take();
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      if (!this.#isClosed) this.#chipProblem = error.message;
    }
    this.#write();
  }

  #outputsOn(chip: GpioChip): LampOutputs {
    const { wiring, isActiveLow } = this.#options;
    return wiring.kind === 'chain'
      ? new ShiftChain(chip, wiring.lines, wiring.registerCount, isActiveLow, this.#clock)
      : new DirectLines(chip, wiring.zones, isActiveLow, this.#clock);
  }

  #write(): void {
    const lit = new Set<number>();
    for (const zone of this.#wanted) {
      const output = this.#options.wiring.zones.get(zone);
      if (output !== undefined) lit.add(output);
    }
    this.#outputs?.write(lit);
  }

  #refreshLater(): void {
    this.#cancelRefresh = this.#clock.after(this.#options.refreshMs ?? 500, () => {
      this.#write();
      this.#refreshLater();
    });
  }

  #retakeLater(): void {
    this.#cancelRetake = this.#clock.after(retakeMs, () => {
      const isComplete = this.#chipProblem === null && this.#outputs?.problems.length === 0;
      if (isComplete) {
        this.#retakeLater();
        return;
      }
      void this.#take().then(() => {
        if (!this.#isClosed) this.#retakeLater();
      });
    });
  }
}

/** What is wrong with a wiring by itself, without looking at the machine. */
function wiringProblems({ wiring, refreshMs = 500 }: GpioLampsOptions): readonly string[] {
  const problems: string[] = [];
  if (refreshMs < 50 || refreshMs > 900) problems.push(`refreshMs is ${refreshMs}, allowed are 50 to 900`);
  const what = wiring.kind === 'chain' ? 'output' : 'line offset';
  let outputMax = Number.POSITIVE_INFINITY;
  if (wiring.kind === 'chain') {
    const { registerCount, lines } = wiring;
    if (!Number.isInteger(registerCount) || registerCount < 1 || registerCount > registerCountMax) {
      problems.push(`registerCount is ${registerCount}, allowed are 1 to ${registerCountMax}`);
    }
    outputMax = registerCount * outputsPerRegister - 1;
    problems.push(...mapProblems(new Map(Object.entries(lines)), 'line offset', Number.POSITIVE_INFINITY));
  }
  return [...problems, ...mapProblems(wiring.zones, what, outputMax)];
}

function mapProblems(places: ReadonlyMap<string, number>, what: string, placeMax: number): readonly string[] {
  const problems: string[] = [];
  const owners = new Map<number, string>();
  for (const [name, place] of places) {
    const allowed = placeMax === Number.POSITIVE_INFINITY ? '0 or more' : `0 to ${placeMax}`;
    if (!Number.isInteger(place) || place < 0 || place > placeMax) problems.push(`${what} ${place} of ${name} is not ${allowed}`);
    const owner = owners.get(place);
    if (owner !== undefined) problems.push(`${what} ${place} is given to both ${owner} and ${name}`);
    owners.set(place, name);
  }
  return problems;
}
