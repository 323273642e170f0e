import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Face, isFace } from '../src/core/rules/dice.ts';
import { InputError } from '../src/errors.ts';

/** The fields of a label row that a fit may use; everything else in a row is not looked at. */
const sampleRow = z.object({
  file: z.string().min(1),
  kind: z.string(),
  values: z.array(z.unknown()),
  die_edge_mm: z.number().min(8).max(40),
  resolution: z.tuple([z.number().int(), z.number().int()]),
});

/** One picture of the sample folder. */
export interface Sample {
  readonly file: string;
  readonly jpeg: Buffer;
  readonly sha256: string;
  readonly values: readonly Face[];
}

/** The samples of one rig. */
export interface SampleSet {
  readonly empty: Sample;
  /** Pictures with known dice, at least four. */
  readonly dice: readonly Sample[];
  readonly dieEdgeMm: number;
  readonly resolution: readonly [number, number];
}

/** Fewest pictures with dice; below it neither scale nor colours are certain. */
const dicePictureCountMin = 4;

/** Reads a labelled folder for a fit: `labels.jsonl` with one row a picture, of which only `empty_ref` and `calib` rows are taken, and of
 *  those only `file`, `kind`, `values`, `die_edge_mm` and `resolution`.
 *  @throws InputError `calibration.samples` with every problem found. */
export function readSamples(folder: string): SampleSet {
  const problems: string[] = [];
  const rows = readRows(folder, problems);
  const used = rows.filter((row) => row.kind === 'empty_ref' || row.kind === 'calib');
  const sizes = new Set(used.map((row) => row.resolution.join(' x ')));
  const edges = new Set(used.map((row) => row.die_edge_mm));
  if (sizes.size > 1) problems.push(`the samples have several picture sizes: ${[...sizes].join(', ')}`);
  if (edges.size > 1) problems.push(`the samples have several die sizes: ${[...edges].join(', ')} mm`);
  const samples = used.map((row) => ({ kind: row.kind, sample: readSample(folder, row, problems) }));
  const empty = samples.find(({ kind }) => kind === 'empty_ref')?.sample;
  const dice = samples.filter(({ kind }) => kind === 'calib').map(({ sample }) => sample);
  if (empty === undefined) problems.push('no row with kind empty_ref: a picture of the empty tray is needed');
  if (dice.length < dicePictureCountMin)
    problems.push(`${dice.length} rows with kind calib, at least ${dicePictureCountMin} are needed`);
  const seen = new Set(dice.flatMap((sample) => sample.values));
  for (const value of [1, 2, 3, 4, 5, 6] as const)
    if (!seen.has(value)) problems.push(`no calib row shows a ${value}: every face must be seen at least once`);
  if (problems.length > 0 || empty === undefined) {
    throw new InputError(
      'calibration.samples',
      `the samples in ${folder} cannot be used: ${problems.length} problem(s)`,
      problems,
    );
  }
  const [width = 0, height = 0] = used[0]?.resolution ?? [];
  return { empty, dice, dieEdgeMm: used[0]?.die_edge_mm ?? 0, resolution: [width, height] };
}

function readRows(folder: string, problems: string[]): z.infer<typeof sampleRow>[] {
  const path = join(folder, 'labels.jsonl');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputError('calibration.samples', `${path} cannot be read`, [error instanceof Error ? error.message : 'unknown'], {
      cause: error,
    });
  }
  const rows: z.infer<typeof sampleRow>[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    try {
      rows.push(sampleRow.parse(JSON.parse(line)));
    } catch (error) {
      const detail =
        error instanceof z.ZodError
          ? error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
          : 'no JSON';
      problems.push(`labels.jsonl line ${index + 1}: ${detail}`);
    }
  });
  return rows;
}

function readSample(folder: string, row: z.infer<typeof sampleRow>, problems: string[]): Sample {
  let jpeg = Buffer.alloc(0);
  try {
    jpeg = readFileSync(join(folder, row.file));
  } catch {
    problems.push(`${row.file} cannot be read`);
  }
  const values = row.values.filter(isFace);
  if (row.kind === 'calib' && (values.length !== row.values.length || values.length < 1 || values.length > 3)) {
    problems.push(`${row.file}: values ${JSON.stringify(row.values)} are not one to three faces`);
  }
  return { file: row.file, jpeg, sha256: createHash('sha256').update(jpeg).digest('hex'), values };
}
