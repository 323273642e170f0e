import { createHash } from 'node:crypto';
import type { PictureReading, RefusalCause } from '../src/core/judging/reading.ts';
import { type ExplainedReading, readJpeg } from '../src/vision/read-picture.ts';
import { openRig } from '../src/vision/rig.ts';
import { warmUp } from '../src/vision/warm-up.ts';
import { type CameraMeasures, measureCamera } from './camera-check.ts';
import { type FaceCounts, faceCounts } from './face-counts.ts';
import { type FeatureMargin, judgedMargins } from './judged-margins.ts';
import type { LimitResult } from './limit-result.ts';
import type { CalibrationProfile } from './profile.ts';
import { judgeValidation } from './validation-limits.ts';
import type { LabelledThrow, ValidationSet } from './validation-set.ts';

/** What became of one throw. `right` and `refused` are valid throws, `wrong` one taken with other values; `not-taken` and `falsely-taken` are those
 *  that must not be taken as a result. */
export type Outcome = 'right' | 'refused' | 'wrong' | 'not-taken' | 'falsely-taken';

/** One throw of a validation. */
export interface ValidatedThrow {
  readonly labelled: LabelledThrow;
  readonly outcome: Outcome;
  readonly explained: ExplainedReading;
  /** Processor time of a reading from JPEG to verdict, ms: what else runs on the machine does not count. */
  readonly ms: number;
  /** File that shows the same throw, in the samples of the fit or earlier in this validation; null for a throw of its own. */
  readonly repeats: string | null;
}

/** How a calibration reads throws that it was not fitted on. */
export interface Validation {
  readonly validatedAt: string;
  readonly profile: CalibrationProfile;
  /** SHA-256 of the calibration file. */
  readonly profileSha256: string;
  readonly camera: CameraMeasures;
  readonly throws: readonly ValidatedThrow[];
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Distinct valid throws. */
  readonly validCount: number;
  readonly faces: FaceCounts;
  /** Refusals by cause, most frequent first: of valid throws, and of those that must not be taken. */
  readonly refusals: readonly { readonly cause: RefusalCause; readonly valid: number; readonly invalid: number }[];
  readonly margins: readonly FeatureMargin[];
  readonly timeMs: { readonly median: number; readonly p99: number; readonly count: number };
  readonly limits: readonly LimitResult[];
  /** True when every limit was measured and kept. */
  readonly isPassed: boolean;
}

/** A calibration with the hash of its file, and the moment of the validation (ISO date and time). */
export interface ValidationOrder {
  readonly profile: CalibrationProfile;
  readonly profileSha256: string;
  readonly validatedAt: string;
  /** Told after each throw; for the technician's screen. */
  readonly onThrow?: (validated: ValidatedThrow, index: number) => void;
}

/** Reads every throw of the set and judges the calibration by the stated limits. Takes about 50 ms a throw.
 *  @throws InputError `calibration.damaged` or `calibration.pictures`. */
export function validateProfile(order: ValidationOrder, set: ValidationSet): Validation {
  const { profile, onThrow } = order;
  const camera = measureCamera(set.emptyPictures);
  const rig = openRig(profile);
  const throws: ValidatedThrow[] = [];
  try {
    warmUp(rig);
    const fitted = new Map((profile.sampleSha256 ?? []).map((sha256) => [sha256, 'a sample of the fit']));
    for (const [index, labelled] of set.throws.entries()) {
      const explained = readJpeg(rig, labelled.jpeg);
      const repeats = fitted.get(labelled.sha256) ?? repeatedIn(throws, labelled, explained);
      const validated = { labelled, outcome: outcomeOf(labelled, explained.reading), explained, ms: 0, repeats };
      throws.push(validated);
      onThrow?.(validated, index);
    }
    // Timed when the code has been compiled, as at a table that plays.
    for (const [index, validated] of throws.entries()) {
      const before = process.cpuUsage();
      readJpeg(rig, validated.labelled.jpeg);
      const { user, system } = process.cpuUsage(before);
      throws[index] = { ...validated, ms: (user + system) / 1_000 };
    }
  } finally {
    rig.view.referenceMat.release();
  }
  return summary(order, camera, throws);
}

function summary(
  { profile, profileSha256, validatedAt }: ValidationOrder,
  camera: CameraMeasures,
  throws: readonly ValidatedThrow[],
): Validation {
  const counts: Record<Outcome, number> = { right: 0, refused: 0, wrong: 0, 'not-taken': 0, 'falsely-taken': 0 };
  for (const { outcome } of throws) counts[outcome] += 1;
  const valid = throws.filter(({ labelled }) => labelled.truth !== null);
  const times = throws.map(({ ms }) => ms).sort((a, b) => a - b);
  const measured = {
    profile,
    camera,
    throws,
    counts,
    validCount: valid.filter(({ repeats }) => repeats === null).length,
    faces: faceCounts(throws),
    refusals: refusalsOf(throws),
    margins: judgedMargins(valid.map(({ explained }) => explained.evidence)),
    timeMs: { median: times[times.length >> 1] ?? 0, p99: times[Math.ceil(times.length * 0.99) - 1] ?? 0, count: times.length },
  };
  const limits = judgeValidation(measured);
  return { ...measured, validatedAt, profileSha256, limits, isPassed: isPassed(limits) };
}

/** True when every limit was measured and kept. */
export function isPassed(limits: readonly LimitResult[]): boolean {
  return limits.every(({ verdict }) => verdict === 'passed');
}

function outcomeOf({ truth }: LabelledThrow, reading: PictureReading): Outcome {
  if (truth === null) return reading.verdict === 'accepted' ? 'falsely-taken' : 'not-taken';
  if (reading.verdict === 'refused') return 'refused';
  return reading.values.join() === truth.join() ? 'right' : 'wrong';
}

/** Distance up to which two dice lie at the same place, edges of a die: nobody throws three dice so by chance. */
const samePlaceEdges = 0.04;

/** A second picture of dice that nobody threw in between proves nothing new. */
function repeatedIn(earlier: readonly ValidatedThrow[], labelled: LabelledThrow, { reading }: ExplainedReading): string | null {
  const same = earlier.find((other) => {
    if (other.labelled.sha256 === labelled.sha256) return true;
    const dice = other.explained.reading.dice;
    if (dice.length === 0 || dice.length !== reading.dice.length) return false;
    return reading.dice.every((die) => {
      const [first, second] = die.quadPx;
      const edgePx = first === undefined || second === undefined ? 1 : Math.hypot(second[0] - first[0], second[1] - first[1]);
      return dice.some(({ centrePx: [x, y] }) => Math.hypot(die.centrePx[0] - x, die.centrePx[1] - y) < samePlaceEdges * edgePx);
    });
  });
  return same?.labelled.file ?? null;
}

function refusalsOf(throws: readonly ValidatedThrow[]): Validation['refusals'] {
  const counts = new Map<RefusalCause, { valid: number; invalid: number }>();
  for (const { labelled, explained } of throws) {
    const { cause } = explained.reading;
    if (cause === null) continue;
    const count = counts.get(cause) ?? { valid: 0, invalid: 0 };
    count[labelled.truth === null ? 'invalid' : 'valid'] += 1;
    counts.set(cause, count);
  }
  return [...counts].map(([cause, count]) => ({ cause, ...count })).sort((a, b) => b.valid + b.invalid - a.valid - a.invalid);
}

/** SHA-256 of a calibration file's bytes, 64 hex digits. */
export function fileSha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
