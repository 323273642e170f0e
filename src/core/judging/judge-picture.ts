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
  /** How many round light pips lie beside this face that are on none of the found faces; 0 where the face's own square is clearly seen. */
  readonly pipsBeyondFace: number;
  /** Sharpness of the pips' borders over that of the calibration's dice; null with no pip visible. */
  readonly sharpnessRatio: number | null;
  /** Sharpness of the pips' borders in the softest direction over that in the sharpest, 0 to 1; null with no pip visible. */
  readonly sharpnessEvenness: number | null;
  /** Sharpness of the sides' ends over that of their middles; null where too little of them is in view. */
  readonly sideEvenness: number | null;
  /** Lean that explains the visible side faces best, degrees. */
  readonly leanDeg: number;
  /** How much better "flat" explains the surroundings of the top face than any lean of 8° or more for which the die touches something that
   *  could hold it, as logarithm of the odds; null when it touches nothing. */
  readonly flatOddsSupported: number | null;
  /** The same over leans in every direction, supported or not. */
  readonly flatOddsAnywhere: number;
  /** How many of the four sides could be looked at. */
  readonly seenSides: number;
  /** Largest share of this top face that another one covers, 0 to 1. */
  readonly overlapShare: number;
  /** Largest change of a channel of the body's colour since the calibration, light taken into account, as logarithm of the ratio. */
  readonly bodyChange: number;
  /** How far the outermost bottom corner lies inside the tray's wall; negative beyond it. */
  readonly wallGap: number;
}

/** Limits below which a die moves, as far as they follow from how sharp the calibration's dice are. */
export interface MotionLimits {
  /** Share of the calibration's sharpness. */
  readonly sharpnessRatioMin: number;
  /** Softest direction over the sharpest. */
  readonly sharpnessEvennessMin: number;
  /** Ends of the sides over their middles; of a die that shows a 1, whose pip tells nothing of a turn, the second holds. */
  readonly sideEvennessMin: number;
  readonly sideEvennessOfOneMin: number;
}

/** What was measured in one picture. */
export interface PictureEvidence {
  /** Set when the picture itself is unusable; `low-contrast` when the calibration is, because its dice and floor are too alike. */
  readonly defect: 'bad-frame' | 'scene-changed' | 'low-contrast' | null;
  readonly dice: readonly DieEvidence[];
  readonly motionLimits: MotionLimits;
  /** Area inside the tray that neither floor, shadow nor the found dice explain, in areas of a die's face. */
  readonly strangeAreaFaces: number;
}

/** Motion limits of a calibration that has measured none. Motion by a tenth of an edge halves the sharpness, and of 2,500 flat dice on 28 rigs none was
 *  below 0.84; a turn by 10° brings the evenness of pips to 0.7, that of the sides to 0.8 to 0.9. */
export const usualMotionLimits: MotionLimits = {
  sharpnessRatioMin: 0.82,
  sharpnessEvennessMin: 0.68,
  sideEvennessMin: 0.8,
  sideEvennessOfOneMin: 0.93,
};

