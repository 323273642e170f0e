import { startGpioTree } from '../../hardware-sim/gpio-tree.ts';
import { gpioSimulationObstacle } from '../../hardware-sim/in-gpio-namespace.ts';
import { allZones } from '../../src/core/rules/zones.ts';
import { startLampsProcess } from '../devices/gpio-lamps-process.ts';

/** The real lamps driver on simulated lines, all 110 zones on a chain in the order of the zone list. */
export interface GpioMirror {
  /** Lights these zones. @returns the zones whose lamps shine then, as the registers on the lines have it, in the order of the zone list. */
  light(zones: Iterable<string>): Promise<readonly string[]>;
  close(): Promise<void>;
}

const chip = { label: 'sim-gpio', base: 512, lineCount: 64 };
const lines = { data: 17, clock: 27, latch: 22, outputEnable: 23 };
const registerCount = 14;

/** Null where the machine allows no simulated lines. */
export async function openGpioMirror(): Promise<GpioMirror | null> {
  if (gpioSimulationObstacle() !== null) return null;
  const on = (offset: number): number => chip.base + offset;
  const tree = await startGpioTree({
    chips: [chip],
    wiring: {
      kind: 'chain',
      data: on(lines.data),
      clock: on(lines.clock),
      latch: on(lines.latch),
      outputEnable: on(lines.outputEnable),
      registerCount,
      isActiveLow: false,
    },
  });
  const lamps = startLampsProcess((...args) => tree.spawn(...args), {
    chipLabel: chip.label,
    isActiveLow: false,
    wiring: { kind: 'chain', lines, registerCount },
    zones: allZones.map(({ id }, index) => [id, index] as const),
    timeScale: 1,
  });
  await lamps.order('open');
  return {
    async light(zones) {
      await lamps.order({ show: [...zones] });
      return (await tree.lit()).map((output) => allZones[output]?.id ?? String(output));
    },
    async close() {
      await lamps.end('SIGTERM');
      await tree.close();
    },
  };
}
