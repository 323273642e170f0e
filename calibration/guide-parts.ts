import type { RefusalCause } from '../src/core/judging/reading.ts';
import type { Dice } from '../src/core/rules/dice.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { FrameSource } from '../src/ports/frame-source.ts';
import type { CalibrationArchive } from './archive.ts';
import type { FitPerson } from './fit.ts';
import type { CalibrationProfile } from './profile.ts';
import type { SamplePlan } from './sample-plan.ts';
import type { CalibrationSession } from './session.ts';

/** What shows the guide to a person: a terminal, a file of answers, later a page. */
export interface GuideFront {
  say(line: string): void;
  /** Resolves with the answer, without its end of line. @param name stable name of the question, for files of answers.
   *  @throws whatever ends the guide: the session stays and can be gone on with. */
  ask(name: QuestionName, text: string): Promise<string>;
}

/** Every question of the guide. */
export const questionNames = [
  'technician',
  'supervisor',
  'why',
  'die-edge-mm',
  'tray-diameter-mm',
  'empty',
  'camera',
  'roll',
  'values',
  'samples',
  'scene',
  'taken',
] as const;

export type QuestionName = (typeof questionNames)[number];

/** What was read in a picture, for the technician to confirm or correct; null values where it was refused for the cause. */
export interface ProposedValues {
  readonly values: Dice | null;
  readonly cause: RefusalCause | null;
  /** How many dice were seen. */
  readonly dice: readonly unknown[];
}

/** Rolls the dice for the guide: the shaker of a table that is stopped. */
export interface GuideShaker {
  /** Shakes once. Resolves when the motor has ended, the dice may still roll. @returns null, or why it did not shake, in words. */
  roll(signal: AbortSignal): Promise<string | null>;
}

/** What a guided calibration works with. */
export interface GuideParts {
  readonly frames: FrameSource;
  readonly clock: Clock;
  /** True for a folder of pictures, which may show the same one again. */
  readonly isStillSource: boolean;
  readonly session: CalibrationSession;
  readonly archive: CalibrationArchive;
  readonly front: GuideFront;
  /** Null where the dice are rolled by hand. */
  readonly shaker: GuideShaker | null;
  readonly plan: SamplePlan;
  /** Fits a folder; may take a minute. @throws InputError `calibration.*`. */
  readonly fit: (folder: string, person: FitPerson) => Promise<CalibrationProfile>;
  /** Reads a picture before there is a calibration; null where nothing can. What it says is only a proposal. */
  readonly readUncalibrated: ((jpeg: Buffer) => ProposedValues) | null;
  /** Answers given on the command line. */
  readonly given: {
    readonly technician?: string;
    readonly supervisor?: string;
    readonly why?: string;
    readonly dieEdgeMm?: string;
  };
  readonly tableName: string;
  readonly softwareVersion: string;
  /** The wall clock as ISO date and time. */
  readonly nowIso: () => string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
