import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { GpioFaults, SimGpioChip } from '../../hardware-sim/gpio-model.ts';
import { type GpioTree, startGpioTree } from '../../hardware-sim/gpio-tree.ts';
import type { SimLampWiring } from '../../hardware-sim/lamp-board.ts';
import { productRoot } from '../../src/product-root.ts';
import type { LampsReport } from '../contracts/lamps-contract.ts';
import type { ProgramOptions, ProgramOrder } from './gpio-lamps-program.ts';

/** The controller in these tests, numbered as a newer Raspberry Pi kernel does. */
export const piChip: SimGpioChip = { label: 'pinctrl-bcm2711', base: 512, lineCount: 58 };

/** Two registers on the offsets 5, 6, 13 and 19. */
const chainLines = { data: 5, clock: 6, latch: 13, outputEnable: 19 };

/** The lamps of the contract and their outputs or offsets. */
export const threeZones = [
  ['big', 2],
  ['small', 9],
  ['total-4', 15],
] as const;

/** The two ways to wire lamps. */
export type WiringKind = 'chain' | 'direct';

/** Starts lines with lamps behind them, wired as `lampOptions` says. */
export function startLampTree(
  kind: WiringKind,
  isActiveLow: boolean,
  more: { readonly chips?: readonly SimGpioChip[]; readonly faults?: GpioFaults } = {},
): Promise<GpioTree> {
  const base = piChip.base;
  const wiring: SimLampWiring =
    kind === 'chain'
      ? { kind, data: base + 5, clock: base + 6, latch: base + 13, outputEnable: base + 19, registerCount: 2, isActiveLow }
      : { kind, lines: Array.from({ length: piChip.lineCount }, (_, offset) => base + offset), isActiveLow };
  return startGpioTree({ chips: [piChip], wiring, ...more });
}

/** Options of lamps that fit the board of `startLampTree`. */
export function lampOptions(kind: WiringKind, isActiveLow: boolean): ProgramOptions {
  return {
    chipLabel: piChip.label,
    isActiveLow,
    wiring: kind === 'chain' ? { kind, lines: chainLines, registerCount: 2 } : { kind },
    zones: threeZones,
    timeScale: 1,
  };
}

/** `GpioLamps` running in a process of its own. */
export interface LampsProcess {
  order(order: ProgramOrder): Promise<LampsReport>;
  /** @returns exit code, null after a signal that killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a program with an IPC channel. */
export type SpawnProgram = (
  command: string,
  args: readonly string[],
  options: { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
) => ChildProcess;

/** @param spawnProgram `tree.spawn`, or another way into a namespace. */
export function startLampsProcess(spawnProgram: SpawnProgram, options: ProgramOptions): LampsProcess {
  const program = join(productRoot, 'dist/test/devices/gpio-lamps-program.js');
  const child = spawnProgram(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  return {
    async order(order) {
      const answered = once(child, 'message');
      child.send(order);
      const [report] = await Promise.race([
        answered,
        exited.then(([code]) => Promise.reject(new Error(`lamps program ended: ${code}`))),
      ]);
      return report as LampsReport;
    },
    async end(signal) {
      child.kill(signal);
      const [code] = await exited;
      return code as number | null;
    },
  };
}

/** Zones of shining outputs or lines, sorted; a lamp that belongs to no zone shows by its number. */
export async function shiningZones(tree: GpioTree, kind: WiringKind): Promise<readonly string[]> {
  const firstLine = kind === 'chain' ? 0 : piChip.base;
  const names = new Map<number, string>(threeZones.map(([zone, place]) => [place + firstLine, zone]));
  return (await tree.lit()).map((number) => names.get(number) ?? String(number)).sort();
}
