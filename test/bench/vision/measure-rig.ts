import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fitProfile } from '../../../calibration/fit.ts';
import { drawOverlay } from '../../../src/vision/overlay.ts';
import { readJpeg } from '../../../src/vision/read-picture.ts';
import { openRig, type Rig } from '../../../src/vision/rig.ts';
import { labelledPictures } from './labelled-rig.ts';
import { folderOf, type Outcome, outcomeOf, type PictureOutcome } from './picture-outcome.ts';
import { type ReaderVariant, readerVariants, readingOfVariant } from './reader-variants.ts';

/** One rig to be measured: a labelled folder, and the source it is counted under. */
export interface RigTask {
  readonly source: string;
  readonly rig: string;
  readonly folder: string;
  /** Where pictures with overlays go. */
  readonly outFolder: string;
}

/** What was measured on one rig. */
export interface RigMeasure {
  readonly source: string;
  readonly rig: string;
  /** Why the rig could not be calibrated; all its pictures then count as refused. */
  readonly fitProblem: string | null;
  readonly fitMs: number;
  /** How the calibration reads its own samples; few accepted tell of a fit that went astray. Null without a calibration. */
  readonly samples: { readonly pictureCount: number; readonly acceptedCount: number; readonly wrongCount: number } | null;
  readonly pictures: readonly PictureOutcome[];
}

/** Fits a rig on its own `empty_ref` and `calib` rows and nothing else, reads its test pictures, writes overlays of wrong and refused ones. */
export function measureRig(task: RigTask): RigMeasure {
  const startMs = performance.now();
  const { source, rig: name } = task;
  let rig: Rig;
  let samples: RigMeasure['samples'];
  try {
    const profile = fitProfile(task.folder, { createdBy: 'bench', why: 'bench', createdAt: new Date().toISOString() }, () => {});
    samples = profile.measured;
    rig = openRig(profile);
  } catch (error) {
    const fitProblem = error instanceof Error ? error.message : String(error);
    const pictures = labelledPictures(task.folder, ['test']).map((picture): PictureOutcome => {
      return {
        source,
        rig: name,
        picture,
        outcome: 'refused',
        cause: 'not-calibrated',
        values: null,
        ms: 0,
        cpuMs: 0,
        evidence: null,
        byVariant: allRefused,
      };
    });
    return { source, rig: name, fitProblem, fitMs: performance.now() - startMs, samples: null, pictures };
  }
  const fitMs = performance.now() - startMs;
  const pictures = labelledPictures(task.folder, ['test']).map((picture): PictureOutcome => {
    const jpeg = readFileSync(join(task.folder, picture.file));
    const readMs = performance.now();
    const readCpu = process.cpuUsage();
    const explained = readJpeg(rig, jpeg);
    const ms = performance.now() - readMs;
    const cpu = process.cpuUsage(readCpu);
    const { values, cause } = explained.reading;
    const byVariant = Object.fromEntries(
      readerVariants.map((variant) => [variant, outcomeOf(picture, readingOfVariant(variant, explained.evidence))]),
    ) as Record<ReaderVariant, Outcome>;
    const outcome: PictureOutcome = {
      source,
      rig: name,
      picture,
      outcome: outcomeOf(picture, values),
      cause,
      values,
      ms: Math.round(ms * 10) / 10,
      cpuMs: Math.round((cpu.user + cpu.system) / 100) / 10,
      evidence: explained.evidence,
      byVariant,
    };
    const verdict = folderOf(outcome);
    const drawn = verdict === null ? null : drawOverlay(rig, jpeg, explained);
    if (verdict !== null && drawn !== null) {
      mkdirSync(join(task.outFolder, name, verdict), { recursive: true });
      writeFileSync(join(task.outFolder, name, verdict, picture.file), drawn);
    }
    return outcome;
  });
  rig.view.referenceMat.release();
  return { source, rig: name, fitProblem: null, fitMs, samples, pictures };
}

const allRefused = Object.fromEntries(readerVariants.map((variant) => [variant, 'refused'])) as Record<ReaderVariant, Outcome>;
