import { describe, expect, it } from 'vitest';
import { type DieEvidence, judgePicture, type PictureEvidence } from '../../../src/core/judging/judge-picture.ts';

const flatDie: DieEvidence = {
  geometric: 3,
  geometricReason: null,
  appearance: 3,
  spacingRatio: 1,
  latticeResidual: 0.004,
  squeeze: 0.99,
  strayPips: 0,
  sharpnessRatio: 1,
  freeBy: -0.3,
  leanDeg: 1,
  leanAdvantage: -0.3,
  flatMargin: 4,
  flatResidual: 0.01,
  overlapShare: 0,
  wallGap: 1,
};
const leaningDie: DieEvidence = { ...flatDie, leanDeg: 14, flatMargin: -3, leanAdvantage: 0.4 };

function pictureOf(dice: readonly DieEvidence[], strangeAreaFaces: number): PictureEvidence {
  return { defect: null, dice, strangeAreaFaces, sideNoise: 0.01 };
}

describe('the judgement of one picture', () => {
  it('takes three flat dice with nothing beside them', () => {
    const dice = [
      flatDie,
      { ...flatDie, geometric: 6, appearance: 6 } as const,
      { ...flatDie, geometric: 1, appearance: 1 } as const,
    ];

    expect(judgePicture(pictureOf(dice, 0))).toEqual({ verdict: 'accepted', values: [1, 3, 6], cause: null });
  });

  it('names an object in the tray before a leaning die, so that the table does not shake with it', () => {
    const dice = [flatDie, flatDie, leaningDie];

    expect(judgePicture(pictureOf(dice, 0.9)).cause).toBe('foreign-object');
    expect(judgePicture(pictureOf(dice, 0.15)).cause).toBe('tilted');
  });

  it('refuses three flat dice with something small beside them', () => {
    expect(judgePicture(pictureOf([flatDie, flatDie, flatDie], 0.2)).cause).toBe('foreign-object');
  });
});
