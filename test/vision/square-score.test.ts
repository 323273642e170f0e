import { describe, expect, it } from 'vitest';
import type { SearchMaps } from '../../src/vision/coarse-search.ts';
import { latticeCells, pipLayouts } from '../../src/vision/pip-layouts.ts';
import { probedLayouts, probeOffsets, type Score, scoreAt } from '../../src/vision/square-score.ts';

const size = 60;
const centre = 30 * size + 30;
const edgePx = 28;
const fullStep = 20;
const layouts = probedLayouts(pipLayouts.map((_, index) => index));
const offsets = probeOffsets(0, size, edgePx, 0.27);

/** Maps with a square around the centre whose sides are steps of 20 grey levels per px, and the pips of one layout on it. */
function square(layoutIndex: number, hiddenCells: readonly number[] = []): SearchMaps {
  const steps = new Int16Array(6 * size * size);
  const strengths = new Float32Array(size * size);
  const pips = new Float32Array(size * size);
  const glare = new Uint8Array(size * size);
  for (let t = -14; t <= 14; t += 1) {
    for (const [x, y, axis, sign] of [
      [44, 30 + t, 0, 1],
      [16, 30 + t, 0, -1],
      [30 + t, 44, 1, 1],
      [30 + t, 16, 1, -1],
    ] as const) {
      for (const channel of [0, 1, 2])
        steps[6 * (y * size + x) + 2 * channel + axis] = sign * Math.round((8 * 20) / Math.sqrt(3));
      strengths[y * size + x] = 20.1;
    }
  }
  latticeCells.forEach(([i, j], cell) => {
    const at = (30 + Math.round(0.27 * edgePx * j)) * size + 30 + Math.round(0.27 * edgePx * i);
    if (pipLayouts[layoutIndex]?.cells.includes(cell)) pips[at] = 0.9;
    if (hiddenCells.includes(cell)) {
      pips[at] = -1;
      glare[at] = 1;
    }
  });
  return { width: size, height: size, steps, strengths, changed: new Uint8Array(size * size), pips, glare, places: [] };
}

function scoreOf(maps: SearchMaps, least: number): Score | null {
  const score: Score = { edgeScore: 0, edgeStep: 0, layoutScore: 0, layoutIndex: 0, score: 0 };
  return scoreAt(maps, layouts, fullStep, centre, offsets, least, score) ? score : null;
}

describe('a square that may be a top face', () => {
  it('names each of the nine arrangements of pips that lies in it', () => {
    expect(pipLayouts.map((_, index) => scoreOf(square(index), 0.25)?.layoutIndex)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    for (const index of [0, 4, 8]) expect(scoreOf(square(index), 0.25)?.layoutScore).toBeCloseTo(0.9, 6);
  });

  it('leaves places under glare out: a five with a hidden corner stays a five', () => {
    const score = scoreOf(square(6, [0]), 0.25);

    expect(score?.layoutIndex).toBe(6);
    expect(score?.layoutScore).toBeCloseTo(0.9, 6);
  });

  it('scores whole sides with pips near 1, and not at all below what was found already', () => {
    expect(scoreOf(square(5), 0.25)?.score).toBeCloseTo(0.95, 2);
    expect(scoreOf(square(5), 0.94)).not.toBeNull();
    expect(scoreOf(square(5), 0.96)).toBeNull();
  });

  it('gives the same whether or not the strength of the steps is known in advance', () => {
    const known = square(3);
    const unknown = { ...known, strengths: known.strengths.map(() => Number.POSITIVE_INFINITY) };

    expect(scoreOf(known, 0.25)).toEqual(scoreOf(unknown, 0.25));
  });
});
