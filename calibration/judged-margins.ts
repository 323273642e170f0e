import {
  type DieEvidence,
  judgeLimits,
  type MotionLimits,
  type PictureEvidence,
  usualMotionLimits,
} from '../src/core/judging/judge-picture.ts';

/** One quantity of the judge: where a perfect die stands and where its limit is. */
interface JudgedQuantity {
  readonly name: string;
  /** What an undisturbed flat die measures; only the unit in which the distance to the limit is told. */
  readonly ideal: number;
  /** The same for every rig, or following from its calibration. */
  readonly limit: number | ((limits: MotionLimits) => number);
  /** Null where the picture cannot tell it of this die. */
  readonly valueOf: (die: DieEvidence) => number | null;
}

/** Every quantity of one die that `judgePicture` compares with a limit. */
const quantities: readonly JudgedQuantity[] = [
  {
    name: 'spacing of the pips, largest',
    ideal: 1,
    limit: judgeLimits.spacingRatioMax,
    valueOf: ({ spacingRatio }) => spacingRatio,
  },
  {
    name: 'spacing of the pips, smallest',
    ideal: 1,
    limit: judgeLimits.spacingRatioMin,
    valueOf: ({ spacingRatio }) => spacingRatio,
  },
  {
    name: 'pips off the lattice, edges',
    ideal: 0,
    limit: judgeLimits.latticeResidualMax,
    valueOf: ({ latticeResidual }) => latticeResidual,
  },
  { name: 'squeeze of the lattice', ideal: 1, limit: judgeLimits.squeezeMin, valueOf: ({ squeeze }) => squeeze },
  { name: 'stray pip area, pips', ideal: 0, limit: judgeLimits.strayPipsMax, valueOf: ({ strayPips }) => strayPips },
  {
    name: 'sharpness of the pips',
    ideal: 1,
    limit: ({ sharpnessRatioMin }) => sharpnessRatioMin,
    valueOf: ({ sharpnessRatio }) => sharpnessRatio,
  },
  {
    name: 'evenness of the pips',
    ideal: 1,
    limit: ({ sharpnessEvennessMin }) => sharpnessEvennessMin,
    valueOf: ({ sharpnessEvenness }) => sharpnessEvenness,
  },
  {
    name: 'evenness of the sides',
    ideal: 1,
    limit: ({ sideEvennessMin }) => sideEvennessMin,
    valueOf: ({ geometric, sideEvenness }) => (geometric === 1 ? null : sideEvenness),
  },
  {
    name: 'evenness of the sides of a 1',
    ideal: 1,
    limit: ({ sideEvennessOfOneMin }) => sideEvennessOfOneMin,
    valueOf: ({ geometric, sideEvenness }) => (geometric === 1 ? sideEvenness : null),
  },
  {
    name: 'odds of flat, held by a neighbour or the wall',
    ideal: 0,
    limit: judgeLimits.flatOddsSupportedMin,
    valueOf: ({ flatOddsSupported }) => flatOddsSupported,
  },
  {
    name: 'odds of flat, any lean',
    ideal: 0,
    limit: judgeLimits.flatOddsAnywhereMin,
    valueOf: ({ flatOddsAnywhere }) => flatOddsAnywhere,
  },
  { name: 'overlap of faces', ideal: 0, limit: judgeLimits.overlapShareMax, valueOf: ({ overlapShare }) => overlapShare },
  { name: 'gap to the wall, edges', ideal: 0, limit: judgeLimits.wallGapMin, valueOf: ({ wallGap }) => wallGap },
];

/** How far one judged quantity stayed from its limit over many flat dice. */
export interface FeatureMargin {
  readonly name: string;
  readonly limit: number;
  readonly count: number;
  /** Values measured: of the typical die, and of the one nearest to (or farthest beyond) the limit. */
  readonly median: number;
  readonly worst: number;
  /** The same as parts of the way from the limit to a perfect die: 1 is perfect, 0 at the limit, negative beyond it. Above 1 is possible. */
  readonly medianMargin: number;
  readonly worstMargin: number;
}

/** Margins of all judged quantities over pictures of valid throws in which exactly three dice were found. */
export function judgedMargins(pictures: readonly PictureEvidence[]): readonly FeatureMargin[] {
  const whole = pictures.filter(({ dice, defect }) => defect === null && dice.length === 3);
  const dice = whole.flatMap((picture) => picture.dice);
  const motionLimits = whole[0]?.motionLimits ?? usualMotionLimits;
  const area = { name: 'unexplained area, faces', ideal: 0, limit: judgeLimits.strangeAreaFacesMax };
  return [
    ...quantities.map(({ name, ideal, limit, valueOf: measured }) =>
      marginOf(
        { name, ideal, limit: typeof limit === 'number' ? limit : limit(motionLimits) },
        dice.flatMap((die) => measured(die) ?? []),
      ),
    ),
    marginOf(
      area,
      whole.map(({ strangeAreaFaces }) => strangeAreaFaces),
    ),
  ].flatMap((margin) => margin ?? []);
}

function marginOf(
  { name, ideal, limit }: { readonly name: string; readonly ideal: number; readonly limit: number },
  values: readonly number[],
): FeatureMargin | null {
  // From the worst to the best.
  const sorted = [...values].sort((a, b) => (ideal > limit ? a - b : b - a));
  const [worst] = sorted;
  const median = sorted[sorted.length >> 1];
  if (worst === undefined || median === undefined) return null;
  const marginAt = (value: number): number => (value - limit) / (ideal - limit);
  return {
    name,
    limit,
    count: sorted.length,
    median,
    worst,
    medianMargin: marginAt(median),
    worstMargin: marginAt(worst),
  };
}
