import { driftLimits } from '../src/core/judging/drift.ts';
import { judgeCamera } from './camera-limits.ts';
import { type LimitResult, limitResult, percent } from './limit-result.ts';
import { invalidScenes } from './sample-plan.ts';
import type { Validation } from './validate.ts';

/** Limits that a calibration must keep before it may be activated. */
export const validationLimits = {
  /** Wrong values, and throws taken that must not be: none. */
  wrongMax: 0,
  falselyTakenMax: 0,
  /** Scenes that must not be taken: one of each kind of `invalidScenes`. Fewer prove nothing. */
  invalidCountMin: invalidScenes.length,
  /** Distinct valid throws, and dice of each value among them: 30 throws show each value 15 times on average. A product default. */
  throwCountMin: 30,
  faceCountMin: 5,
  /** Share of the valid throws without glare that single pictures must accept; at the table several pictures are read. */
  acceptedShareMin: 0.95,
  /** Share of the valid throws that may be refused for glare. */
  glareRefusedShareMax: 0.1,
  /** How far the typical die must stay from every limit of the judge, as a part of the way from the limit to a perfect die. */
  medianMarginMin: 0.25,
  /** ms a picture: three pictures must agree within the 300 ms from rest to result. */
  timeP99MsMax: 100,
  /** Edge of a die in the picture, px; below it pips are a few px wide. */
  dieEdgePxMin: 40,
} as const;

type Measured = Omit<Validation, 'limits' | 'isPassed' | 'validatedAt' | 'profileSha256'>;

/** Judges a validation by every stated limit, those of camera and lamps included. */
export function judgeValidation(measured: Measured): readonly LimitResult[] {
  return [...readingResults(measured), ...sampleResults(measured), ...deviceResults(measured), ...judgeCamera(measured.camera)];
}

function readingResults({ counts, refusals, throws }: Measured): LimitResult[] {
  const limits = validationLimits;
  const validCount = counts.right + counts.refused + counts.wrong;
  const invalidCount = new Set(throws.flatMap(({ labelled: { truth, sha256 } }) => (truth === null ? sha256 : []))).size;
  const isNoneTaken = counts['falsely-taken'] <= limits.falselyTakenMax;
  const glareCount = refusals.find(({ cause }) => cause === 'glare')?.valid ?? 0;
  const clearCount = validCount - glareCount;
  const acceptedShare = clearCount === 0 ? 0 : counts.right / clearCount;
  const glareShare = validCount === 0 ? 0 : glareCount / validCount;
  const causes = refusals.flatMap(({ cause, valid }) => (cause === 'glare' || valid === 0 ? [] : [`${valid} ${cause}`]));
  return [
    limitResult(
      'wrong',
      'Valid throws read as other values',
      `${counts.wrong} of ${validCount}`,
      `${limits.wrongMax}`,
      validCount === 0 ? null : counts.wrong <= limits.wrongMax,
      'do not use this calibration; check the labels, then calibrate again with more samples',
    ),
    limitResult(
      'falsely-taken',
      'Throws taken that must not be',
      `${counts['falsely-taken']} of ${invalidCount} shown`,
      `${limits.falselyTakenMax} of at least ${limits.invalidCountMin}`,
      invalidCount < limits.invalidCountMin && isNoneTaken ? null : isNoneTaken,
      isNoneTaken
        ? 'show a missing, a leaning, a stacked die, one outside, a foreign object and a hand'
        : 'do not use this calibration; calibrate again with more samples, some near the wall and touching',
    ),
    limitResult(
      'accepted',
      'Valid throws accepted, those under glare left out',
      `${counts.right} of ${clearCount} (${percent(acceptedShare)})${causes.length === 0 ? '' : `; refused: ${causes.join(', ')}`}`,
      `at least ${percent(limits.acceptedShareMin, 0)}`,
      clearCount === 0 ? null : acceptedShare >= limits.acceptedShareMin,
      'look at the causes of the refusals: light, focus and floor first, then calibrate again with more samples',
    ),
    limitResult(
      'refused-for-glare',
      'Valid throws refused for glare',
      `${glareCount} of ${validCount} (${percent(glareShare)})`,
      `at most ${percent(limits.glareRefusedShareMax, 0)}`,
      validCount === 0 ? null : glareShare <= limits.glareRefusedShareMax,
      'move or diffuse the lamps so that the dome reflects them beside the tray',
    ),
  ];
}

