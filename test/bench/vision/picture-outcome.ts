import type { PictureEvidence } from '../../../src/core/judging/judge-picture.ts';
import type { LabelledPicture } from './labelled-rig.ts';
import type { ReaderVariant } from './reader-variants.ts';

/** `right`: a valid throw with its values. `wrong`: other values, or an invalid throw taken as a result. `refused`: no result, which is what an
 *  invalid throw must get. */
export type Outcome = 'right' | 'refused' | 'wrong';

/** What became of one labelled picture. Plain data, sent between processes and kept in `results.jsonl`. */
export interface PictureOutcome {
  readonly source: string;
  readonly rig: string;
  readonly picture: LabelledPicture;
  readonly outcome: Outcome;
  /** Cause of the refusal; null when accepted. */
  readonly cause: string | null;
  readonly values: readonly number[] | null;
  /** JPEG bytes to reading, ms. */
  readonly ms: number;
  /** The same in processor time of all threads, which other programs on the machine falsify less. */
  readonly cpuMs: number;
  /** What the judge went by; null for a picture that was not read. */
  readonly evidence: PictureEvidence | null;
  readonly byVariant: Readonly<Record<ReaderVariant, Outcome>>;
}

/** Judges what a reader said about a picture. @param values in order of size, or null for a refusal. */
export function outcomeOf(picture: LabelledPicture, values: readonly number[] | null): Outcome {
  if (values === null) return 'refused';
  return picture.isValid && values.join() === picture.values.join() ? 'right' : 'wrong';
}

/** Folder below the report's for a picture that someone should look at; null for one read right and for an invalid throw that was refused. */
export function folderOf({ outcome, cause, picture }: PictureOutcome): string | null {
  if (outcome === 'wrong') return picture.isValid ? 'wrong-values' : `wrong-${picture.class}-accepted`;
  return outcome === 'refused' && picture.isValid ? `refused-${cause ?? 'unknown'}` : null;
}
