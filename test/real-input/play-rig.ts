import { join } from 'node:path';
import type { LabelledRig, LabelledThrow } from './labelled-rig.ts';
import { type PlayedThrow, playThrow } from './play-throw.ts';
import { RealTable } from './real-table.ts';
import { type PlainReading, readPlainly, runSicboProcess } from './sicbo-process.ts';

/** `right`: declared what the label says. `refused`: declared nothing. `wrong`: declared anything else, or anything at all of an invalid throw. */
export type Verdict = 'right' | 'refused' | 'wrong';

/** One labelled throw with what the table and `sicbo read` made of it. */
export interface JudgedThrow extends LabelledThrow, PlayedThrow {
  readonly rig: string;
  readonly verdict: Verdict;
  /** What `sicbo read` says of the bare picture. */
  readonly plain: PlainReading;
  readonly plainVerdict: Verdict;
}

export interface PlayRigOptions {
  /** Keeps what the run leaves: calibration, journal, evidence, logs. */
  readonly folder: string;
  /** Calibration of the rig; made by `sicbo calibrate fit` when left out. */
  readonly calibrationFile?: string;
  /** Throws played at most, taken evenly from the rig's list; all when left out. */
  readonly limit?: number;
  readonly frameRate?: number;
  readonly shakesMax?: number;
  /** Factor on the time of a tumble, 1 to 2: a machine that is busy with other work looks at fewer pictures. */
  readonly slowness?: number;
  readonly seed?: number;
  /** Told after each throw. */
  readonly onJudged?: (judged: JudgedThrow, playedCount: number, throwCount: number) => void;
}

/** Pictures a second of a common network camera. */
const defaultFrameRate = 15;
/** One repetition shows that the table shakes again. */
const defaultShakesMax = 2;

/** Calibrates the rig as a technician would, starts the daemon on it, and plays each throw as a round. Leaves nothing running.
 *  @throws Error when the calibration fails, the daemon does not come up, or a round does not end. */
export async function playRig(rig: LabelledRig, options: PlayRigOptions): Promise<JudgedThrow[]> {
  const {
    folder,
    limit = rig.throws.length,
    frameRate = defaultFrameRate,
    shakesMax = defaultShakesMax,
    slowness = 1,
    seed = 1,
    onJudged,
  } = options;
  const calibrationFile = options.calibrationFile ?? (await calibrate(rig.folder, join(folder, 'calibration.json')));
  const count = Math.min(limit, rig.throws.length);
  const throws = Array.from({ length: count }, (_, index) => rig.throws[Math.floor((index * rig.throws.length) / count)]).filter(
    (one) => one !== undefined,
  );
  const plainReadings = await readPlainly(
    calibrationFile,
    throws.map(({ file }) => file),
  );
  const table = await RealTable.start({ ...rig, folder, calibrationFile, frameRate, shakesMax, slowness, seed });
  const judged: JudgedThrow[] = [];
  try {
    for (const labelled of throws) {
      const played = await playThrow(table, labelled);
      const plain = plainReadings.get(labelled.file) ?? { values: null, cause: 'not-read' };
      const verdict = verdictOf(labelled, played.declared);
      judged.push({ ...labelled, ...played, rig: rig.name, verdict, plain, plainVerdict: verdictOf(labelled, plain.values) });
      onJudged?.(judged.at(-1) as JudgedThrow, judged.length, count);
    }
  } finally {
    await table.close();
  }
  return judged;
}

async function calibrate(samples: string, file: string): Promise<string> {
  await runSicboProcess(['calibrate', 'fit', '--samples', samples, '--out', file, '--by', 'bench', '--why', 'bench']);
  return file;
}

/** @param declared the values taken as a result, lowest first and comma between; null for none. */
export function verdictOf({ isValid, values }: LabelledThrow, declared: string | null): Verdict {
  if (declared === null) return 'refused';
  return isValid && declared === values ? 'right' : 'wrong';
}
