import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countMotionBursts } from '../../../src/core/judging/motion-bursts.ts';
import type { MotionSample } from '../../../src/core/judging/motion-sample.ts';

/** Changed shares in thousandths, one picture every `periodMs`, the first at 0. */
function samples(perMille: readonly number[], periodMs = 33.3): MotionSample[] {
  return perMille.map((share, index) => ({
    capturedMonoMs: index * periodMs,
    changedShare: share / 1_000,
    defect: null,
    bodies: [],
  }));
}

// Measured on three rendered shakes, 640 × 360 at 30 pictures a second.
const oneTumble = [0, 0, 0, 0, 0, 0, 0, 0, 106, 240, 185, 177, 133, 103, 52, 23, 0, 0, 0, 0];
const twoTumbles = [
  0, 0, 0, 0, 0, 0, 0, 0, 93, 203, 203, 135, 132, 129, 104, 62, 22, 0, 0, 0, 41, 136, 187, 161, 132, 128, 109, 83, 51, 38, 25, 0,
  0,
];
const threeTumbles = [
  0, 0, 0, 0, 0, 0, 0, 0, 119, 141, 164, 115, 133, 126, 99, 81, 38, 24, 0, 0, 0, 0, 0, 41, 147, 204, 193, 165, 141, 108, 90, 36,
  2, 0, 0, 0, 0, 125, 242, 266, 244, 178, 79, 27, 4, 0, 0,
];

describe('motion bursts', () => {
  it('counts one, two and three tumbles of a shake', () => {
    expect(countMotionBursts(samples(oneTumble), 0)).toBe(1);
    expect(countMotionBursts(samples(twoTumbles), 0)).toBe(2);
    expect(countMotionBursts(samples(threeTumbles), 0)).toBe(3);
  });

  it('counts a tumble that lifts the dice before they came to rest', () => {
    expect(countMotionBursts(samples([0, 150, 240, 180, 90, 60, 190, 250, 160, 70, 40, 200, 220, 90, 20, 0]), 0)).toBe(3);
  });

  it('counts one long roll once', () => {
    expect(countMotionBursts(samples([0, 200, 240, 210, 190, 170, 150, 130, 120, 110, 100, 95, 90, 80, 60, 40, 20, 0]), 0)).toBe(
      1,
    );
  });

  it('counts every tumble of a slow camera that shows each in a single picture', () => {
    expect(countMotionBursts(samples([0, 0, 160, 10, 0, 0, 210, 0, 0, 0, 180, 20, 0, 0, 190, 0, 0], 100), 0)).toBe(4);
  });

  it('does not count a lamp that flickers once, nor sensor noise', () => {
    expect(countMotionBursts(samples([0, 0, 900, 0, 0, 0, 1, 2, 1, 0, 850, 0, 0]), 0)).toBe(0);
  });

  it('counts nothing that moved before the last activation was ordered', () => {
    expect(countMotionBursts(samples(threeTumbles), 19 * 33.3)).toBe(2);
    expect(countMotionBursts(samples(threeTumbles), 0, 19 * 33.3)).toBe(1);
  });

  it('counts pictures blurred by motion, and passes over those that show nothing', () => {
    const blurred = samples(oneTumble).map((sample) => ({ ...sample, defect: 'blurred' as const }));
    expect(countMotionBursts(blurred, 0)).toBe(1);
    const black = samples(oneTumble).map((sample) => ({ ...sample, defect: 'black' as const }));
    expect(countMotionBursts(black, 0)).toBe(0);
  });

  it('never counts more than one burst per two pictures', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000)), (shares) => {
        expect(countMotionBursts(samples(shares), 0)).toBeLessThanOrEqual(shares.length / 2);
      }),
    );
  });
});
