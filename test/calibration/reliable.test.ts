import { describe, expect, it } from 'vitest';
import { isReliable } from '../../calibration/profile.ts';

const measured = { pictureCount: 18, dieCount: 30, wrongCount: 0, scaleResidual: 0.002, leanDegMax: 3 };

describe('a calibration', () => {
  it('may judge when it reads half of its own samples of three dice, and must not below', () => {
    expect(isReliable({ measured: { ...measured, threeDiceCount: 6, acceptedCount: 3 } })).toBe(true);
    expect(isReliable({ measured: { ...measured, threeDiceCount: 6, acceptedCount: 2 } })).toBe(false);
  });

  it('of an older version, which does not tell its number of samples, may judge', () => {
    expect(isReliable({ measured: { ...measured, acceptedCount: 0 } })).toBe(true);
  });
});
