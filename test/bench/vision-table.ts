import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fitProfile } from '../../calibration/fit.ts';
import { drawOverlay } from '../../src/vision/overlay.ts';
import { readJpeg } from '../../src/vision/read-picture.ts';
import { openRig } from '../../src/vision/rig.ts';

interface LabelRow {
  readonly file: string;
  readonly kind: string;
  readonly class: string;
  readonly valid: boolean;
  readonly values: readonly (number | null)[];
  readonly glare_on_pip?: boolean;
  readonly glare_fake_pattern?: boolean;
}

interface Tally {
  right: number;
  refused: number;
  wrong: number;
}

/** Bench of the reader on labelled rigs: fits on the calibration rows of each rig folder under the given one (or on it itself), judges its test
 *  rows, and prints rig x class -> right / refused / wrong and the time a picture takes. Overlays of refused valid and of wrongly accepted
 *  pictures go to the folder given second, or a temporary one. Usage: `node dist/test/bench/vision-table.js DIR [OVERLAYS] [--verbose]`. */
function main(): void {
  const [root, overlays = mkdtempSync(join(tmpdir(), 'vision-'))] = process.argv
    .slice(2)
    .filter((argument) => !argument.startsWith('--'));
  if (root === undefined) {
    console.error('usage: node dist/test/bench/vision-table.js DIR [OVERLAYS] [--verbose]');
    process.exitCode = 2;
    return;
  }
  mkdirSync(overlays, { recursive: true });
  const names = readdirSync(root, { withFileTypes: true });
  const folders = names.some((entry) => entry.name === 'labels.jsonl')
    ? [root]
    : names.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name));
  const tallies = new Map<string, Tally>();
  const times: number[] = [];
  for (const folder of folders) benchRig(folder, overlays, tallies, times);
  console.log(`${'rig'.padEnd(10)} ${'class'.padEnd(16)} right refused wrong`);
  for (const [key, { right, refused, wrong }] of [...tallies].sort(([a], [b]) => a.localeCompare(b))) {
    const [rig = '', name = ''] = key.split('|');
    console.log(
      `${rig.padEnd(10)} ${name.padEnd(16)} ${String(right).padStart(5)} ${String(refused).padStart(7)} ${String(wrong).padStart(5)}`,
    );
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
  console.log(`ms a picture: median ${at(0.5)}, p99 ${at(0.99)}; overlays in ${overlays}`);
}

function benchRig(folder: string, overlays: string, tallies: Map<string, Tally>, times: number[]): void {
  const name = folder.split('/').at(-1) ?? folder;
  const isVerbose = process.argv.includes('--verbose');
  const startMs = performance.now();
  const profile = fitProfile(folder, { createdBy: 'bench', why: 'bench', createdAt: new Date().toISOString() }, () => {});
  console.log(`${name}: fitted in ${((performance.now() - startMs) / 1000).toFixed(1)} s; ${JSON.stringify(profile.measured)}`);
  const rig = openRig(profile);
  const rows = readFileSync(join(folder, 'labels.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as LabelRow);
  for (const row of rows) {
    if (row.kind !== 'test') continue;
    const jpeg = readFileSync(join(folder, row.file));
    const readMs = performance.now();
    const explained = readJpeg(rig, jpeg);
    times.push(performance.now() - readMs);
    const { reading } = explained;
    const expected = [...row.values].sort().join();
    const isRight = reading.verdict === 'accepted' && row.valid && reading.values.join() === expected;
    const outcome = isRight ? 'right' : reading.verdict === 'refused' ? 'refused' : 'wrong';
    const hasGlare = row.glare_on_pip === true || row.glare_fake_pattern === true;
    for (const key of [
      `${name}|${row.class}${row.valid && hasGlare ? ' glare' : ''}`,
      `all|${row.valid ? (hasGlare ? 'valid, glare' : 'valid') : 'invalid'}`,
    ]) {
      const tally = tallies.get(key) ?? { right: 0, refused: 0, wrong: 0 };
      tally[outcome] += 1;
      tallies.set(key, tally);
    }
    if (outcome === 'wrong' || (outcome === 'refused' && row.valid)) {
      const drawn = drawOverlay(rig, jpeg, explained);
      if (drawn !== null)
        writeFileSync(join(overlays, `${outcome}-${reading.cause ?? reading.values?.join('') ?? ''}-${row.file}`), drawn);
    }
    if (isVerbose) {
      console.log(
        `${row.file} ${row.class}${hasGlare ? ' glare' : ''} ${row.values.join()} -> ${outcome} ${reading.values?.join() ?? reading.cause}`,
      );
      if (outcome === 'wrong' || (outcome === 'refused' && row.valid)) console.log(`   ${JSON.stringify(explained.evidence)}`);
    }
  }
  rig.view.referenceMat.release();
}

main();
