import { describe, expect, it } from 'vitest';
import { estimateLean } from '../../src/vision/lean-evidence.ts';
import { firstColumn, type SideView, sideReach } from '../../src/vision/side-view.ts';

const rimEdges = 0.03;
const flatWidths = [0.05, 0, -0.08, 0] as const;

/** A side of which the die is seen up to a width, edges, and floor beyond. */
function sideOf(width: number, near: Partial<SideView> = {}): SideView {
  const evidence = Float32Array.from({ length: 28 }, (_, k) => ((k + firstColumn + 0.5) / 64 < width ? 4 : -4));
  return {
    evidence,
    colours: evidence,
    residual: new Float32Array(28),
    steps: new Float32Array(28).fill(-1),
    room: sideReach,
    nearestDie: sideReach,
    nearestWall: sideReach,
    isSeen: true,
    ...near,
  };
}

describe('the lean of a die', () => {
  it('is small when all sides show what a flat die shows', () => {
    const lean = estimateLean([sideOf(0.08), sideOf(0.03), sideOf(0.03), sideOf(0.03)], flatWidths, rimEdges, 1, null);

    expect(lean.leanDeg).toBeLessThan(4);
    expect(lean.anywhere).toBeGreaterThan(10);
    expect(lean.supported).toBeNull();
  });

  it('is found when a side shows more than a flat die can', () => {
    // 12 degrees raise the side by 0.21 of an edge.
    const lean = estimateLean([sideOf(0.03), sideOf(0.03), sideOf(0.15), sideOf(0.03)], flatWidths, rimEdges, 1, null);

    expect(lean.leanDeg).toBeGreaterThan(8);
    expect(lean.anywhere).toBeLessThan(-20);
  });

  it('counts as supported when the opposite side touches the wall', () => {
    const touching = sideOf(0.03, { nearestWall: 0.02 });
    const lean = estimateLean([touching, sideOf(0.03), sideOf(0.15), sideOf(0.03)], flatWidths, rimEdges, 1, null);

    expect(lean.supported).toBeLessThan(-20);
  });

  it('counts as supported when the raised side reaches another die', () => {
    const reaching = sideOf(0.15, { nearestDie: 0.17, room: 0.17 });
    const lean = estimateLean([sideOf(0.03), sideOf(0.03), reaching, sideOf(0.03)], flatWidths, rimEdges, 1, null);

    expect(lean.supported).toBeLessThan(-10);
  });

  it('cannot be told from sides that glare hides', () => {
    const hidden = sideOf(0, { isSeen: false });

    expect(estimateLean([hidden, hidden, hidden, hidden], flatWidths, rimEdges, 1, null).anywhere).toBe(0);
  });

  it('is not excluded by the dark gap before a neighbour', () => {
    // The gap looks like the wide side of a flat die; the far side shows a lean.
    const gap = sideOf(0.08, { nearestDie: 0.05 });
    const lean = estimateLean([gap, sideOf(0.03), sideOf(0.11), sideOf(0.03)], flatWidths, rimEdges, 1, null);

    expect(lean.supported).toBeLessThan(0);
  });

  it('is impossible into a neighbour, whatever the dark gap before it looks like', () => {
    // The gap of a twentieth is as dark as the die's own side; a lean of 8 degrees would need 0.17 of an edge there.
    const gap = sideOf(0.3, { nearestDie: 0.05 });
    const lean = estimateLean([sideOf(0.08), gap, sideOf(0.03), sideOf(0.03)], flatWidths, rimEdges, 1, null);

    expect(lean.leanDeg).toBeLessThan(4);
    expect(lean.anywhere).toBeGreaterThan(10);
  });
});
