import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { productRoot } from '../src/product-root.ts';
import type { GpioFaults, GpioWrite, SimGpioChip, WireLevel } from './gpio-model.ts';
import { emptyGpioClass, namespaceCommand, spawnBeside } from './in-gpio-namespace.ts';
import type { SimLampWiring } from './lamp-board.ts';

/** The simulated machine's controllers and what hangs on their lines. */
export interface GpioTreeOptions {
  /** Empty: a machine whose kernel has GPIO but no controller. */
  readonly chips: readonly SimGpioChip[];
  readonly wiring: SimLampWiring;
  readonly faults?: GpioFaults;
}

/** What can be asked of the simulated lines. Only the simulator's own processes speak this. */
export type GpioQuestion =
  | { readonly ask: 'lit' | 'litHistory' | 'writes' | 'exportedLines' | 'forget' }
  | { readonly ask: 'levels'; readonly lines: readonly number[] }
  | { readonly ask: 'flip'; readonly output: number }
  | { readonly ask: 'turnIntoInput'; readonly line: number }
  | { readonly ask: 'setFaults'; readonly faults: GpioFaults };

/** Answer to the question `id`; id 0 is sent once when the lines are there. */
export interface GpioAnswer {
  readonly id: number;
  readonly value: unknown;
}

/** Simulated GPIO lines with lamps behind them, as a file system that behaves like sysfs: exports that fail, directions that set levels, files that stay
 *  unwritable for a while. It is answered by a process of its own, so the lines keep their levels when the program that drives them is
 *  killed, and every write is seen in its order and decoded as the 74HC595 would. Plain files cannot do that: they keep the last value of each line, so
 *  the clock edges of a chain are lost to whoever looks from outside. */
export interface GpioTree {
  /** Starts a program that has these lines as its `/sys/class/gpio`. Signals to the child reach the program itself. */
  spawn(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Outputs of the chain, or sysfs line numbers of direct lamps, that shine at this moment, ascending. */
  lit(): Promise<readonly number[]>;
  /** Every change of what the lamps show, in order, since the start (when all was dark) or `forget`. At most 10,000. */
  litHistory(): Promise<readonly (readonly number[])[]>;
  /** Every write since the start or `forget`, in order. At most 400,000. */
  writes(): Promise<readonly GpioWrite[]>;
  forget(): Promise<void>;
  exportedLines(): Promise<readonly number[]>;
  levels(lines: readonly number[]): Promise<readonly WireLevel[]>;
  /** Noise turns one output bit of the chain. */
  flip(output: number): Promise<void>;
  /** Another program turns an output into an input. */
  turnIntoInput(line: number): Promise<void>;
  setFaults(faults: GpioFaults): Promise<void>;
  /** Takes the lines away, as an unplugged controller would. */
  close(): Promise<void>;
}

/** Starts simulated lines. Runs the built simulator from dist/.
 *  @throws Error with the reason when it is not built or the machine allows no namespace or no FUSE; ask `gpioSimulationObstacle` before. */
export async function startGpioTree(options: GpioTreeOptions): Promise<GpioTree> {
  const program = join(productRoot, 'dist/hardware-sim/gpio-fs.js');
  if (!existsSync(program)) throw new Error(`${program} is missing: build first (npm run build)`);
  const [command, args] = namespaceCommand(emptyGpioClass, process.execPath, [program, JSON.stringify(options)]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let errorText = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-4_000);
  });
  const questions = new Questions(child);
  const hasEnded = once(child, 'close').then(() => 'ended' as const);
  const first = await Promise.race([questions.ready.then(() => 'ready' as const), hasEnded]);
  if (first === 'ended') throw new Error(`simulated GPIO lines did not start: ${errorText.trim()}`);
  const pid = child.pid ?? 0;
  return {
    spawn: (program, programArgs, spawnOptions = {}) => spawnBeside(pid, program, programArgs, spawnOptions),
    lit: () => questions.ask({ ask: 'lit' }),
    litHistory: () => questions.ask({ ask: 'litHistory' }),
    writes: () => questions.ask({ ask: 'writes' }),
    forget: () => questions.ask({ ask: 'forget' }),
    exportedLines: () => questions.ask({ ask: 'exportedLines' }),
    levels: (lines) => questions.ask({ ask: 'levels', lines }),
    flip: (output) => questions.ask({ ask: 'flip', output }),
    turnIntoInput: (line) => questions.ask({ ask: 'turnIntoInput', line }),
    setFaults: (faults) => questions.ask({ ask: 'setFaults', faults }),
    async close() {
      child.kill('SIGKILL');
      await hasEnded;
    },
  };
}

class Questions {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  #lastId = 0;
  readonly ready: Promise<void>;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.ready = new Promise((resolve, reject) => this.#waiting.set(0, { resolve, reject }));
    child.on('message', ({ id, value }: GpioAnswer) => {
      this.#waiting.get(id)?.resolve(value as never);
      this.#waiting.delete(id);
    });
    this.ready.catch(() => {});
    child.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the simulated GPIO lines are gone'));
      this.#waiting.clear();
    });
  }

  ask<Answer>(question: GpioQuestion): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ ...question, id }, (error) => {
        if (error !== null) reject(error);
      });
    });
  }
}
