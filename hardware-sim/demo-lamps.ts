import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startGpioTree } from './gpio-tree.ts';
import { gpioSimulationObstacle, spawnInGpioNamespace } from './in-gpio-namespace.ts';
import { writePlainGpioTree } from './plain-gpio-tree.ts';

const chip = { label: 'sim-gpio', base: 512, lineCount: 128 };
const lines = { data: 17, clock: 27, latch: 22, outputEnable: 23 };
const registerCount = 14;

/** The demo's lamps: what stands in table.toml, and how the daemon is started so that it sees the lines. */
export interface DemoLamps {
  /** The `[lamps]` section. */
  readonly config: string;
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Outputs of the chain that shine now; null where they cannot be seen from outside. */
  lit(): Promise<readonly number[] | null>;
  close(): Promise<void>;
}

/** Simulated lamps as good as the machine allows: a chain behind a file system that acts like the kernel's; plain files; or none, and says so. */
export async function openDemoLamps(folder: string, say: (line: string) => void): Promise<DemoLamps> {
  const obstacle = gpioSimulationObstacle();
  if (obstacle === null) {
    const wiring = {
      kind: 'chain' as const,
      data: chip.base + lines.data,
      clock: chip.base + lines.clock,
      latch: chip.base + lines.latch,
      outputEnable: chip.base + lines.outputEnable,
      registerCount,
      isActiveLow: false,
    };
    const tree = await startGpioTree({ chips: [chip], wiring });
    return { config: chainConfig, spawn: (...args) => tree.spawn(...args), lit: () => tree.lit(), close: () => tree.close() };
  }
  if (obstacle.missing === 'namespace') {
    say(`Lamps are off: ${obstacle.detail}`);
    return {
      config: 'kind = "none"',
      spawn: (command, args, options) => spawn(command, args, options),
      lit: async () => null,
      close: async () => {},
    };
  }
  const tree = join(folder, 'gpio');
  mkdirSync(tree, { recursive: true });
  await writePlainGpioTree(tree, chip);
  say(`Lamps run on plain files: ${obstacle.detail}`);
  return {
    config: chainConfig,
    spawn: (command, args, options) => spawnInGpioNamespace(tree, command, args, options),
    lit: async () => null,
    close: async () => {},
  };
}

const chainConfig = `kind = "chain-74hc595"
chipLabel = "${chip.label}"
dataLine = ${lines.data}
clockLine = ${lines.clock}
latchLine = ${lines.latch}
outputEnableLine = ${lines.outputEnable}
registerCount = ${registerCount}`;
