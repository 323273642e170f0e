import { describe, expect, it } from 'vitest';
import { fitMotionLimits } from '../../calibration/fit-motion-limits.ts';
import { type DieEvidence, usualMotionLimits } from '../../src/core/judging/judge-picture.ts';

const die: DieEvidence = {
  geometric: 5,
  geometricReason: null,
  appearance: 5,
  spacingRatio: 1,
  latticeResidual: 0,
  squeeze: 1,
  strayPips: 0,
  pipsBeyondFace: 0,
  sharpnessRatio: 1,
  sharpnessEvenness: 0.97,
  sideEvenness: 1,
  leanDeg: 0,
  flatOddsSupported: null,
  flatOddsAnywhere: 40,
  seenSides: 4,
  overlapShare: 0,
  bodyChange: 0,
  wallGap: 1,
};

/** Twenty dice whose pips are even to `from` and better. */
function diceFrom(from: number): DieEvidence[] {
  return Array.from({ length: 20 }, (_, k) => ({ ...die, sharpnessEvenness: from + (k * (0.98 - from)) / 19 }));
}

describe('the motion limits of a calibration', () => {
  it('stand close where all flat dice are even, and low where glints in the pips make them uneven at rest', () => {
    expect(fitMotionLimits(diceFrom(0.97)).sharpnessEvennessMin).toBe(0.92);
    expect(fitMotionLimits(diceFrom(0.92)).sharpnessEvennessMin).toBeCloseTo(0.86, 1);
    expect(fitMotionLimits(diceFrom(0.6)).sharpnessEvennessMin).toBe(0.68);
  });

  it('are the usual ones where too few dice tell them', () => {
    expect(fitMotionLimits(diceFrom(0.97).slice(0, 9))).toEqual(usualMotionLimits);
  });

  it('take no ratio of two hardly visible sides for evenness', () => {
    const wild = diceFrom(0.97).map((one, k) => ({ ...one, sideEvenness: k % 2 === 0 ? 6 : 1 }));

    expect(fitMotionLimits(wild).sideEvennessMin).toBeCloseTo(0.875, 3);
    expect(fitMotionLimits(diceFrom(0.97)).sideEvennessMin).toBe(0.92);
  });
});
