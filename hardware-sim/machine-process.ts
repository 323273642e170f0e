import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { productRoot } from '../src/product-root.ts';
import type { MachineOrder, MachineWord } from './machine-order.ts';

export interface MachineProcessOptions {
  readonly link: string;
  readonly memory: string;
  readonly seed: number;
  readonly hasCover?: boolean;
  /** The compiled reference firmware in simavr instead of the model; its EEPROM lies beside `memory`. */
  readonly firmware?: 'model' | 'avr';
  readonly cameraPort?: number;
  readonly frameRate?: number;
  /** Called for each motor run at the moment it is told. */
  readonly onShake?: (shake: MachineShake) => void;
}

/** A motor run that the firmware obeyed. `atMs`: wall time at which this process heard of it. */
export interface MachineShake {
  readonly orderNumber: number;
  readonly activationNumber: number;
  readonly atMs: number;
}

/** The simulated machine as a child process (`machine-main.ts`, from dist). */
export class MachineProcess {
  readonly link: string;
  readonly cameraUrl: string;
  /** Motor runs that the firmware obeyed, in order: the truth about what was shaken. */
  readonly shakes: MachineShake[] = [];
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ready: Extract<MachineWord, { kind: 'ready' }>) {
    this.#child = child;
    this.link = ready.link;
    this.cameraUrl = ready.cameraUrl;
  }

  /** Resolves once terminal and camera are there. @throws Error when the process ends before. */
  static async start(options: MachineProcessOptions): Promise<MachineProcess> {
    const { link, memory, seed, hasCover = false, firmware = 'model', cameraPort = 0, frameRate = 15 } = options;
    const args = [
      '--link',
      link,
      '--memory',
      memory,
      '--seed',
      String(seed),
      '--camera-port',
      String(cameraPort),
      '--frame-rate',
      String(frameRate),
      '--firmware',
      firmware,
    ];
    if (hasCover) args.push('--cover');
    const child = spawn(process.execPath, [join(productRoot, 'dist/hardware-sim/machine-main.js'), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let machine: MachineProcess | null = null;
    return new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the simulated machine ended with code ${code} before it was ready`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const word = JSON.parse(line) as MachineWord;
        if (word.kind === 'ready') {
          machine = new MachineProcess(child, word);
          resolve(machine);
        } else if (word.kind === 'shaking') {
          const { orderNumber, activationNumber } = word;
          const shake = { orderNumber, activationNumber, atMs: Date.now() };
          machine?.shakes.push(shake);
          options.onShake?.(shake);
        } else process.stderr.write(`simulated machine: ${word.detail}\n`);
      });
    });
  }

  tell(order: MachineOrder): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
  }
}
