import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { type BenchOptions, benchOptions, usage } from './bench-options.ts';
import { misreadMutations, mutationLines } from './mutation-report.ts';
import { photoLines } from './photo-report.ts';
import { reportLines } from './report.ts';
import { measureRigs } from './rig-jobs.ts';
import type { BenchOrder, RigAnswer } from './rig-process.ts';
import type { SimulatedSet } from './simulated-set.ts';
import { leaningAccepted, tiltLines } from './tilt-report.ts';

/** Throws of a simulated set whose pictures are only taken to be changed. */
const throwsToChange = 60;

/** `npm run bench:vision`: see `bench-options.ts`. Exit code 0 when nothing was read wrong, 1 when a value was wrong or an invalid throw was
 *  accepted, or a rig could not be worked through, 2 when it cannot run. */
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
  const resultsFile = join(outFolder, 'results.jsonl');
  writeFileSync(resultsFile, '');
  const done = await measureRigs(orders, options.jobCount, (answer, doneCount) => {
    // Written as they come, so that a run that is cut off leaves what it had.
    appendFileSync(
      resultsFile,
      resultsOf(answer)
        .map((result) => `${JSON.stringify(result)}\n`)
        .join(''),
    );
    console.error(`${doneCount} of ${orders.length}: ${progressOf(answer)}`);
  });
  const measures = done.flatMap((answer) => (answer.kind === 'measured' ? [answer.measure] : []));
  const pictures = measures.flatMap((measure) => measure.pictures);
  const mutations = done.flatMap((answer) => (answer.kind === 'mutated' ? answer.outcomes : []));
  const photos = done.flatMap((answer) => (answer.kind === 'photographed' ? answer.photos : []));
  const failures = done.filter((answer) => answer.kind === 'failed');
  const lines = [
    `${options.subject}: ${pictures.length + mutations.length + photos.length} pictures of ${done.length} rigs; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${options.jobCount} at a time, Node ${process.versions.node}`,
    ...(options.subject === 'throws' && measures.length > 0 ? reportLines(measures) : []),
    ...(options.subject === 'tilt' ? ['', ...tiltLines(pictures)] : []),
    ...(mutations.length > 0 ? ['', ...mutationLines(mutations)] : []),
    ...(photos.length > 0 ? ['', ...photoLines(photos)] : []),
    ...(failures.length > 0 ? ['', ...failures.map(progressOf)] : []),
    '',
    `Pictures to look at, with overlays: ${outFolder}`,
  ];
  writeFileSync(join(outFolder, 'report.txt'), `${lines.join('\n')}\n`);
  console.log(lines.join('\n'));
  const isWrong =
    failures.length > 0 ||
    pictures.some(({ outcome }) => outcome === 'wrong') ||
    (options.subject === 'tilt' && leaningAccepted(pictures).length > 0) ||
    photos.some(({ outcome }) => outcome === 'wrong') ||
    misreadMutations(mutations).length > 0;
  return isWrong ? 1 : 0;
}

function ordersOf({ subject, rigFolders, photoFolders, seeds, pictureCount, outFolder }: BenchOptions): readonly BenchOrder[] {
  const extra = subject === 'mutation' ? { mutationCount: pictureCount } : {};
  const simulated = (seed: number): SimulatedSet => ({
    kind: subject === 'tilt' ? 'leans' : 'throws',
    seed,
    count: subject === 'mutation' ? throwsToChange : pictureCount,
  });
  return [
    ...photoFolders.map((photoFolder) => ({ rig: `photos-${basename(photoFolder)}`, photoFolder, outFolder })),
    ...rigFolders.map((rig) => ({ ...rig, ...extra, outFolder })),
    ...seeds.map((seed) => ({ source: 'simulated', rig: `sim-${seed}`, ...extra, outFolder, simulated: simulated(seed) })),
  ];
}

function resultsOf(answer: RigAnswer): readonly object[] {
  switch (answer.kind) {
    case 'measured':
      return answer.measure.pictures;
    case 'mutated':
      return answer.outcomes;
    case 'photographed':
      return answer.photos;
    case 'failed':
      return [];
    default:
      return answer satisfies never;
  }
}

function progressOf(answer: RigAnswer): string {
  if (answer.kind === 'failed') return `${answer.rig} FAILED: ${answer.problem}`;
  if (answer.kind === 'mutated') return `${answer.rig}: ${answer.outcomes.length} pictures changed`;
  if (answer.kind === 'photographed') return `${answer.rig}: ${answer.photos.length} photographs`;
  const { rig, pictures, fitMs, fitProblem, samples } = answer.measure;
  const count = (wanted: string): number => pictures.filter(({ outcome }) => outcome === wanted).length;
  const accepted = `accepts ${samples?.acceptedCount} of its own samples`;
  const fit = fitProblem === null ? `fitted in ${(fitMs / 1000).toFixed(1)} s, ${accepted}` : `not calibrated (${fitProblem})`;
  return `${rig} ${fit}; right ${count('right')}, refused ${count('refused')}, wrong ${count('wrong')}`;
}

process.exitCode = await main();
