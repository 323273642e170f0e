import { expect, it } from 'vitest';
import { startGpioTree } from '../../hardware-sim/gpio-tree.ts';
import { lampOptions, piChip, startLampsProcess } from './gpio-lamps-process.ts';

it.each([false, true])(
  'lights each of 110 zones alone over 14 registers, with nothing else lit in between (active low %s)',
  async (isActiveLow) => {
    const { base } = piChip;
    const board = {
      kind: 'chain',
      data: base + 5,
      clock: base + 6,
      latch: base + 13,
      outputEnable: base + 19,
      isActiveLow,
    } as const;
    const tree = await startGpioTree({ chips: [piChip], wiring: { ...board, registerCount: 14 } });
    const lamps = startLampsProcess(tree.spawn, {
      ...lampOptions('chain', isActiveLow),
      wiring: { kind: 'chain', lines: { data: 5, clock: 6, latch: 13, outputEnable: 19 }, registerCount: 14 },
      zones: Array.from({ length: 110 }, (_, output) => [`zone-${output}`, output] as const),
    });
    try {
      await lamps.order('open');
      for (let output = 0; output < 110; output += 1) {
        await lamps.order({ show: [`zone-${output}`] });
        expect(await tree.lit()).toEqual([output]);
      }
      const all = Array.from({ length: 110 }, (_, output) => output);
      await lamps.order({ show: all.map((output) => `zone-${output}`) });
      expect(await lamps.end('SIGTERM')).toBe(0);
      expect(await tree.litHistory()).toEqual([...all.map((output) => [output]), all, []]);
    } finally {
      await lamps.end('SIGKILL');
      await tree.close();
    }
  },
);
