import { describe, expect, it } from 'vitest';
import { type FaceView, patchPx, patchSidePx } from '../../src/vision/face-patch.ts';
import { matchPips, type PipGeometry, readMatch } from '../../src/vision/geometric-reader.ts';
import { pipLayouts } from '../../src/vision/pip-layouts.ts';
import { discMean, pipCentre, pipMapByColour, pipSharpness } from '../../src/vision/pip-map.ts';

const offset = 0.26;
const radius = 0.1;
const spread = [offset, offset] as const;
const geometry: PipGeometry = {
  pipOffset: offset,
  pipSpread: { 1: spread, 2: spread, 3: spread, 4: spread, 5: spread, 6: spread },
  pipRadius: { 1: radius, 2: radius, 3: radius, 4: radius, 5: radius, 6: radius },
};
const fivePips = [
  [-1, -1],
  [1, -1],
  [0, 0],
  [-1, 1],
  [1, 1],
] as const;
const fourPips = fivePips.filter(([i, j]) => i !== 0 || j !== 0);
const everyLayout = pipLayouts.map((_, index) => index);

/** A white face with black pips, upright, and a disc of glare over it; lengths in edges. */
function faceWith(
  pips: readonly (readonly [number, number])[],
  glare: { readonly at: readonly [number, number]; readonly radius: number } | null,
): FaceView {
  const data = new Uint8Array(3 * patchSidePx * patchSidePx).fill(200);
  const hidden = new Uint8Array(patchSidePx * patchSidePx);
  for (let y = 0; y < patchSidePx; y += 1) {
    for (let x = 0; x < patchSidePx; x += 1) {
      const isWithin = (u: number, v: number, r: number): boolean =>
        Math.hypot(x - patchPx(u), y - patchPx(v)) <= r * (patchPx(1) - patchPx(0));
      const index = y * patchSidePx + x;
      if (pips.some(([i, j]) => isWithin(i * offset, j * offset, radius))) data.fill(30, 3 * index, 3 * index + 3);
      if (glare === null || !isWithin(...glare.at, glare.radius)) continue;
      data.fill(255, 3 * index, 3 * index + 3);
      hidden[index] = 1;
    }
  }
  const pose = { x: 100, y: 100, angle: 0, edgePx: 64 };
  return { pose, picture: { width: patchSidePx, height: patchSidePx, data }, hidden, body: [200, 200, 200] };
}

function read(view: FaceView, hasSquare = true) {
  const map = pipMapByColour(view, [[30, 30, 30]]);
  return readMatch(view, map, geometry, matchPips(view, map, geometry, everyLayout), hasSquare);
}

describe('a face partly under glare', () => {
  it('is a 5 when a third of its centre pip looks out from under the glare', () => {
    expect(read(faceWith(fivePips, { at: [0.09, 0.03], radius: 0.1 }))).toMatchObject({ value: 5, reason: null });
  });

  it('is a 4 when a third of its empty centre looks out from under the glare', () => {
    expect(read(faceWith(fourPips, { at: [0.09, 0.03], radius: 0.1 }))).toMatchObject({ value: 4, reason: null });
  });

  it('is neither 4 nor 5 when glare hides the centre', () => {
    for (const pips of [fourPips, fivePips])
      expect(read(faceWith(pips, { at: [0, 0], radius: 0.12 }))).toMatchObject({ value: null, reason: 'glare' });
  });

  it('keeps the place of a pip that is covered by a third', () => {
    const view = faceWith(fivePips, { at: [-offset - 0.1, -offset], radius: 0.09 });
    const map = pipMapByColour(view, [[30, 30, 30]]);
    const { visibleShare } = discMean(map, view.hidden, -offset, -offset, radius);
    const at = pipCentre(map, view.hidden, -offset + 0.03, -offset - 0.02, radius);

    expect(visibleShare).toBeLessThan(0.75);
    expect(at?.[0]).toBeCloseTo(-offset, 2);
    expect(at?.[1]).toBeCloseTo(-offset, 2);
  });

  it('is no 2 by a single pip in view, unless its square is seen', () => {
    const view = faceWith(
      [
        [-1, -1],
        [1, 1],
      ],
      { at: [offset, offset], radius: 0.14 },
    );

    expect(read(view, false)).toMatchObject({ value: null, reason: 'glare' });
    expect(read(view, true)).toMatchObject({ value: 2, reason: null });
  });
});

describe('the sharpness of pips', () => {
  /** The face drawn as it looks while it turns by an angle around its centre, or moves by a distance, during the exposure. */
  const blurred = (turnDeg: number, shift: number) => {
    const map = new Float32Array(patchSidePx * patchSidePx);
    const steps = 15;
    for (let step = 0; step < steps; step += 1) {
      const part = step / (steps - 1) - 0.5;
      const angle = (turnDeg * part * Math.PI) / 180;
      const turned = fivePips.map(([i, j]): [number, number] => [
        i * Math.cos(angle) - j * Math.sin(angle) + (shift * part) / offset,
        i * Math.sin(angle) + j * Math.cos(angle),
      ]);
      pipMapByColour(faceWith(turned, null), [[30, 30, 30]]).forEach((value, k) => {
        map[k] = (map[k] ?? 0) + value / steps;
      });
    }
    const centres = fivePips.map(([i, j]) => [i * offset, j * offset] as const);
    return pipSharpness(map, new Uint8Array(patchSidePx * patchSidePx), centres, radius);
  };

  it('falls when the die moves or turns in place while the picture is taken', () => {
    const still = blurred(0, 0)?.softest ?? 0;

    expect((blurred(0, 0.1)?.softest ?? 0) / still).toBeLessThan(0.72);
    expect((blurred(13, 0)?.softest ?? 0) / still).toBeLessThan(0.72);
  });

  it('is uneven when a die turns by as little as 8 degrees', () => {
    expect(blurred(0, 0)?.evenness).toBeGreaterThan(0.9);
    expect(blurred(8, 0)?.evenness).toBeLessThan(0.8);
  });
});