/** Limits of the judge. The product refuses a die that leans by more than 8°; every limit stands well inside what 8° does. */
export const judgeLimits = {
  /** Logarithm of the odds. A die that touches what could hold it must look flat; one that stands free can lean only on something unseen, so only
   *  strong evidence speaks against it. */
  flatOddsSupportedMin: -1.5,
  flatOddsAnywhereMin: -10,
  seenSidesMin: 2,
  /** A die on another is nearer to the camera by one edge: 3 to 8 % larger. Lattices of flat dice scatter by 1 %. */
  spacingRatioMax: 1.028,
  spacingRatioMin: 0.965,
  /** Edges; half a px at 640 x 480. */
  latticeResidualMax: 0.014,
  /** Cosine of 14°. Flat dice measure 0.983 and more where an edge has 80 px, 0.972 at 54 px. */
  squeezeMin: 0.968,
  /** Areas of a pip. */
  strayPipsMax: 0.3,
  overlapShareMax: 0.03,
  /** Change of every die's body from which these are other dice. A lamp's sheen brightens one or two dark dice by more; of 2,300 throws on 62 simulated rigs all three
   *  are beyond 0.42 in six, four of them under a failed lamp. Black dice in place of clear red ones are at 1.2. */
  bodyChangeMax: 0.6,
  /** Edges. The circle is known to 0.05 of an edge and may be that of the wall's foot or of its top; a die on the rim lies half an edge beyond it. A
   *  die that stands on the wall's foot leans, and is refused for that. */
  wallGapMin: -0.15,
  /** Areas of a die's face without its rim of a px: a single px of the reduced picture with strange ones all around it is 0.0013. Of 1,198 throws of
   *  flat dice on 37 rigs 1,176 leave nothing, the others a glare or an unseen die; a crumb of 4 mm leaves 0.001 to 0.15, a coin 0.4. */
  strangeAreaFacesMax: 0.001,
  /** The same area from which something lies there for certain, whatever the dice look like: of three leaning dice up to 0.15 stay
   *  unexplained. The table does not shake with an object in the tray. */
  objectAreaFacesMin: 0.5,
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
  if (dice.every((die) => die.bodyChange > judgeLimits.bodyChangeMax)) return refused('scene-changed');
  if (evidence.strangeAreaFaces >= judgeLimits.objectAreaFacesMin) return refused('foreign-object');
  if (dice.some((die) => die.wallGap < judgeLimits.wallGapMin)) return refused('out-of-tray');
  if (dice.some((die) => die.overlapShare > judgeLimits.overlapShareMax || (die.spacingRatio ?? 1) > judgeLimits.spacingRatioMax))
    return refused('overlapping');
  const cause = dice.map((die) => causeOfDie(die, evidence.motionLimits)).find((found) => found !== null);
  if (cause !== undefined && cause !== null) return refused(cause);
  if (evidence.strangeAreaFaces > judgeLimits.strangeAreaFacesMax) return refused('foreign-object');
  const [a, b, c] = dice.map((die) => die.geometric);
  if (!a || !b || !c) return refused('layout');
  return { verdict: 'accepted', values: sortedDice(a, b, c), cause: null };
}

function causeOfDie(die: DieEvidence, limits: MotionLimits): RefusalCause | null {
  if (die.geometric === null) return die.geometricReason ?? 'layout';
  if ((die.sharpnessRatio ?? 1) < limits.sharpnessRatioMin) return 'moving';
  if ((die.sideEvenness ?? 1) < (die.geometric === 1 ? limits.sideEvennessOfOneMin : limits.sideEvennessMin)) return 'moving';
  if ((die.sharpnessEvenness ?? 1) < limits.sharpnessEvennessMin) return 'moving';
  if (die.pipsBeyondFace > 0) return 'layout';
  if (die.strayPips > judgeLimits.strayPipsMax || die.latticeResidual > judgeLimits.latticeResidualMax) return 'layout';
  if ((die.spacingRatio ?? 1) < judgeLimits.spacingRatioMin) return 'tilted';
  if (die.squeeze !== null && die.squeeze < judgeLimits.squeezeMin) return 'tilted';
  if (leans(die)) return 'tilted';
  if (die.appearance !== die.geometric) return 'readers-disagree';
  return null;
}

/** Whether a lean of 8° or more cannot be excluded. */
function leans(die: DieEvidence): boolean {
  const { flatOddsSupportedMin, flatOddsAnywhereMin, seenSidesMin } = judgeLimits;
  if (die.seenSides < seenSidesMin || die.flatOddsAnywhere < flatOddsAnywhereMin) return true;
  return die.flatOddsSupported !== null && die.flatOddsSupported < flatOddsSupportedMin;
}

function refused(cause: RefusalCause): PictureVerdict {
  return { verdict: 'refused', values: null, cause };
}
