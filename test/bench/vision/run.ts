import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { type BenchOptions, benchOptions, usage } from './bench-options.ts';
import type { RigMeasure } from './measure-rig.ts';
import { reportLines } from './report.ts';
import { measureRigs } from './rig-jobs.ts';
import type { RigOrder } from './rig-process.ts';
import { leaningAccepted, tiltLines } from './tilt-report.ts';

/** `npm run bench:vision`: see `bench-options.ts`. Exit code 0 when nothing was read wrong, 1 when a value was wrong or an invalid throw was
 *  accepted, 2 when it cannot run. */
async function main(): Promise<number> {
  let options: BenchOptions;
  try {
    options = benchOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
    return 2;
  }
  const { outFolder } = options;
  const orders: readonly RigOrder[] = [
    ...options.rigFolders.map((rig) => ({ ...rig, outFolder })),
    ...options.seeds.map((seed) => ({
      source: 'simulated',
      rig: `sim-${seed}`,
      outFolder,
      simulated: { kind: options.subject === 'tilt' ? ('leans' as const) : ('throws' as const), seed, count: options.throwCount },
    })),
  ];
  // Pictures of an earlier run would pass for those of this one.
  for (const { rig } of orders) rmSync(join(outFolder, rig), { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  const measures = await measureRigs(orders, options.jobCount, (measure, doneCount) => {
    console.error(`${doneCount} of ${orders.length}: ${progressOf(measure)}`);
  });
  const pictures = measures.flatMap((measure) => measure.pictures);
  const lines = [
    `${pictures.length} pictures of ${measures.length} rigs; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${options.jobCount} at a time, Node ${process.versions.node}`,
    ...(options.subject === 'tilt' ? ['', ...tiltLines(pictures)] : reportLines(measures)),
    '',
    `Wrong and refused pictures with overlays: ${outFolder}`,
  ];
  writeFileSync(join(outFolder, 'report.txt'), `${lines.join('\n')}\n`);
  writeFileSync(join(outFolder, 'results.jsonl'), pictures.map((picture) => `${JSON.stringify(picture)}\n`).join(''));
  console.log(lines.join('\n'));
  const isWrong =
    pictures.some(({ outcome }) => outcome === 'wrong') || (options.subject === 'tilt' && leaningAccepted(pictures).length > 0);
  return isWrong ? 1 : 0;
}

function progressOf({ rig, pictures, fitMs, fitProblem }: RigMeasure): string {
  const count = (wanted: string): number => pictures.filter(({ outcome }) => outcome === wanted).length;
  const fit = fitProblem === null ? `fitted in ${(fitMs / 1000).toFixed(1)} s` : `not calibrated (${fitProblem})`;
  return `${rig} ${fit}; right ${count('right')}, refused ${count('refused')}, wrong ${count('wrong')}`;
}

process.exitCode = await main();
