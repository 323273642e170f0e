import { describe, expect, it } from 'vitest';
import { type DieEvidence, type PictureEvidence, usualMotionLimits } from '../../../src/core/judging/judge-picture.ts';
import type { LabelledPicture } from './labelled-rig.ts';
import { folderOf, outcomeOf, type PictureOutcome } from './picture-outcome.ts';
import { readingOfVariant } from './reader-variants.ts';

const valid: LabelledPicture = {
  file: 'a.jpg',
  class: 'flat',
  isValid: true,
  values: [2, 2, 5],
  hasGlare: false,
  lighting: 'base',
  detail: null,
  tiltDegMax: 0,
  widthPx: 640,
  heightPx: 480,
};
const stacked: LabelledPicture = { ...valid, class: 'stacked', isValid: false };

describe('the outcome of a picture', () => {
  it('is right only for a valid throw with its three values', () => {
    expect(outcomeOf(valid, [2, 2, 5])).toBe('right');
    expect(outcomeOf(valid, [2, 5, 5])).toBe('wrong');
    expect(outcomeOf(valid, null)).toBe('refused');
  });

  it('is wrong for an accepted invalid throw, whatever values it carries', () => {
    expect(outcomeOf(stacked, [2, 2, 5])).toBe('wrong');
    expect(outcomeOf(stacked, null)).toBe('refused');
  });

  it('is kept as a picture when it is wrong, or a refused valid throw', () => {
    const outcome = (picture: LabelledPicture, values: readonly number[] | null, cause: string | null): PictureOutcome => ({
      source: 's',
      rig: 'r',
      picture,
      outcome: outcomeOf(picture, values),
      cause,
      values,
      ms: 1,
      cpuMs: 1,
      evidence: null,
      byVariant: {
        both: 'right',
        geometric: 'right',
        appearance: 'right',
        'geometric-bare': 'right',
        'appearance-bare': 'right',
      },
    });

    expect(folderOf(outcome(valid, [2, 2, 5], null))).toBe(null);
    expect(folderOf(outcome(valid, [2, 2, 6], null))).toBe('wrong-values');
    expect(folderOf(outcome(valid, null, 'glare'))).toBe('refused-glare');
    expect(folderOf(outcome(stacked, null, 'overlapping'))).toBe(null);
    expect(folderOf(outcome(stacked, [2, 2, 5], null))).toBe('wrong-stacked-accepted');
  });
});

describe('a reader alone', () => {
  const flat: DieEvidence = {
    geometric: 3,
    geometricReason: null,
    appearance: 3,
    spacingRatio: 1,
    latticeResidual: 0,
    squeeze: null,
    strayPips: 0,
    pipsBeyondFace: 0,
    sharpnessRatio: 1,
    sharpnessEvenness: 0.95,
    sideEvenness: 1,
    leanDeg: 0,
    flatOddsSupported: null,
    flatOddsAnywhere: 40,
    seenSides: 4,
    overlapShare: 0,
    bodyChange: 0,
    wallGap: 1,
  };
  const pictureOf = (first: DieEvidence): PictureEvidence => ({
    defect: null,
    dice: [first, flat, flat],
    motionLimits: usualMotionLimits,
    strangeAreaFaces: 0,
  });

  it('gives its own value where the readers disagree', () => {
    const evidence = pictureOf({ ...flat, appearance: 6 });

    expect(readingOfVariant('both', evidence)).toBe(null);
    expect(readingOfVariant('geometric', evidence)).toEqual([3, 3, 3]);
    expect(readingOfVariant('appearance', evidence)).toEqual([3, 3, 6]);
  });

  it('still refuses a leaning die, and does not without the other checks', () => {
    const evidence = pictureOf({ ...flat, flatOddsAnywhere: -60 });

    expect(readingOfVariant('geometric', evidence)).toBe(null);
    expect(readingOfVariant('appearance', evidence)).toBe(null);
    expect(readingOfVariant('geometric-bare', evidence)).toEqual([3, 3, 3]);
    expect(readingOfVariant('appearance-bare', evidence)).toEqual([3, 3, 3]);
  });
});
