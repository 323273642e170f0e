import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { labelledRigs } from '../real-input/labelled-rig.ts';
import { type JudgedThrow, playRig } from '../real-input/play-rig.ts';
import { settleMs } from '../real-input/real-table.ts';
import { type Score, scoreOf, type Tally } from '../real-input/score.ts';

const usage = `usage: node dist/test/bench/real-input.js DIR [--rig NAME] [--limit N] [--fps N] [--shakes N] [--out FILE] [--json]
  DIR      a folder with labels.jsonl, or with one such sub-folder a rig
  --limit  throws played per rig at most
  --fps    pictures a second of the camera, 15 by default
  --shakes shakes in a round before it is held, 2 by default; 1 is quicker
  --out    file for the wrong and refused throws, bench-out/real-input.json by default
  --json   the whole result as JSON on standard output; progress goes to standard error`;

/** Bench of the whole table on labelled pictures: for each rig a calibration by `sicbo calibrate fit`, the daemon by `sicbo run`, a camera over HTTP, a
 *  firmware on a pseudo-terminal, and one round a `test` row. Exit code 1 when any throw was declared wrongly, 2 for wrong arguments. */
async function main(): Promise<void> {
  const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rig: { type: 'string' },
      limit: { type: 'string' },
      fps: { type: 'string', default: '15' },
      shakes: { type: 'string', default: '2' },
      out: { type: 'string', default: 'bench-out/real-input.json' },
      json: { type: 'boolean', default: false },
    },
  });
  const [dir] = positionals;
  if (dir === undefined) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const say = options.json ? console.error : console.log;
  const work = mkdtempSync(join(tmpdir(), 'real-input-'));
  const throws: JudgedThrow[] = [];
  const startMs = performance.now();
  for (const rig of labelledRigs(dir, options.rig)) {
    const folder = join(work, rig.name);
    mkdirSync(folder);
    say(`${rig.name}: calibrating; journal, evidence and log in ${folder}`);
    const judged = await playRig(rig, {
      folder,
      frameRate: Number(options.fps),
      shakesMax: Number(options.shakes),
      ...(options.limit === undefined ? {} : { limit: Number(options.limit) }),
      onJudged: (one, playedCount, throwCount) => say(`${rig.name} ${playedCount}/${throwCount} ${progressLine(one)}`),
    });
    throws.push(...judged);
  }
  const score = scoreOf(throws, settleMs);
  mkdirSync(dirname(options.out), { recursive: true });
  writeFileSync(options.out, JSON.stringify({ notRight: throws.filter(({ verdict }) => verdict !== 'right') }, null, 1));
  if (options.json) console.log(JSON.stringify({ score, throws }));
  else for (const line of linesOf(score)) console.log(line);
  say(
    `${throws.length} throws in ${Math.round((performance.now() - startMs) / 1000)} s; wrong and refused ones in ${options.out}`,
  );
  if (score.daemon.wrong > 0) process.exitCode = 1;
}

function progressLine(one: JudgedThrow): string {
  const { file, className, values, verdict, declared, causes, end, motionBurstCounts, resultMs } = one;
  const outcome = declared ?? `${causes.join(', ')} (${end})`;
  const time = resultMs === null ? '' : `, ${Math.round(resultMs)} ms`;
  return `${file.split('/').at(-1)} ${className} ${values ?? '-'}: ${verdict.toUpperCase()} ${outcome}, bursts ${motionBurstCounts.join('+')}${time}`;
}

function linesOf(score: Score): string[] {
  const { cleanValid, invalid, refusalCauses, resultMs } = score;
  const cells = ({ right, refused, wrong }: Tally): string => [right, refused, wrong].map((n) => String(n).padStart(8)).join('');
  const causes = (counts: readonly (readonly [string, number])[]): string =>
    counts.map(([cause, count]) => `${cause} ${count}`).join(', ');
  const share = cleanValid.count === 0 ? 0 : (100 * cleanValid.right) / cleanValid.count;
  return [
    '',
    `${'rig'.padEnd(12)}${'class'.padEnd(12)}   right refused   wrong`,
    ...score.table.map((row) => `${row.rig.padEnd(12)}${row.className.padEnd(12)}${cells(row)}`),
    `${'all'.padEnd(24)}${cells(score.daemon)}`,
    `${'sicbo read, bare files'.padEnd(24)}${cells(score.plain)}`,
    '',
    `valid, no glare: ${cleanValid.right} of ${cleanValid.count} declared rightly (${share.toFixed(1)} %), ${cleanValid.rightAtFirstShake} at the first shake`,
    `invalid: ${invalid.declared} of ${invalid.count} declared`,
    `refused valid throws: ${causes(refusalCauses.valid) || 'none'}`,
    `refused invalid throws: ${causes(refusalCauses.invalid) || 'none'}`,
    resultMs === null
      ? 'no result, no time'
      : `settled to result on the feed, beyond the settle window of ${settleMs} ms: p50 ${resultMs.p50} ms, p99 ${resultMs.p99} ms`,
    ...score.differences.map(
      (one) =>
        `differs from sicbo read: ${one.file.split('/').at(-1)} ${one.className}, label ${one.values ?? 'invalid'}: daemon ${one.declared ?? one.causes.join(', ')}, read ${one.plain.values ?? one.plain.cause}`,
    ),
  ];
}

// Ended by a signal, the program still ends its children.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
await main();