function sampleResults({ profile, throws, validCount, faces }: Measured): LimitResult[] {
  const limits = validationLimits;
  const repeatedCount = throws.filter(({ repeats, labelled: { truth } }) => repeats !== null && truth !== null).length;
  const perFace = faces.confusion.map((row) => row.reduce((sum, count) => sum + count, 0));
  const fittedCount = throws.filter(({ repeats }) => repeats === 'a sample of the fit').length;
  return [
    limitResult(
      'throws',
      'Different valid throws',
      `${validCount}${repeatedCount > 0 ? `, and ${repeatedCount} shown again` : ''}`,
      `at least ${limits.throwCountMin}`,
      validCount >= limits.throwCountMin,
      'throw more',
    ),
    limitResult(
      'throws-of-their-own',
      'Throws that the fit has seen',
      profile.sampleSha256 === undefined ? 'not known of this calibration' : `${fittedCount}`,
      'none',
      profile.sampleSha256 === undefined ? null : fittedCount === 0,
      'validate with other throws than those of the fit',
    ),
    limitResult(
      'faces',
      'Dice of each value shown',
      perFace.map((count, k) => `${k + 1}: ${count}`).join(', '),
      `at least ${limits.faceCountMin} each`,
      Math.min(...perFace) >= limits.faceCountMin,
      'throw more',
    ),
    limitResult(
      'own-samples',
      'Samples of the fit read as other values',
      `${profile.measured.wrongCount} of ${profile.measured.acceptedCount} accepted`,
      '0',
      profile.measured.wrongCount === 0,
      'check the labels of the samples and fit again',
    ),
  ];
}

function deviceResults({ margins, timeMs, profile, throws }: Measured): LimitResult[] {
  const limits = validationLimits;
  const displacements = throws.flatMap(({ explained: { scene } }) => scene?.displacementEdges ?? []).sort((a, b) => a - b);
  const displaced = displacements[displacements.length >> 1];
  const closest = [...margins].sort((a, b) => a.medianMargin - b.medianMargin)[0];
  return [
    limitResult(
      'margins',
      'Margin of the typical die to the judge’s limits',
      closest === undefined ? 'not measured' : `${percent(closest.medianMargin, 0)} at the least: ${closest.name}`,
      `at least ${percent(limits.medianMarginMin, 0)}`,
      closest === undefined ? null : closest.medianMargin >= limits.medianMarginMin,
      'better light, sharper focus; calibrate again with more samples',
    ),
    limitResult(
      'time',
      'Processor time to read a picture, 99 of 100',
      `${timeMs.p99.toFixed(1)} ms (median ${timeMs.median.toFixed(1)} ms)`,
      `at most ${limits.timeP99MsMax} ms`,
      timeMs.count === 0 ? null : timeMs.p99 <= limits.timeP99MsMax,
      'use a faster machine or a smaller picture',
    ),
    limitResult(
      'camera-place',
      'Camera and tray stand as in the samples',
      displaced === undefined ? 'not measured' : `${percent(displaced)} of a die off`,
      `at most ${percent(driftLimits.displacementEdgesMax)}`,
      displaced === undefined ? null : displaced <= driftLimits.displacementEdgesMax,
      'fix the camera and calibrate again',
    ),
    limitResult(
      'die-size',
      'Edge of a die in the picture',
      `${profile.geometry.edgePx.toFixed(1)} px for ${profile.dieEdgeMm} mm`,
      `at least ${limits.dieEdgePxMin} px`,
      profile.geometry.edgePx >= limits.dieEdgePxMin,
      'move the camera nearer or set it to a larger picture',
    ),
  ];
}
