import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { productRoot } from '../../../src/product-root.ts';

/** `throws`: everything a table meets; `tilt`: one die leans by known angles; `mutation`: one pip of a die is painted away, added or moved. */
export type BenchSubject = 'throws' | 'tilt' | 'mutation';

/** Rigs and pictures a rig when nothing is said. 14 and 36 give 504 changed pictures, 28 of each value and kind of change. */
const defaults: Readonly<Record<BenchSubject, { readonly rigs: string; readonly pictures: string }>> = {
  throws: { rigs: '20', pictures: '150' },
  tilt: { rigs: '12', pictures: '10' },
  mutation: { rigs: '14', pictures: '36' },
};

export interface BenchOptions {
  readonly subject: BenchSubject;
  /** Labelled folders, one a rig. */
  readonly rigFolders: readonly { readonly source: string; readonly rig: string; readonly folder: string }[];
  /** Seeds of the simulated rigs. */
  readonly seeds: readonly number[];
  /** Pictures of each simulated rig; of `tilt`, of each lean; of `mutation`, changed ones of every rig. */
  readonly pictureCount: number;
  /** Folders of photographs, read without calibration. */
  readonly photoFolders: readonly string[];
  readonly jobCount: number;
  readonly outFolder: string;
}

export const usage = `npm run bench:vision -- [tilt | mutation] [--rigs FOLDER]... [--photos FOLDER]... [--simulated N] [--seed S] [--throws K] [--jobs J] [--out FOLDER]
  tilt              simulated throws with a die that leans by 0 to 20 degrees, instead of throws of all classes
  mutation          pictures in which one pip of one die is painted away, added or moved by a quarter of the spacing
  --rigs FOLDER     a labelled rig, or a folder of such; may be given several times. Without --simulated, only what is given is measured
  --photos FOLDER   photographs with labels.jsonl (file, source, dice[{value}], tags), read without calibration
  --simulated N     random simulated rigs; default 20 (tilt 12, mutation 14), or 0 when --rigs or --photos is given
  --seed S          seed of the first of them; default 1001: kept for final figures, nothing was or may be tuned with it
  --throws K        pictures of each; default 150 (tilt 10 of each angle, mutation 36)
  --jobs J          rigs measured at the same time; default 1, more falsifies the times on a busy machine
  --out FOLDER      report, results.jsonl, and RIG/VERDICT/FILE.jpg of wrong and of refused pictures; default bench-out/vision`;

/** Reads the command line. @throws Error in words for a person. */
export function benchOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rigs: { type: 'string', multiple: true, default: [] },
      photos: { type: 'string', multiple: true, default: [] },
      simulated: { type: 'string' },
      seed: { type: 'string', default: '1001' },
      throws: { type: 'string' },
      jobs: { type: 'string', default: '1' },
      out: { type: 'string', default: join(productRoot, 'bench-out', 'vision') },
    },
  });
  const [subject = 'throws', ...more] = positionals;
  if (!isSubject(subject) || more.length > 0) throw new Error(`${positionals.join(' ')}: throws, tilt or mutation`);
  const rigFolders = distinctlyNamed(values.rigs.flatMap(labelledFolders));
  const simulatedCount = wholeNumber(
    '--simulated',
    values.simulated ?? (values.rigs.length + values.photos.length > 0 ? '0' : defaults[subject].rigs),
    0,
    1000,
  );
  const firstSeed = wholeNumber('--seed', values.seed, 1, 1_000_000);
  return {
    subject,
    rigFolders,
    photoFolders: values.photos.map((folder) => {
      const path = resolve(folder);
      if (!existsSync(join(path, 'labels.jsonl'))) throw new Error(`--photos ${folder}: no labels.jsonl in it`);
      return path;
    }),
    seeds: Array.from({ length: simulatedCount }, (_, i) => firstSeed + i),
    pictureCount: wholeNumber('--throws', values.throws ?? defaults[subject].pictures, 1, 100_000),
    jobCount: wholeNumber('--jobs', values.jobs, 1, 64),
    outFolder: resolve(values.out),
  };
}

function isSubject(name: string): name is BenchSubject {
  return name in defaults;
}

/** A folder with labels is one rig; otherwise each folder in it that has labels is one. */
function labelledFolders(folder: string): BenchOptions['rigFolders'] {
  const path = resolve(folder);
  if (!existsSync(path)) throw new Error(`--rigs ${folder}: no such folder`);
  const source = path.split('/').at(-1) ?? path;
  if (existsSync(join(path, 'labels.jsonl'))) return [{ source, rig: source, folder: path }];
  const names = readdirSync(path).filter((name) => existsSync(join(path, name, 'labels.jsonl')));
  if (names.length === 0) throw new Error(`--rigs ${folder}: no labels.jsonl in it or in its folders`);
  return names.sort().map((rig) => ({ source, rig, folder: join(path, rig) }));
}

/** Rigs of one name in two folders get that of the folder too, so that their pictures do not mix. */
function distinctlyNamed(rigFolders: BenchOptions['rigFolders']): BenchOptions['rigFolders'] {
  return rigFolders.map((each) => {
    const isShared = rigFolders.some((other) => other !== each && other.rig === each.rig);
    return isShared ? { ...each, rig: `${each.source}-${each.rig}` } : each;
  });
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`${name} ${text}: a whole number from ${min} to ${max}`);
  return value;
}
