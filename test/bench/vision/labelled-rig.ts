import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What the bench looks at in a row of `labels.jsonl`; the fit takes its own, fewer fields. */
const labelRow = z.object({
  file: z.string().min(1),
  kind: z.string(),
  class: z.string(),
  valid: z.boolean(),
  values: z.array(z.number().nullable()),
  resolution: z.tuple([z.number(), z.number()]),
  lighting: z.string().default('base'),
  glare_on_pip: z.boolean().nullish(),
  glare_fake_pattern: z.boolean().nullish(),
  detail: z.string().nullish(),
  dice: z.array(z.object({ tilt_deg: z.number().nullish() })).default([]),
});

/** One test picture with its truth. */
export interface LabelledPicture {
  readonly file: string;
  readonly class: string;
  /** Three dice flat or touching in the tray and nothing else: to be accepted with `values`, or refused. Anything else must be refused. */
  readonly isValid: boolean;
  /** In order of size; empty where a die cannot be read. */
  readonly values: readonly number[];
  readonly hasGlare: boolean;
  readonly lighting: string;
  /** What the foreign object is; null for none. */
  readonly detail: string | null;
  /** Largest lean of its dice, degrees. */
  readonly tiltDegMax: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Rows of a labelled folder. @param kinds `test` alone for judging; `calib` rows with three dice are good for changing pictures.
 *  @throws ZodError or SyntaxError for rows that have not the format. */
export function labelledPictures(folder: string, kinds: readonly string[]): readonly LabelledPicture[] {
  const lines = readFileSync(join(folder, 'labels.jsonl'), 'utf8').split('\n');
  const rows = lines.filter((line) => line.trim() !== '').map((line) => labelRow.parse(JSON.parse(line)));
  return rows
    .filter((row) => kinds.includes(row.kind))
    .map((row) => ({
      file: row.file,
      class: row.class,
      isValid: row.valid,
      values: row.values.filter((value): value is number => value !== null).sort((a, b) => a - b),
      hasGlare: row.glare_on_pip === true || row.glare_fake_pattern === true,
      lighting: row.lighting,
      detail: row.detail ?? null,
      tiltDegMax: Math.max(0, ...row.dice.map((die) => die.tilt_deg ?? 0)),
      widthPx: row.resolution[0],
      heightPx: row.resolution[1],
    }));
}
