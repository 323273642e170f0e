import { cpus, loadavg } from 'node:os';
import { textTable } from '../../src/cli/text-table.ts';
import type { BenchRow } from './bench-row.ts';
import { coreBench } from './core-bench.ts';
import { feedBench } from './feed-bench.ts';
import { journalBench } from './journal-bench.ts';
import { lampsBench } from './lamps-bench.ts';
import { resultBench } from './result-bench.ts';
import { visionBench } from './vision-bench.ts';

/** `npm run bench [-- name …]`: measures one part after the other and prints the figures with the design's targets beside them. */
const benches: readonly { readonly name: string; readonly run: () => Promise<BenchRow[]> }[] = [
  { name: 'core', run: coreBench },
  { name: 'vision', run: visionBench },
  { name: 'journal', run: () => journalBench('.') },
  { name: 'lamps', run: lampsBench },
  { name: 'feed', run: () => feedBench(200) },
  { name: 'result', run: resultBench },
];

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknown.length > 0)
    throw new Error(`unknown bench ${unknown.join(', ')}; there are ${benches.map(({ name }) => name).join(', ')}`);
  process.stdout.write(
    `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}, load ${loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}\n`,
  );
  const rows: BenchRow[] = [];
  for (const { name, run } of benches) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    process.stderr.write(`${name} …\n`);
    rows.push(...(await run()));
  }
  const lines = rows.map(({ name, value, unit, target, note }) => [name, value.toPrecision(3), unit, target, note]);
  process.stdout.write(`${textTable(['what', 'value', 'unit', 'target', 'how'], lines).join('\n')}\n`);
}

await main();
