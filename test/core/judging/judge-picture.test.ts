import { describe, expect, it } from 'vitest';
import {
  type DieEvidence,
  judgePicture,
  type PictureEvidence,
  usualMotionLimits,
} from '../../../src/core/judging/judge-picture.ts';

const flatDie: DieEvidence = {
  geometric: 3,
  geometricReason: null,
  appearance: 3,
  spacingRatio: 1,
  latticeResidual: 0.004,
  squeeze: 0.99,
  strayPips: 0,
  pipsBeyondFace: 0,
  sharpnessRatio: 1,
  sharpnessEvenness: 0.95,
  sideEvenness: 1,
  leanDeg: 1,
  flatOddsSupported: 30,
  flatOddsAnywhere: 20,
  seenSides: 4,
  overlapShare: 0,
  bodyChange: 0,
  wallGap: 1,
};
const leaningDie: DieEvidence = { ...flatDie, leanDeg: 14, flatOddsSupported: -60, flatOddsAnywhere: -60 };

function pictureOf(dice: readonly DieEvidence[], strangeAreaFaces: number): PictureEvidence {
  return { defect: null, dice, motionLimits: usualMotionLimits, strangeAreaFaces };
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

  it('refuses three dice of another body, and not a sheen on one or two of them', () => {
    const other = { ...flatDie, bodyChange: 0.7 };

    expect(judgePicture(pictureOf([other, other, other], 0)).cause).toBe('scene-changed');
    expect(judgePicture(pictureOf([other, other, flatDie], 0)).verdict).toBe('accepted');
  });

  it('names an object in the tray before a leaning die, so that the table does not shake with it', () => {
    const dice = [flatDie, flatDie, leaningDie];

    expect(judgePicture(pictureOf(dice, 0.9)).cause).toBe('foreign-object');
    expect(judgePicture(pictureOf(dice, 0.15)).cause).toBe('tilted');
  });

  it('refuses three flat dice with something small beside them', () => {
    expect(judgePicture(pictureOf([flatDie, flatDie, flatDie], 0.2)).cause).toBe('foreign-object');
  });

  it('asks more of a die that touches what could hold it than of one that stands free', () => {
    const doubtful = { ...flatDie, flatOddsAnywhere: -5 };
    const free = { ...doubtful, flatOddsSupported: null };
    const held = { ...doubtful, flatOddsSupported: -5 };

    expect(judgePicture(pictureOf([flatDie, flatDie, free], 0)).verdict).toBe('accepted');
    expect(judgePicture(pictureOf([flatDie, flatDie, held], 0)).cause).toBe('tilted');
  });

  it('refuses a die that looks like leaning although nothing seems to hold it', () => {
    const leaning = { ...flatDie, flatOddsSupported: null, flatOddsAnywhere: -40 };

    expect(judgePicture(pictureOf([flatDie, flatDie, leaning], 0)).cause).toBe('tilted');
  });

  it('refuses a die of which glare leaves a single side to look at', () => {
    expect(judgePicture(pictureOf([flatDie, flatDie, { ...flatDie, seenSides: 1 }], 0)).cause).toBe('tilted');
  });

  it('refuses a face beside which a pip lies that is on no face: a pip of a black 4 on a black floor looks like a 1', () => {
    const pipOfAFour = { ...flatDie, geometric: 1, appearance: 1, pipsBeyondFace: 2 } as const;

    expect(judgePicture(pictureOf([flatDie, flatDie, pipOfAFour], 0)).cause).toBe('layout');
  });

  it('refuses everything with a calibration whose dice and floor are too alike', () => {
    const evidence = { ...pictureOf([flatDie, flatDie, flatDie], 0), defect: 'low-contrast' } as const;

    expect(judgePicture(evidence)).toEqual({ verdict: 'refused', values: null, cause: 'low-contrast' });
  });

  it('takes dice that stand against the wall, and none on the rim', () => {
    const atWall = { ...flatDie, wallGap: -0.07 };
    const onRim = { ...flatDie, wallGap: -0.3 };

    expect(judgePicture(pictureOf([flatDie, flatDie, atWall], 0)).verdict).toBe('accepted');
    expect(judgePicture(pictureOf([flatDie, flatDie, onRim], 0)).cause).toBe('out-of-tray');
  });

  it('refuses a die that turns in place, a 1 by its sides alone', () => {
    const turningFour = { ...flatDie, geometric: 4, appearance: 4, sharpnessEvenness: 0.66 } as const;
    const turningOne = { ...flatDie, geometric: 1, appearance: 1, sideEvenness: 0.91 } as const;

    for (const die of [turningFour, turningOne]) expect(judgePicture(pictureOf([flatDie, flatDie, die], 0)).cause).toBe('moving');
  });
});
