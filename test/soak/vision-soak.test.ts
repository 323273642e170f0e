import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import { productRoot } from '../../src/product-root.ts';
import { Findings } from './findings.ts';
import { hostilePictures } from './hostile-pictures.ts';
import { MemorySeries } from './memory-series.ts';
import { runVisionSoak } from './vision-soak.ts';

it('goes on after damaged and nonsensical pictures and after a kill, a crash and a hang in mid-picture, each at the cost of one reading (CAM-09)', async () => {
  const findings = new Findings();

  const memory = await runVisionSoak({ frames: 100, readEvery: 4, kills: 3, seed: 3, rig: 'rig-d' }, findings, () => {});

  expect(findings.problems).toEqual([]);
  const { counts } = findings;
  expect(counts['restarts without a kill']).toBe(0);
  expect(counts['good pictures read right']).toBeGreaterThan(3);
  expect(Object.entries(counts).filter(([what]) => what.includes('in mid-picture'))).toHaveLength(3);
  expect(memory.peakMb).toBeGreaterThan(50);
}, 120_000);

it('finds growth where memory grows, and none where it only swings', () => {
  const [growing, swinging] = [new MemorySeries(), new MemorySeries()];
  for (let at = 0; at < 10_000; at += 1) {
    growing.add(at, 200 + at * 0.002);
    swinging.add(at, 200 + (at % 10));
  }

  expect(growing.slopeMb(1_000)).toBeCloseTo(2, 3);
  expect(Math.abs(swinging.slopeMb(1_000))).toBeLessThan(0.01);
  expect(swinging.peakMb).toBe(209);
  expect([growing.medianMb(0, 1_000), growing.medianMb(9_000, 9_999)]).toEqual([201, 219]);
});

it('makes twenty kinds of hostile pictures that all differ from the one they were made of', async () => {
  const random = seededRandom(1);
  const jpeg = readFileSync(join(productRoot, 'test/fixtures/vision/rig-d/rig-d_018.jpg'));

  const pictures = await hostilePictures(jpeg, random);

  expect(pictures).toHaveLength(20);
  expect(new Set(pictures.map((picture) => picture.jpeg.toString('latin1'))).add(jpeg.toString('latin1')).size).toBe(21);
});
