import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnInGpioNamespace } from '../../hardware-sim/in-gpio-namespace.ts';
import { writePlainGpioTree } from '../../hardware-sim/plain-gpio-tree.ts';
import { productRoot } from '../../src/product-root.ts';
import type { BenchRow } from './bench-row.ts';
import type { LampsBenchReport } from './lamps-bench-program.ts';

/** Times a full update of all 110 lamps over 14 chained 74HC595 against the same writes made directly through onoff, in one process on plain
 *  files. @throws Error when this machine allows no mount namespace. */
export async function lampsBench(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sicbo-gpio-'));
  try {
    await writePlainGpioTree(folder, { label: 'pinctrl-bench', base: 512, lineCount: 20 });
    const program = join(productRoot, 'dist/test/bench/lamps-bench-program.js');
    const child = spawnInGpioNamespace(folder, process.execPath, [program], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const ended = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`the lamps bench ended without figures (exit ${code})`)),
    );
    const [report] = (await Promise.race([once(child, 'message'), ended])) as [LampsBenchReport];
    await ended.catch(() => {});
    return rows(report);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function rows({ lampsMs, rawMs, writeCount }: LampsBenchReport): BenchRow[] {
  const note = `${writeCount} writes, plain files, median of 400`;
  return [
    {
      name: 'lamps: full update of 110 lamps over 14 chained 74HC595',
      value: lampsMs,
      unit: 'ms',
      target: '<= 20 on real sysfs',
      note,
    },
    { name: 'lamps: the same writes directly through onoff', value: rawMs, unit: 'ms', target: '', note },
    {
      name: 'lamps: update against direct writes',
      value: lampsMs / rawMs,
      unit: 'times',
      target: '<= 2',
      note: 'same run, turn about',
    },
  ];
}
