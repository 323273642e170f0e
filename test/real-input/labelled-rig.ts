import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** One row of a `labels.jsonl`, as far as judging a table needs it. */
const labelRow = z.object({
  file: z.string(),
  /** `empty_ref` and `calib` are for fitting, `test` for judging. */
  kind: z.enum(['empty_ref', 'calib', 'test']),
  class: z.string(),
  /** True for a throw that may be declared, with exactly `values`. */
  valid: z.boolean(),
  values: z.array(z.number().int().min(1).max(6).nullable()),
  glare_on_pip: z.boolean().default(false),
  glare_fake_pattern: z.boolean().default(false),
});

/** A throw that is played on the table, with what is known of it. */
export interface LabelledThrow {
  readonly file: string;
  readonly className: string;
  readonly isValid: boolean;
  /** Lowest first, comma between; only of a valid throw. */
  readonly values: string | null;
  /** Glare hides a pip or imitates one: such a throw may be refused. */
  readonly hasGlare: boolean;
}

/** A folder of labelled pictures of one table. All paths start at the present folder. */
export interface LabelledRig {
  readonly name: string;
  readonly folder: string;
  readonly throws: readonly LabelledThrow[];
  /** Two different pictures whose alternation stands for tumbling dice. */
  readonly tumblePictures: readonly [string, string];
  /** Three dice at rest, shown between the rounds. */
  readonly restPicture: string;
}

/** Reads a folder that is one rig, or has one rig in each sub-folder. @param name only this rig.
 *  @throws Error when no rig is there, ZodError when a row is not in the format. */
export function labelledRigs(folder: string, name?: string): LabelledRig[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const folders = entries.some((entry) => entry.name === 'labels.jsonl')
    ? [folder]
    : entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  const rigs = folders
    .filter((path) => name === undefined || basename(path) === name)
    .sort()
    .map(labelledRig);
  if (rigs.length === 0) throw new Error(`${folder} holds no labelled rig${name === undefined ? '' : ` named ${name}`}`);
  return rigs;
}

function labelledRig(folder: string): LabelledRig {
  const rows = readFileSync(join(folder, 'labels.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => labelRow.parse(JSON.parse(line)));
  const tests = rows.filter((row) => row.kind === 'test');
  const flat = rows.filter((row) => row.kind === 'calib' && row.values.length === 3);
  // A rig without pictures of moving dice: any two throws that differ will do, since only the change counts.
  const [first, second] = [...tests.filter((row) => row.class === 'motion'), ...flat.slice(1), ...tests];
  const rest = flat[0] ?? tests.find((row) => row.valid);
  if (first === undefined || second === undefined || rest === undefined)
    throw new Error(`${folder} has too few pictures of dice`);
  return {
    name: basename(folder),
    folder,
    throws: tests.map((row) => ({
      file: join(folder, row.file),
      className: row.class,
      isValid: row.valid,
      values: row.valid ? [...row.values].sort().join(',') : null,
      hasGlare: row.glare_on_pip || row.glare_fake_pattern,
    })),
    tumblePictures: [join(folder, first.file), join(folder, second.file)],
    restPicture: join(folder, rest.file),
  };
}
