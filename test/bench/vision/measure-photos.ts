import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { drawUncalibrated } from '../../../src/vision/uncalibrated/draw-uncalibrated.ts';
import { readUncalibrated } from '../../../src/vision/uncalibrated/read-uncalibrated.ts';
import type { Outcome } from './picture-outcome.ts';

/** A photograph as `labels.jsonl` of a folder of them tells it. */
const photoRow = z.object({
  file: z.string().min(1),
  source: z.string(),
  dice: z.array(z.object({ value: z.number() })),
  tags: z.array(z.string()).default([]),
});

/** What was read of one photograph. Without exactly three dice it must be refused. */
export interface PhotoOutcome {
  readonly source: string;
  readonly file: string;
  readonly diceCount: number;
  /** Exactly three dice from above on a plain surface. */
  readonly isClose: boolean;
  readonly labelled: readonly number[];
  readonly values: readonly number[] | null;
  readonly cause: string | null;
  readonly outcome: Outcome;
  readonly ms: number;
}

/** Reads all photographs of a folder without calibration, and writes the wrong ones and the refused ones with three dice, drawn into. */
export function measurePhotos(folder: string, outFolder: string): readonly PhotoOutcome[] {
  const lines = readFileSync(join(folder, 'labels.jsonl'), 'utf8').split('\n');
  const rows = lines.filter((line) => line.trim() !== '').map((line) => photoRow.parse(JSON.parse(line)));
  return rows.map(({ file, source, dice, tags }): PhotoOutcome => {
    const jpeg = readFileSync(join(folder, file));
    const startMs = performance.now();
    const reading = readUncalibrated(jpeg);
    const ms = Math.round(performance.now() - startMs);
    const labelled = dice.map(({ value }) => value).sort((a, b) => a - b);
    const values = reading.seenValues;
    const outcome: Outcome = values === null ? 'refused' : values.join() === labelled.join() ? 'right' : 'wrong';
    if (outcome === 'wrong' || (outcome === 'refused' && dice.length === 3)) {
      const drawn = drawUncalibrated(jpeg, reading);
      const verdict =
        outcome === 'wrong' ? `wrong-${values?.join('')}-labelled-${labelled.join('')}` : `refused-${reading.refusedFor}`;
      const into = join(outFolder, source.replaceAll('/', '-'), verdict);
      mkdirSync(into, { recursive: true });
      if (drawn !== null) writeFileSync(join(into, file), drawn);
    }
    const isClose = tags.includes('close3');
    return { source, file, diceCount: dice.length, isClose, labelled, values, cause: reading.refusedFor, outcome, ms };
  });
}
