import { type DieEvidence, judgePicture, type PictureEvidence } from '../../../src/core/judging/judge-picture.ts';

/** The product, and what would be left of it with less evidence. `-bare`: three faces that the reader names, no look at lean, movement,
 *  overlap or what else lies in the tray. */
export type ReaderVariant = 'both' | 'geometric' | 'appearance' | 'geometric-bare' | 'appearance-bare';

export const readerVariants: readonly ReaderVariant[] = ['both', 'geometric', 'appearance', 'geometric-bare', 'appearance-bare'];

/** What one variant says about a picture: three values in order of size, or null for a refusal. */
export function readingOfVariant(variant: ReaderVariant, evidence: PictureEvidence): readonly number[] | null {
  switch (variant) {
    case 'both':
      return judgePicture(evidence).values;
    case 'geometric':
      return judgePicture({ ...evidence, dice: evidence.dice.map((die) => ({ ...die, appearance: die.geometric })) }).values;
    case 'appearance':
      return judgePicture({ ...evidence, dice: evidence.dice.map(withoutPips) }).values;
    case 'geometric-bare':
      return bareValues(evidence.dice.map((die) => die.geometric));
    case 'appearance-bare':
      return bareValues(evidence.dice.map((die) => die.appearance));
    default:
      return variant satisfies never;
  }
}

/** The evidence without what the pips' places and borders tell, which is the geometric reader's; the sides of the die stay. */
function withoutPips(die: DieEvidence): DieEvidence {
  return {
    ...die,
    geometric: die.appearance,
    geometricReason: die.appearance === null ? 'layout' : null,
    spacingRatio: null,
    latticeResidual: 0,
    squeeze: null,
    strayPips: 0,
    sharpnessRatio: null,
  };
}

function bareValues(values: readonly (number | null)[]): readonly number[] | null {
  const told = values.filter((value): value is number => value !== null);
  return values.length === 3 && told.length === 3 ? told.sort((a, b) => a - b) : null;
}
