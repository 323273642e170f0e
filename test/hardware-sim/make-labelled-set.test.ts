import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeLabelledSet } from '../../hardware-sim/make-labelled-set.ts';
import type { SceneLabel } from '../../hardware-sim/picture-label.ts';
import { randomRig } from '../../hardware-sim/rig.ts';

type Row = SceneLabel & { readonly file: string; readonly kind: string; readonly resolution: readonly [number, number] };

let folder = '';
let rows: readonly Row[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'labelled-'));
  await makeLabelledSet({ rig: randomRig(2, [640, 480]), folder, throwCount: 12, seed: 3 });
  const text = await readFile(join(folder, 'labels.jsonl'), 'utf8');
  rows = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
});
afterAll(() => rm(folder, { recursive: true }));

it('writes an empty tray, every face alone at least twice, three dice together, and the throws', () => {
  const alone = rows.filter((row) => row.kind === 'calib' && row.dice.length === 1).map((row) => row.values[0]);

  expect(rows.filter((row) => row.kind === 'empty_ref')).toHaveLength(1);
  for (const face of [1, 2, 3, 4, 5, 6]) expect(alone.filter((value) => value === face)).toHaveLength(2);
  expect(rows.filter((row) => row.kind === 'calib' && row.dice.length === 3 && row.valid)).toHaveLength(6);
  expect(rows.filter((row) => row.kind === 'test')).toHaveLength(12);
});

it('writes pictures of the size that the labels name', async () => {
  for (const row of rows) {
    const { width, height, format } = await sharp(join(folder, row.file)).metadata();
    expect({ width, height, format }).toEqual({ width: 640, height: 480, format: 'jpeg' });
    expect(row.resolution).toEqual([640, 480]);
  }
});

it('gives each readable die its value, as many pips, and a top face of the size of its edge', () => {
  for (const die of rows.flatMap((row) => row.dice)) {
    expect(die.pip_px).toHaveLength(die.value_up);
    expect(die.top_quad_px).toHaveLength(4);
    if (die.tilt_deg < 1)
      for (const [x, y] of die.top_quad_px)
        expect(Math.hypot(x - die.centre_px[0], y - die.centre_px[1]) / die.size_px).toBeCloseTo(Math.SQRT1_2, 1);
  }
});

it('marks as valid only throws of three dice that lie flat', () => {
  for (const row of rows.filter((candidate) => candidate.kind === 'test' && candidate.valid)) {
    expect(row.dice).toHaveLength(3);
    expect(Math.max(...row.dice.map((die) => die.tilt_deg))).toBeLessThanOrEqual(8);
    expect(['flat', 'touching']).toContain(row.class);
  }
  expect(new Set(rows.filter((row) => row.kind === 'test').map((row) => row.class)).size).toBeGreaterThanOrEqual(3);
});
