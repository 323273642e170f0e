import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { productRoot } from '../../src/product-root.ts';
import type { DyingMoment } from './dying-devices.ts';

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface TableProcessOptions {
  readonly configFile: string;
  /** `real`: `sicbo run`. `sim`: the same daemon with simulated camera and vision (`table-program.ts`). */
  readonly reader: 'sim' | 'real';
  /** Seed of the simulated dice. */
  readonly seed?: number;
  /** `sim` only: the mistake that the program makes when SIGUSR2 comes. */
  readonly mistake?: 'decision' | 'callback' | 'promise';
  /** `sim` only: the process kills itself at this moment of its first result. */
  readonly dies?: DyingMoment;
  /** Both outputs are appended here too. */
  readonly logFile?: string;
  /** Starts the process; inside a namespace with simulated lamps, for example. */
  readonly spawn?: (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;
  readonly env?: NodeJS.ProcessEnv;
}

/** The built daemon as a process of its own. It is up to whoever started it to end it. */
export class TableProcess {
  readonly child: ChildProcess;
  /** `performance.now()` at the start, ms. */
  readonly startedMs = performance.now();
  /** When the table said that it is ready, same clock; null before. */
  readyMs: number | null = null;
  /** Resolves with the address of its server; rejects with the last words when it ends before. */
  readonly ready: Promise<string>;
  readonly ended: Promise<Ended>;
  /** The newest 16,000 characters of both outputs. */
  output = '';

  constructor(options: TableProcessOptions) {
    const { configFile, reader, seed = 1, mistake, dies = 'never', logFile, spawn: start = spawn, env = process.env } = options;
    const mistakeArgs = mistake === undefined ? [] : ['--mistake', mistake];
    const program =
      reader === 'real'
        ? ['dist/src/cli/sicbo.js', 'run', '--config', configFile]
        : ['dist/test/process/table-program.js', '--config', configFile, '--seed', String(seed), '--dies', dies, ...mistakeArgs];
    const [script = '', ...args] = program;
    this.child = start(process.execPath, [join(productRoot, script), ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => resolve({ code, signal }));
    });
    this.ready = new Promise((resolve, reject) => {
      const hear = (line: string): void => {
        this.output = `${this.output}${line}\n`.slice(-16_000);
        if (logFile !== undefined) appendFileSync(logFile, `${line}\n`);
        const address = addressIn(line);
        if (address === null) return;
        this.readyMs = performance.now();
        resolve(address);
      };
      for (const stream of [this.child.stdout, this.child.stderr]) {
        if (stream !== null) createInterface({ input: stream }).on('line', hear);
      }
      void this.ended.then(({ code, signal }) => reject(new Error(`the table ended with ${signal ?? code}:\n${this.output}`)));
    });
    this.ready.catch(() => {});
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends the signal, unless the process is gone. @returns how it ended, once it has. */
  async end(signal: NodeJS.Signals): Promise<Ended> {
    if (this.isRunning) this.child.kill(signal);
    return this.ended;
  }
}

/** The address in the log line with which the daemon says that it is ready. */
function addressIn(line: string): string | null {
  if (!line.includes('"table is ready"')) return null;
  const entry: unknown = JSON.parse(line);
  return typeof entry === 'object' && entry !== null && 'address' in entry ? String(entry.address) : null;
}
