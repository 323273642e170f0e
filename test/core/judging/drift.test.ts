import { describe, expect, it } from 'vitest';
import { type DriftFinding, type DriftState, driftAfter, driftFindings } from '../../../src/core/judging/drift.ts';
import type { SceneMeasures } from '../../../src/core/judging/scene-measures.ts';

const die = { sharpnessRatio: 1, spacingRatio: 1, bodyRatio: [1, 1, 1] } as const;
const calibrated: SceneMeasures = { gain: [1, 1, 1], unevenness: 0.04, displacementEdges: 0.001, dice: [die, die, die] };

function meansOf(measures: readonly SceneMeasures[]): DriftState {
  const [first, ...others] = measures;
  return others.reduce(driftAfter, driftAfter(null, first ?? calibrated));
}

function findings(change: Partial<SceneMeasures>, count = 40): readonly DriftFinding[] {
  return driftFindings(meansOf(new Array<SceneMeasures>(count).fill({ ...calibrated, ...change })));
}

function diceOf(change: Partial<SceneMeasures['dice'][number]>): Partial<SceneMeasures> {
  return { dice: new Array(3).fill({ ...die, ...change }) };
}

describe('drift against the calibration', () => {
  it('finds nothing on a table that is as it was calibrated', () => {
    expect(findings({})).toEqual([]);
  });

  it.each<readonly [string, Partial<SceneMeasures>, DriftFinding['what']]>([
    ['a tray that has become a fifth darker', { gain: [0.8, 0.8, 0.8] }, 'light'],
    ['an exposure that has grown by a third', { gain: [1.33, 1.33, 1.33] }, 'light'],
    ['colours that have drifted apart', { gain: [0.92, 1, 1.08] }, 'colour-cast'],
    ['light that has become uneven', { unevenness: 0.11 }, 'lamp'],
    ['pips that have become soft, and are still read', diceOf({ sharpnessRatio: 0.8 }), 'focus'],
    ['a camera that has moved by a px, and is still trusted', { displacementEdges: 0.018 }, 'camera'],
    ['dice of a slightly other colour', diceOf({ bodyRatio: [1.3, 1.3, 1.3] }), 'dice-colour'],
  ])('advises about %s', (_, change, what) => {
    expect(findings(change).map((finding) => [finding.what, finding.advice])).toEqual([[what, 'advised']]);
  });

  it.each<readonly [string, Partial<SceneMeasures>, DriftFinding['what']]>([
    ['dice of another size', diceOf({ spacingRatio: 1.02 }), 'dice-size'],
    ['red dice where white ones were calibrated', diceOf({ bodyRatio: [0.4, 0.4, 0.9] }), 'dice-colour'],
  ])('demands another calibration for %s', (_, change, what) => {
    expect(findings(change).map((finding) => [finding.what, finding.advice])).toEqual([[what, 'demanded']]);
  });

  it('says nothing before twelve readings', () => {
    expect(findings({ unevenness: 0.2 }, 11)).toEqual([]);
    expect(findings({ unevenness: 0.2 }, 12)).toHaveLength(1);
  });

  it('notices a lamp that fails in the middle of play within ten throws, and that it was replaced', () => {
    const failed = { ...calibrated, gain: [0.8, 0.8, 0.8], unevenness: 0.11 } as const;
    const before = new Array<SceneMeasures>(300).fill(calibrated);
    const during = new Array<SceneMeasures>(30).fill(failed);

    expect(driftFindings(meansOf([...before, ...during])).map(({ what }) => what)).toEqual(['lamp', 'light']);
    expect(driftFindings(meansOf([...before, ...during, ...new Array<SceneMeasures>(30).fill(calibrated)]))).toEqual([]);
  });

  it('is not led astray by a single odd reading', () => {
    const odd: SceneMeasures = { ...calibrated, gain: [0.4, 0.4, 0.4], unevenness: 0.3, displacementEdges: 0.05 };

    expect(driftFindings(meansOf([...new Array<SceneMeasures>(30).fill(calibrated), odd]))).toEqual([]);
  });

  it('keeps what it knows when a reading shows no dice and no rim', () => {
    const blind = driftAfter(meansOf([calibrated]), { ...calibrated, displacementEdges: null, dice: [] });

    expect(blind).toMatchObject({ readingCount: 2, dieCount: 3, sharpnessRatio: 1, displacementEdges: 0.001 });
  });
});
