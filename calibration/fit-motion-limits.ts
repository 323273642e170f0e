import { type DieEvidence, type MotionLimits, usualMotionLimits } from '../src/core/judging/judge-picture.ts';

/** Fewest samples of a quantity from which its spread is told. */
const sampleCountMin = 10;
/** A limit stands this many times as far below the samples' median as their lowest tenth does. Of 10,000 flat dice on 60 simulated rigs 0.4 % lie
 *  below such a limit. */
const spreadCount = 3.5;
/** The same for the sides of a die that shows a 1: nothing else tells that it turns, and a throw refused in vain costs less. */
const spreadCountOfOne = 2;
/** Values above it count as it: on floors of little contrast the ratio of two small steps may be anything. */
const evenMost = 1.05;

/** Where each limit may stand. The lower ends are what a motion that smears pips by a tenth of an edge, or a turn by 10°, stays below on any rig. */
const bounds: Readonly<Record<keyof MotionLimits, readonly [number, number]>> = {
  sharpnessRatioMin: [0.7, 0.9],
  sharpnessEvennessMin: [0.68, 0.92],
  sideEvennessMin: [0.8, 0.92],
  sideEvennessOfOneMin: [0.85, 0.93],
};

/** Limits that the flat dice of the samples keep: light glints in dark pips make theirs look uneven at rest, and a sharp lens shows a slower turn. */
export function fitMotionLimits(dice: readonly DieEvidence[]): MotionLimits {
  const ratios = dice.flatMap(({ sharpnessRatio }) => sharpnessRatio ?? []);
  const pips = dice.flatMap(({ sharpnessEvenness }) => sharpnessEvenness ?? []);
  const sides = dice.flatMap(({ sideEvenness }) => (sideEvenness === null ? [] : Math.min(evenMost, sideEvenness)));
  return {
    sharpnessRatioMin: limitOf('sharpnessRatioMin', ratios, spreadCount),
    sharpnessEvennessMin: limitOf('sharpnessEvennessMin', pips, spreadCount),
    sideEvennessMin: limitOf('sideEvennessMin', sides, spreadCount),
    sideEvennessOfOneMin: limitOf('sideEvennessOfOneMin', sides, spreadCountOfOne),
  };
}

function limitOf(name: keyof MotionLimits, values: readonly number[], count: number): number {
  if (values.length < sampleCountMin) return usualMotionLimits[name];
  const sorted = [...values].sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? 1;
  const low = sorted[Math.floor(sorted.length / 10)] ?? median;
  const [least, most] = bounds[name];
  return Math.max(least, Math.min(most, median - count * (median - low)));
}
