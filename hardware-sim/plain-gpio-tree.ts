import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SimGpioChip } from './gpio-model.ts';

/** Writes a folder of plain files that looks like `/sys/class/gpio` with all lines exported. Fast (0.5 ms for all lamps) and good enough to time writes;
 *  it answers no faults and loses clock edges. Used through `spawnInGpioNamespace`, also where a machine allows namespaces but no FUSE. */
export async function writePlainGpioTree(folder: string, chip: SimGpioChip): Promise<void> {
  const write = async (place: string, files: Readonly<Record<string, string>>) => {
    await mkdir(join(folder, place), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, place, name), text);
  };
  await write('.', { export: '', unexport: '' });
  await write(`gpiochip${chip.base}`, { base: `${chip.base}\n`, label: `${chip.label}\n`, ngpio: `${chip.lineCount}\n` });
  for (let offset = 0; offset < chip.lineCount; offset += 1) {
    await write(`gpio${chip.base + offset}`, { active_low: '0', direction: 'out', edge: 'none', value: '0' });
  }
}

/** Those of `lines` that carry `activeLevel`: the lamps of a plain tree with one line each. */
export async function litPlainLines(folder: string, lines: readonly number[], activeLevel: 0 | 1): Promise<readonly number[]> {
  const levels = await Promise.all(lines.map((line) => readFile(join(folder, `gpio${line}`, 'value'), 'utf8')));
  return lines.filter((_, index) => Number(levels[index]) === activeLevel);
}
