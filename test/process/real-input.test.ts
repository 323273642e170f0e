import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productRoot } from '../../src/product-root.ts';
import { labelledRigs } from '../real-input/labelled-rig.ts';
import { type JudgedThrow, playRig } from '../real-input/play-rig.ts';

const fixtures = join(productRoot, 'test/fixtures/vision');
const folder = mkdtempSync(join(tmpdir(), 'real-input-'));
let judged: readonly JudgedThrow[] = [];

beforeAll(async () => {
  const [rig] = labelledRigs(fixtures);
  if (rig === undefined) throw new Error(`no rig in ${fixtures}`);
  const valid = rig.throws.filter((one) => one.isValid && !one.hasGlare).slice(0, 3);
  const invalid = rig.throws.filter((one) => !one.isValid).slice(0, 2);
  judged = await playRig({ ...rig, throws: [...valid, ...invalid] }, { folder });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a real table with a camera, a shaker and labelled throws', () => {
  it('declares what the dice show', () => {
    const valid = judged.filter(({ isValid }) => isValid);

    expect(valid).toHaveLength(3);
    expect(valid.map(({ declared }) => declared)).toEqual(valid.map(({ values }) => values));
    expect(valid.map(({ end }) => end)).toEqual(['settled', 'settled', 'settled']);
  });

  it('shakes again and then holds, or holds at once, where no result may be taken', () => {
    const invalid = judged.filter(({ isValid }) => !isValid);

    expect(invalid).toHaveLength(2);
    expect(invalid.map(({ declared }) => declared)).toEqual([null, null]);
    for (const { end, shakeCount } of invalid) {
      expect([1, 2]).toContain(shakeCount);
      expect(['held: shakes-exhausted', 'held: foreign-object']).toContain(end);
    }
  });
});
