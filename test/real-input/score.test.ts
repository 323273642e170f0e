import { describe, expect, it } from 'vitest';
import { type JudgedThrow, verdictOf } from './play-rig.ts';
import { scoreOf } from './score.ts';

const valid: JudgedThrow = {
  rig: 'rig',
  file: 'a.jpg',
  className: 'flat',
  isValid: true,
  values: '1,2,6',
  hasGlare: false,
  declared: '1,2,6',
  causes: [],
  end: 'settled',
  shakeCount: 1,
  motionBurstCounts: [4],
  pictureCounts: ['3 of 3'],
  resultMs: 650,
  verdict: 'right',
  plain: { values: '1,2,6', cause: null },
  plainVerdict: 'right',
};
const invalid: JudgedThrow = {
  ...valid,
  className: 'tilted',
  isValid: false,
  values: null,
  declared: null,
  causes: ['tilted', 'tilted'],
  end: 'held: shakes-exhausted',
  shakeCount: 2,
  resultMs: null,
  verdict: 'refused',
  plain: { values: null, cause: 'tilted' },
  plainVerdict: 'refused',
};

describe('the score of labelled throws', () => {
  it('calls a result wrong that is not the label, and any result of an invalid throw', () => {
    expect(verdictOf(valid, '1,2,6')).toBe('right');
    expect(verdictOf(valid, '1,2,5')).toBe('wrong');
    expect(verdictOf(valid, null)).toBe('refused');
    expect(verdictOf(invalid, '1,2,6')).toBe('wrong');
    expect(verdictOf(invalid, null)).toBe('refused');
  });

  it('counts per class, takes the settle window off the times, and keeps throws under glare out of the share', () => {
    const again: JudgedThrow = { ...valid, shakeCount: 2, resultMs: 700 };
    const glaring: JudgedThrow = {
      ...valid,
      hasGlare: true,
      declared: null,
      verdict: 'refused',
      causes: ['glare'],
      resultMs: null,
    };
    const score = scoreOf([valid, again, glaring, invalid], 400);

    expect(score.table).toEqual([
      { rig: 'rig', className: 'flat', right: 2, refused: 1, wrong: 0 },
      { rig: 'rig', className: 'tilted', right: 0, refused: 1, wrong: 0 },
    ]);
    expect(score.cleanValid).toEqual({ count: 2, right: 2, rightAtFirstShake: 1 });
    expect(score.invalid).toEqual({ count: 1, declared: 0 });
    expect(score.refusalCauses).toEqual({ valid: [['glare', 1]], invalid: [['tilted', 1]] });
    expect(score.resultMs).toEqual({ p50: 300, p99: 300 });
    expect(score.differences).toEqual([glaring]);
  });

  it('counts an invalid throw that was declared as wrong and as a difference', () => {
    const declared: JudgedThrow = { ...invalid, declared: '1,2,6', verdict: 'wrong', end: 'settled', resultMs: 600 };
    const score = scoreOf([declared], 400);

    expect(score.daemon).toEqual({ right: 0, refused: 0, wrong: 1 });
    expect(score.invalid).toEqual({ count: 1, declared: 1 });
    expect(score.differences).toEqual([declared]);
  });
});
