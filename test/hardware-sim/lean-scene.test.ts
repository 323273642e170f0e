import { describe, expect, it } from 'vitest';
import type { TraySettings } from '../../hardware-sim/dice-physics.ts';
import { cubeCorners } from '../../hardware-sim/die-body.ts';
import { leanScene, leanSupports } from '../../hardware-sim/lean-scene.ts';
import { gapMm, sceneTruth } from '../../hardware-sim/scene-truth.ts';

const tray: TraySettings = {
  edgeMm: 16,
  cornerRadiusMm: 1.2,
  trayRadiusMm: 58,
  rim: { widthMm: 7, heightMm: 8 },
  pulseGapMs: 650,
};
const seeds = Array.from({ length: 12 }, (_, seed) => seed);

describe.each(leanSupports)('a die that leans, %s', (support) => {
  it.each([0, 2, 8, 20])('leans by exactly %i degrees and stands on the floor, the others lie flat', (tiltDeg) => {
    for (const seed of seeds) {
      const { dice } = leanScene(tiltDeg, support, seed, tray);
      const truth = sceneTruth({ dice, objects: [], isMoving: false }, 16, 58);
      expect(truth.dice.map((die) => die.tiltDeg)).toEqual([
        expect.closeTo(tiltDeg, 4),
        expect.closeTo(0, 4),
        expect.closeTo(0, 4),
      ]);
      for (const die of dice) expect(Math.min(...cubeCorners(die, 16).map((corner) => corner[2]))).toBeCloseTo(0, 6);
      expect(truth.gapMmMin).toBeGreaterThanOrEqual(0);
    }
  });

  it('lies in the tray and touches what holds it', () => {
    for (const seed of seeds) {
      const [a, b, c] = leanScene(10, support, seed, tray).dice;
      if (a === undefined || b === undefined || c === undefined) throw new RangeError('three dice are staged');
      const outermostMm = Math.max(...cubeCorners(a, 16).map((corner) => Math.hypot(corner[0], corner[1])));
      expect(outermostMm).toBeLessThan(58);
      if (support.endsWith('die')) expect(gapMm(a, b, 16)).toBeLessThan(0.1);
      if (support.endsWith('wall')) expect(outermostMm).toBeGreaterThan(57.9);
      expect(gapMm(a, c, 16)).toBeGreaterThanOrEqual(1);
    }
  });
});
