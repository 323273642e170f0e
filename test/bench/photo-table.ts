import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { drawUncalibrated } from '../../src/vision/uncalibrated/draw-uncalibrated.ts';
import { readUncalibrated } from '../../src/vision/uncalibrated/read-uncalibrated.ts';
import { percentile } from './percentile.ts';

interface PhotoRow {
  readonly file: string;
  readonly source: string;
  readonly dice: readonly { readonly value: number }[];
  readonly tags: readonly string[];
}

const classes = ['close3', 'three dice, other', 'not three dice'] as const;
type PhotoClass = (typeof classes)[number];
type Outcome = 'right' | 'refused' | 'wrong';

/** Bench of the uncalibrated reader on labelled photographs: prints source x class -> right / refused / wrong, the refusals by cause and the time a
 *  picture takes; draws wrong pictures into OUTDIR. `--half 0` or `--half 1` judges every other picture of each source only, from the first or
 *  from the second on. Usage: `node dist/test/bench/photo-table.js FOLDER [OUTDIR] [--half 0|1]`. */
function main(): void {
  const args = process.argv.slice(2);
  const halfAt = args.indexOf('--half');
  const half = halfAt === -1 ? null : Number(args.splice(halfAt, 2)[1]);
  const [folder, outFolder] = args;
  if (folder === undefined) {
    console.error('usage: node dist/test/bench/photo-table.js FOLDER [OUTDIR] [--half 0|1]');
    process.exitCode = 2;
    return;
  }
  if (outFolder !== undefined) mkdirSync(outFolder, { recursive: true });
  const counts = new Map<string, number>();
  const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  const times: number[] = [];
  const rows = rowsOf(folder, half);
  for (const row of rows) {
    const jpeg = readFileSync(join(folder, row.file));
    const startMs = performance.now();
    const reading = readUncalibrated(jpeg);
    times.push(performance.now() - startMs);
    const label = row.dice.map((die) => die.value).sort((a, b) => a - b);
    const outcome: Outcome =
      reading.seenValues === null
        ? 'refused'
        : label.length === 3 && label.join() === reading.seenValues.join()
          ? 'right'
          : 'wrong';
    for (const source of [row.source, 'all']) add(`${source}|${classOf(row)}|${outcome}`);
    if (reading.refusedFor !== null) add(`${classOf(row)}|${reading.refusedFor}`);
    if (outcome !== 'wrong') continue;
    console.log(`wrong: ${row.file} is labelled ${label.join()}, read as ${reading.seenValues?.join()}`);
    const drawn = outFolder === undefined ? null : drawUncalibrated(jpeg, reading);
    if (drawn !== null && outFolder !== undefined) writeFileSync(join(outFolder, row.file), drawn);
  }
  printOutcomes([...new Set(rows.map((row) => row.source)), 'all'], counts);
  for (const name of classes) {
    const causes = [...counts].filter(([key]) => key.startsWith(`${name}|`)).sort(([, a], [, b]) => b - a);
    console.log(`refused, ${name}: ${causes.map(([key, count]) => `${key.split('|')[1]} ${count}`).join(', ') || 'none'}`);
  }
  console.log(`ms a picture: median ${percentile(times, 0.5).toFixed(0)}, p99 ${percentile(times, 0.99).toFixed(0)}`);
}

function rowsOf(folder: string, half: number | null): readonly PhotoRow[] {
  const seen = new Map<string, number>();
  return readFileSync(join(folder, 'labels.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as PhotoRow)
    .filter(({ source }) => {
      const index = seen.get(source) ?? 0;
      seen.set(source, index + 1);
      return half === null || index % 2 === half;
    });
}

function classOf({ dice, tags }: PhotoRow): PhotoClass {
  return dice.length !== 3 ? 'not three dice' : tags.includes('close3') ? 'close3' : 'three dice, other';
}

function printOutcomes(sources: readonly string[], counts: ReadonlyMap<string, number>): void {
  console.log(`${'source'.padEnd(38)} ${'class'.padEnd(18)} right refused wrong`);
  for (const source of sources) {
    for (const name of classes) {
      const [right, refused, wrong] = (['right', 'refused', 'wrong'] as const).map(
        (outcome) => counts.get(`${source}|${name}|${outcome}`) ?? 0,
      );
      if (right === 0 && refused === 0 && wrong === 0) continue;
      const cells = `${String(right).padStart(5)} ${String(refused).padStart(7)} ${String(wrong).padStart(5)}`;
      console.log(`${source.padEnd(38)} ${name.padEnd(18)} ${cells}`);
    }
  }
}

main();
