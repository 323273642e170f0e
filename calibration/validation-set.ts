import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Face, isFace } from '../src/core/rules/dice.ts';
import { InputError } from '../src/errors.ts';
import type { CameraPicture } from './camera-check.ts';

/** The fields of a row that a validation looks at. */
const row = z.object({
  file: z.string().min(1),
  kind: z.string(),
  values: z.array(z.unknown()).default([]),
  /** False for what must not be taken as a result, although three values may be seen. */
  valid: z.boolean().optional(),
  class: z.string().optional(),
  captured_ms: z.number().optional(),
});

/** One throw whose faces a person knows. */
export interface LabelledThrow {
  readonly file: string;
  readonly jpeg: Buffer;
  readonly sha256: string;
  /** Lowest first; null for what must not be taken as a result. */
  readonly truth: readonly [Face, Face, Face] | null;
  /** What it shows in the words of who labelled it; "throw" when they gave none. */
  readonly className: string;
}

/** Pictures for a validation. */
export interface ValidationSet {
  readonly throws: readonly LabelledThrow[];
  /** Pictures of the empty tray in a row (`camera` rows), else the one `empty_ref` picture. */
  readonly emptyPictures: readonly CameraPicture[];
}

/** Reads the throws of a labelled folder that are not for a fit: rows of kind `test` with `file` and `values`, and what the camera check needs.
 *  @throws InputError `calibration.samples` with every problem found. */
export function readValidationSet(folder: string): ValidationSet {
  const problems: string[] = [];
  const rows = rowsOf(folder, problems);
  const throws = rows.filter(({ kind }) => kind === 'test').flatMap((each) => throwOf(folder, each, problems));
  const camera = rows.filter(({ kind }) => kind === 'camera');
  const empty = camera.length > 0 ? camera : rows.filter(({ kind }) => kind === 'empty_ref').slice(0, 1);
  const emptyPictures = empty.flatMap(({ file, captured_ms: capturedMs = null }) => {
    const jpeg = pictureOf(folder, file, problems);
    return jpeg === null ? [] : [{ jpeg, capturedMs }];
  });
  if (throws.length === 0) problems.push('no row with kind test: throws with known faces that the fit did not see are needed');
  if (emptyPictures.length === 0) problems.push('no row with kind camera or empty_ref: a picture of the empty tray is needed');
  if (problems.length > 0)
    throw new InputError(
      'calibration.samples',
      `the throws in ${folder} cannot be used: ${problems.length} problem(s)`,
      problems,
    );
  return { throws, emptyPictures };
}

function rowsOf(folder: string, problems: string[]): z.infer<typeof row>[] {
  const path = join(folder, 'labels.jsonl');
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new InputError('calibration.samples', `${path} cannot be read`, [error instanceof Error ? error.message : 'unknown'], {
      cause: error,
    });
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    try {
      return [row.parse(JSON.parse(line))];
    } catch (error) {
      problems.push(`labels.jsonl line ${index + 1}: ${error instanceof z.ZodError ? z.prettifyError(error) : 'no JSON'}`);
      return [];
    }
  });
}

function throwOf(
  folder: string,
  { file, values, valid, class: className }: z.infer<typeof row>,
  problems: string[],
): LabelledThrow[] {
  const jpeg = pictureOf(folder, file, problems);
  if (jpeg === null) return [];
  const faces = values.filter(isFace).sort((a, b) => a - b);
  const [a, b, c] = faces;
  const hasThree = values.length === 3 && a !== undefined && b !== undefined && c !== undefined;
  if (valid === true && !hasThree) problems.push(`${file}: values ${JSON.stringify(values)} are not three faces`);
  const truth = hasThree && valid !== false ? ([a, b, c] as const) : null;
  const sha256 = createHash('sha256').update(jpeg).digest('hex');
  return [{ file, jpeg, sha256, truth, className: className ?? 'throw' }];
}

function pictureOf(folder: string, file: string, problems: string[]): Buffer | null {
  try {
    return readFileSync(join(folder, file));
  } catch {
    problems.push(`${file} cannot be read`);
    return null;
  }
}
