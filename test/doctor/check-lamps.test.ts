import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { GpioFaults, SimGpioChip } from '../../hardware-sim/gpio-model.ts';
import type { GpioTree } from '../../hardware-sim/gpio-tree.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { productRoot } from '../../src/product-root.ts';
import { piChip, startLampTree } from '../devices/gpio-lamps-process.ts';

let tree: GpioTree | null = null;

afterEach(async () => {
  await tree?.close();
  tree = null;
});

const chainLines = { data: 5, clock: 6, latch: 13, outputEnable: 19 };

/** Runs the check in a process that sees simulated lines; the lines are the kernel's, so the check cannot run in this one. */
async function examined(
  options: { readonly chips?: readonly SimGpioChip[]; readonly faults?: GpioFaults } = {},
  lines = chainLines,
): Promise<readonly Finding[]> {
  const started = await startLampTree('chain', false, options);
  tree = started;
  const built = (path: string): string => JSON.stringify(join(productRoot, 'dist/src', path));
  const program = `
    const { checkLamps } = await import(${built('doctor/check-lamps.js')});
    const { GpioLamps } = await import(${built('devices/gpio-lamps.js')});
    const { SystemClock } = await import(${built('devices/system-clock.js')});
    const zones = new Map([['big', 2], ['small', 9]]);
    const wiring = { kind: 'chain', lines: ${JSON.stringify(lines)}, registerCount: 2, zones };
    const config = { kind: 'gpio', chipLabel: ${JSON.stringify(piChip.label)}, isActiveLow: false, refreshMs: 500, wiring };
    const clock = new SystemClock();
    const lamps = new GpioLamps(config, clock);
    const findings = await checkLamps(config, lamps, clock);
    lamps.close();
    console.log(JSON.stringify(findings));`;
  const child = started.spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  await once(child, 'close');
  return JSON.parse(out);
}

it('finds the chip and all lines free, lights nothing and gives the lines back', async () => {
  expect(await examined()).toMatchObject([
    { check: 'lamp chip', verdict: 'ok', detail: 'pinctrl-bcm2711, lines 512 to 569' },
    { check: 'lamps', verdict: 'ok', detail: '2 zones, chain of 2 registers, all lines free' },
  ]);
  expect((await tree?.litHistory())?.flat()).toEqual([]);
  expect(await tree?.exportedLines()).toEqual([]);
});

it('names the chips that are there when none has the label', async () => {
  expect(await examined({ chips: [{ label: 'pinctrl-rp1', base: 569, lineCount: 54 }] })).toMatchObject([
    {
      check: 'lamp chip',
      verdict: 'problem',
      detail: 'no GPIO chip is labelled "pinctrl-bcm2711"; found: pinctrl-rp1',
      advice: 'set lamps.chipLabel to one of those found',
    },
  ]);
});

it('names a line that another driver holds, and how to find it', async () => {
  const findings = await examined({ faults: { exportErrors: { [piChip.base + 6]: 'EBUSY' } } });

  expect(findings.at(-1)).toMatchObject({
    check: 'lamps',
    verdict: 'problem',
    detail: expect.stringMatching(/^line 518 \(.*\): busy/),
    advice: expect.stringContaining('/sys/kernel/debug/gpio'),
  });
});

it('names a line that the chip does not have', async () => {
  const findings = await examined({}, { ...chainLines, latch: 90 });

  expect(findings.at(-1)).toMatchObject({
    verdict: 'problem',
    detail: 'too few lines: latch of the lamp chain needs offset 90, chip pinctrl-bcm2711 has 58',
    advice: 'the chip has line offsets 0 to 57: correct it in [lamps]',
  });
});
