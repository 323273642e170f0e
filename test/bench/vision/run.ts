import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { type BenchOptions, benchOptions, usage } from './bench-options.ts';
import { misreadMutations, mutationLines } from './mutation-report.ts';
import { reportLines } from './report.ts';
import { type DoneRig, measureRigs } from './rig-jobs.ts';
import type { RigOrder } from './rig-process.ts';
import type { SimulatedSet } from './simulated-set.ts';
import { leaningAccepted, tiltLines } from './tilt-report.ts';

/** Throws of a simulated set whose pictures are only taken to be changed. */
const throwsToChange = 60;

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
  const orders = ordersOf(options);
  // Pictures of an earlier run would pass for those of this one.
  for (const { rig } of orders) rmSync(join(outFolder, rig), { recursive: true, force: true });
  mkdirSync(outFolder, { recursive: true });
  const done = await measureRigs(orders, options.jobCount, (answer, doneCount) => {
    console.error(`${doneCount} of ${orders.length}: ${progressOf(answer)}`);
  });
  const measures = done.flatMap((answer) => (answer.kind === 'measured' ? [answer.measure] : []));
  const pictures = measures.flatMap((measure) => measure.pictures);
  const mutations = done.flatMap((answer) => (answer.kind === 'mutated' ? answer.outcomes : []));
  const lines = [
    `${options.subject}: ${pictures.length + mutations.length} pictures of ${done.length} rigs; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${options.jobCount} at a time, Node ${process.versions.node}`,
    ...(options.subject === 'throws'
      ? reportLines(measures)
      : ['', ...(options.subject === 'tilt' ? tiltLines(pictures) : mutationLines(mutations))]),
    '',
    `Pictures to look at, with overlays: ${outFolder}`,
  ];
  writeFileSync(join(outFolder, 'report.txt'), `${lines.join('\n')}\n`);
  const results = options.subject === 'mutation' ? mutations : pictures;
  writeFileSync(join(outFolder, 'results.jsonl'), results.map((result) => `${JSON.stringify(result)}\n`).join(''));
  console.log(lines.join('\n'));
  const isWrong =
    pictures.some(({ outcome }) => outcome === 'wrong') ||
    (options.subject === 'tilt' && leaningAccepted(pictures).length > 0) ||
    misreadMutations(mutations).length > 0;
  return isWrong ? 1 : 0;
}

function ordersOf({ subject, rigFolders, seeds, pictureCount, outFolder }: BenchOptions): readonly RigOrder[] {
  const extra = subject === 'mutation' ? { mutationCount: pictureCount } : {};
  const simulated = (seed: number): SimulatedSet => ({
    kind: subject === 'tilt' ? 'leans' : 'throws',
    seed,
    count: subject === 'mutation' ? throwsToChange : pictureCount,
  });
  return [
    ...rigFolders.map((rig) => ({ ...rig, ...extra, outFolder })),
    ...seeds.map((seed) => ({ source: 'simulated', rig: `sim-${seed}`, ...extra, outFolder, simulated: simulated(seed) })),
  ];
}

function progressOf(answer: DoneRig): string {
  if (answer.kind === 'mutated') return `${answer.rig}: ${answer.outcomes.length} pictures changed`;
  const { rig, pictures, fitMs, fitProblem } = answer.measure;
  const count = (wanted: string): number => pictures.filter(({ outcome }) => outcome === wanted).length;
  const fit = fitProblem === null ? `fitted in ${(fitMs / 1000).toFixed(1)} s` : `not calibrated (${fitProblem})`;
  return `${rig} ${fit}; right ${count('right')}, refused ${count('refused')}, wrong ${count('wrong')}`;
}

process.exitCode = await main();
