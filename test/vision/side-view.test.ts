import { describe, expect, it } from 'vitest';
import { type FacePatch, patchSidePx } from '../../src/vision/face-patch.ts';
import { bodyTermCount } from '../../src/vision/side-faces.ts';
import { firstColumn, viewSides } from '../../src/vision/side-view.ts';
import { costOfWidth, widthCosts } from '../../src/vision/side-widths.ts';
import type { TrayGeometry } from '../../src/vision/tray-geometry.ts';

const geometry: TrayGeometry = {
  centrePx: [400, 400],
  radiusPx: 300,
  edgePx: 64,
  edgeSlope: [0, 0],
  nadirPx: [400, 400],
  parallax: 0.04,
  bevelEdges: 0,
};
const pose = { x: 400, y: 400, angle: 0, edgePx: 64 };
/** A model that cannot tell die from floor by colour. */
const blindModel = { weights: new Array<number>(bodyTermCount).fill(0), trust: 0 };

/** Floor with a fixed texture of +-8 grey levels, and a die of the floor's mean colour over the columns up to `dieTo`. */
function patchWithDie(dieTo: number, shade: number): FacePatch {
  const size = 3 * patchSidePx * patchSidePx;
  const reference = new Uint8Array(size);
  const picture = new Uint8Array(size);
  for (let y = 0; y < patchSidePx; y += 1) {
    for (let x = 0; x < patchSidePx; x += 1) {
      const floor = 100 + (((x * 73 + y * 151 + x * y * 7) % 17) - 8);
      const isDie = x < dieTo && x > 19 && y > 19 && y < 84;
      for (let c = 0; c < 3; c += 1) {
        reference[3 * (y * patchSidePx + x) + c] = floor;
        picture[3 * (y * patchSidePx + x) + c] = isDie ? 100 * shade : Math.round(floor * shade);
      }
    }
  }
  const whole = (data: Uint8Array) => ({ width: patchSidePx, height: patchSidePx, data });
  return {
    pose,
    picture: whole(picture),
    reference: whole(reference),
    hidden: new Uint8Array(patchSidePx ** 2),
    body: [100, 100, 100],
  };
}

function bestWidth(costs: Float32Array): number {
  const widths = Array.from({ length: 43 }, (_, k) => firstColumn / 64 + k * 0.01);
  return widths.reduce((best, width) => (costOfWidth(costs, width) < costOfWidth(costs, best) ? width : best), 0);
}

describe('the surroundings of a top face', () => {
  it.each([
    [84, 0],
    [93, 0.14],
    [97, 0.2],
  ])("end where the floor's texture of the empty picture begins, although colours are the same (column %i)", (dieTo, width) => {
    for (const shade of [1, 0.6]) {
      const [right] = viewSides(patchWithDie(dieTo, shade), geometry, blindModel, [], [1, 1, 1], 3);

      expect(right?.isSeen).toBe(true);
      expect(bestWidth(widthCosts(right as NonNullable<typeof right>, null))).toBeGreaterThan(width - 0.035);
      expect(bestWidth(widthCosts(right as NonNullable<typeof right>, null))).toBeLessThan(width + 0.035);
    }
  });

  it('are not seen through a neighbour or beyond the wall', () => {
    const neighbour = { ...pose, x: 470 };
    const [right] = viewSides(patchWithDie(84, 1), geometry, blindModel, [neighbour], [1, 1, 1], 3);
    const [atWall] = viewSides(patchWithDie(84, 1), { ...geometry, radiusPx: 36 }, blindModel, [], [1, 1, 1], 3);

    expect(right?.nearestDie).toBeLessThan(0.1);
    expect(right?.room).toBeLessThan(0.1);
    expect(atWall?.nearestWall).toBeLessThan(0.1);
    expect(right?.evidence.at(-1)).toBe(0);
  });

  it('belong to a die where they are brighter than the floor can be', () => {
    const model = { weights: blindModel.weights.map((_, k) => (k === 0 ? -3 : 0)), trust: 0 };
    const patch = patchWithDie(93, 1);
    for (let i = 0; i < patch.picture.data.length; i += 1)
      patch.picture.data[i] = Math.min(255, (patch.picture.data[i] ?? 0) + 60);
    const [right] = viewSides(patch, geometry, model, [], [1, 1, 1], 3);

    expect(right?.evidence[2]).toBeGreaterThan(0);
  });
});
