import { type Dice, type Face, sortedDice } from '../rules/dice.ts';
import type { RefusalCause } from './reading.ts';

/** What was measured of one die. Lengths in edges of the die. */
export interface DieEvidence {
  readonly geometric: Face | null;
  /** Why the geometric reader names no value. */
  readonly geometricReason: 'glare' | 'layout' | null;
  readonly appearance: Face | null;
  /** Pip spacing over the spacing of a flat die at this place; null with a single pip or where glare hides the others. */
  readonly spacingRatio: number | null;
  /** Root mean square distance of the pips from a square lattice. */
  readonly latticeResidual: number;
  /** Shorter over longer axis of the lattice, 0 to 1; null with fewer than four pips. */
  readonly squeeze: number | null;
  /** Pip-like area that belongs to no pip of the value, in areas of one pip. */
  readonly strayPips: number;
  /** Lean that explains the visible side faces best, degrees. */
  readonly leanDeg: number;
  /** How much better the outlines of a leaning die explain the steps of brightness around the face than those of a flat one, -1 to 1; null
   *  when nothing can be told. */
  readonly leanAdvantage: number | null;
  /** By how many units of measuring noise "flat" explains the sides better than any lean of 8° or more. */
  readonly flatMargin: number;
  /** Mismatch of the sides with a flat die. */
  readonly flatResidual: number;
  /** Largest share of this top face that another one covers, 0 to 1. */
  readonly overlapShare: number;
  /** How far the outermost bottom corner lies inside the tray's wall; negative beyond it. */
  readonly wallGap: number;
}

/** What was measured in one picture. */
export interface PictureEvidence {
  /** Set when the picture itself is unusable. */
  readonly defect: 'bad-frame' | 'scene-changed' | null;
  readonly dice: readonly DieEvidence[];
  /** Area inside the tray that neither floor, shadow nor the found dice explain, in areas of a die's face. */
  readonly strangeAreaFaces: number;
  /** Scatter of side widths on this rig's flat dice. */
  readonly sideNoise: number;
}

/** Limits of the judge. The product refuses a die that leans by more than 8°; every limit stands well inside what 8° does. */
export const judgeLimits = {
  /** Degrees. Half a degree of measuring error a sigma on the shared rigs leaves four sigma to 8°. */
  leanDegMax: 5.5,
  /** Units of noise by which a lean of 8° must be excluded. */
  flatMarginMin: 1.2,
  /** Edges; a die below another shows as a wrong silhouette. */
  flatResidualMax: 0.05,
  /** A die on another is nearer to the camera by one edge: 3 to 8 % larger. Lattices of flat dice scatter by 1 %. */
  spacingRatioMax: 1.028,
  spacingRatioMin: 0.965,
  /** Edges; half a px at 640 x 480. */
  latticeResidualMax: 0.014,
  /** Cosine of 14°, as far as four pips can tell. */
  squeezeMin: 0.965,
  /** Areas of a pip. */
  strayPipsMax: 0.3,
  overlapShareMax: 0.03,
  /** Edges; a die that stands on the wall's foot leans. */
  wallGapMin: -0.06,
  /** Areas of a die's face; a coin covers 0.9 and more. */
  strangeAreaFacesMax: 0.12,
} as const;

export type PictureVerdict =
  | { readonly verdict: 'accepted'; readonly values: Dice; readonly cause: null }
  | { readonly verdict: 'refused'; readonly values: null; readonly cause: RefusalCause };

/** Turns the evidence of one picture into exactly three values or one cause. Pure. Anything that cannot be told is refused; the first cause in
 *  the order below is named, from the picture as a whole to the single face. */
export function judgePicture(evidence: PictureEvidence): PictureVerdict {
  const { dice } = evidence;
  if (evidence.defect !== null) return refused(evidence.defect);
  if (dice.length < 3) return refused(evidence.strangeAreaFaces > 3 ? 'foreign-object' : 'too-few-dice');
  if (dice.length > 3) return refused('too-many-dice');
  if (dice.some((die) => die.wallGap < judgeLimits.wallGapMin)) return refused('out-of-tray');
  if (dice.some((die) => die.overlapShare > judgeLimits.overlapShareMax || (die.spacingRatio ?? 1) > judgeLimits.spacingRatioMax))
    return refused('overlapping');
  const cause = dice.map(causeOfDie).find((found) => found !== null);
  if (cause !== undefined && cause !== null) return refused(cause);
  if (evidence.strangeAreaFaces > judgeLimits.strangeAreaFacesMax) return refused('foreign-object');
  const [a, b, c] = dice.map((die) => die.geometric);
  if (!a || !b || !c) return refused('layout');
  return { verdict: 'accepted', values: sortedDice(a, b, c), cause: null };
}

function causeOfDie(die: DieEvidence): RefusalCause | null {
  if (die.geometric === null) return die.geometricReason ?? 'layout';
  if (die.strayPips > judgeLimits.strayPipsMax || die.latticeResidual > judgeLimits.latticeResidualMax) return 'layout';
  if ((die.spacingRatio ?? 1) < judgeLimits.spacingRatioMin) return 'tilted';
  if (die.squeeze !== null && die.squeeze < judgeLimits.squeezeMin) return 'tilted';
  if (
    die.leanDeg > judgeLimits.leanDegMax ||
    die.flatMargin < judgeLimits.flatMarginMin ||
    die.flatResidual > judgeLimits.flatResidualMax
  )
    return 'tilted';
  if (die.appearance !== die.geometric) return 'readers-disagree';
  return null;
}

function refused(cause: RefusalCause): PictureVerdict {
  return { verdict: 'refused', values: null, cause };
}
