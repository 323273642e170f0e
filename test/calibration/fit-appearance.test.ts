import { describe, expect, it } from 'vitest';
import { fitAppearance } from '../../calibration/fit-appearance.ts';
import type { LabelledFace } from '../../calibration/fit-faces.ts';
import { type SeededRandom, seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { Face } from '../../src/core/rules/dice.ts';
import { readByAppearance } from '../../src/vision/appearance-reader.ts';
import { type FacePatch, patchPx, patchSidePx } from '../../src/vision/face-patch.ts';
import { pipLayouts, pipPlace } from '../../src/vision/pip-layouts.ts';

const offset = 0.27;
const radius = 0.09;

/** A red face with black pips under a sheen of 0 to 90 grey levels, and a bright line along one to three sides of its rounded rim. */
function paintedFace(layoutIndex: number, random: SeededRandom): FacePatch {
  const layout = pipLayouts[layoutIndex];
  if (layout === undefined) throw new Error(`no layout ${layoutIndex}`);
  const places = layout.cells.map((cell) => pipPlace(layout, cell, [offset, offset]));
  const sheen = random.between(0, 90);
  const litSides = [0, 1, 2, 3].filter(() => random.next() < 0.5);
  const data = new Uint8Array(3 * patchSidePx * patchSidePx);
  for (let y = 0; y < patchSidePx; y += 1) {
    for (let x = 0; x < patchSidePx; x += 1) {
      const [u, v] = [(x - patchPx(0)) / 64, (y - patchPx(0)) / 64];
      const isPip = places.some(([pu, pv]) => Math.hypot(u - pu, v - pv) < radius);
      const along = [u, v, -u, -v];
      const isLine = litSides.some((side) => Math.abs((along[side] ?? 0) - 0.41) < 0.012);
      const isFlat = Math.max(Math.abs(u), Math.abs(v)) < 0.42;
      const body = isLine ? [190, 190, 220] : isFlat ? [30 + sheen, 26 + sheen, 146 + 0.4 * sheen] : [30, 26, 140];
      const colour = isPip ? [22 + 0.3 * sheen, 20 + 0.3 * sheen, 20 + 0.3 * sheen] : body;
      for (let c = 0; c < 3; c += 1) data[3 * (y * patchSidePx + x) + c] = Math.round((colour[c] ?? 0) + random.between(-4, 4));
    }
  }
  const picture = { width: patchSidePx, height: patchSidePx, data };
  const pose = { x: 0, y: 0, angle: 0, edgePx: 64 };
  return { pose, picture, reference: picture, hidden: new Uint8Array(patchSidePx ** 2), body: [30, 26, 146] };
}

function labelled(layoutIndex: number, random: SeededRandom): LabelledFace {
  const patch = paintedFace(layoutIndex, random);
  // Of a found face the fit takes the patch and the way in which the geometric reader saw it lie.
  return { value: pipLayouts[layoutIndex]?.value as Face, face: { patch, reading: { layoutIndex } } as LabelledFace['face'] };
}

describe('the learned look of faces', () => {
  const random = seededRandom(11);
  const samples = Array.from({ length: 27 }, (_, k) => labelled(k % 9, random));
  const model = fitAppearance(samples);

  it('leaves out the rounded rim, whose lights would drown the pips', () => {
    const rim = [...model.cellWeights.slice(0, 20), ...model.cellWeights.slice(380)];

    expect(Math.max(...rim)).toBe(0);
    expect(model.cellWeights[5 * 20 + 5]).toBeGreaterThan(0.5);
  });

  it('tells every value under every sheen with lights on any side of the rim', () => {
    const wrong = Array.from({ length: 90 }, (_, k) => k % 9).flatMap((layoutIndex) => {
      const reading = readByAppearance(paintedFace(layoutIndex, random), model);
      return reading.value === pipLayouts[layoutIndex]?.value ? [] : [{ layoutIndex, reading }];
    });

    expect(wrong).toEqual([]);
  });

  it('counts the centre, where a single pip is seen in strong contrast, like any other place', () => {
    const [centre, corner] = [model.cellWeights[9 * 20 + 9] ?? 0, model.cellWeights[4 * 20 + 4] ?? 0];

    expect(centre / corner).toBeGreaterThan(0.5);
    expect(centre / corner).toBeLessThan(2);
  });
});
