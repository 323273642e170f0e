import { existsSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { type FileLock, lockFile } from '../../calibration/file-lock.ts';
import { guideCalibration } from '../../calibration/guide.ts';
import { type GuideParts, type GuideShaker, questionNames } from '../../calibration/guide-parts.ts';
import { usualPlan } from '../../calibration/sample-plan.ts';
import { CalibrationSession } from '../../calibration/session.ts';
import { makeFolder } from '../../calibration/whole-file.ts';
import { loadConfig } from '../config/load-config.ts';
import type { TableConfig } from '../config/table-config.ts';
import { claimTable } from '../doctor/table-claim.ts';
import { InputError } from '../errors.ts';
import { realDevices } from '../main.ts';
import type { Clock } from '../ports/clock.ts';
import { silentLog } from '../ports/log.ts';
import type { Shaker } from '../ports/shaker.ts';
import { productVersion } from '../product-version.ts';
import { readUncalibrated } from '../vision/uncalibrated/read-uncalibrated.ts';
import { archiveFolderOf, archiveOf } from './calibration-places.ts';
import { CommandFailed, printLine } from './command-output.ts';
import { fitInProcess } from './fit-process.ts';
import { openGuideShaker } from './guide-shaker.ts';
import { openGuideTerminal } from './guide-terminal.ts';

interface GuideOptions {
  readonly config: string;
  readonly session?: string;
  readonly answers?: string;
  readonly fitThrows: string;
  readonly validationThrows: string;
  readonly by?: string;
  readonly supervisor?: string;
  readonly why?: string;
  readonly dieEdgeMm?: string;
  readonly byHand?: true;
}

/** `sicbo calibrate` without more words: leads through the whole calibration of a table. Exit code 0 when the validation passed, 1 when it did not or
 *  the technician stopped, 2 when the configuration is wrong. */
export function calibrateGuideCommand(): Command {
  return new Command('guide')
    .description(
      'the whole calibration, step by step: camera, empty tray, throws, fit, validation, report (also without the word "guide")',
    )
    .option('--config <file>', 'the table.toml', 'table.toml')
    .option('--session <folder>', 'where pictures and answers are kept until it is done (default: beside the calibrations)')
    .option('--answers <file>', 'answers instead of a person: one a line, or "name = answer" for questions of a name')
    .option('--fit-throws <count>', 'throws to learn from', `${usualPlan.fitThrows}`)
    .option('--validation-throws <count>', 'valid throws to validate with', `${usualPlan.validationThrows}`)
    .option('--by <name>', 'the technician')
    .option('--supervisor <name>', 'who will sign the report as well')
    .option('--why <text>', 'reason, kept with the calibration')
    .option('--die-edge-mm <mm>', 'edge of the dice')
    .option('--by-hand', 'roll the dice by hand although the table has a shaker')
    .addHelpText(
      'after',
      `
About 15 minutes: ${usualPlan.fitThrows} throws to learn from, ${usualPlan.validationThrows} to validate with, ${usualPlan.invalidScenes.length} scenes that must not be taken. ENTER rolls the dice
where a shaker answers. Ctrl-C stops it; the same command goes on where it stopped. The table must be stopped.
Questions in files of answers: ${questionNames.slice(0, 6).join(', ')},
${questionNames.slice(6).join(', ')}. Ends with code 0 when the validation passed, 1 when it did not or
was stopped, 2 when the configuration or a file is wrong.`,
    )
    .action((options: GuideOptions, command: Command) => guide(options, (line) => printLine(command, line)));
}

async function guide(options: GuideOptions, say: (line: string) => void): Promise<void> {
  const config = loadConfig(options.config);
  const claim = claimTable(config.journal.path);
  if (claim.kind === 'running')
    throw new CommandFailed('The table is running: stop it between two rounds first. Camera and shaker serve one program only.');
  if (claim.kind === 'unknown') throw new CommandFailed(claim.detail);
  const folder = resolve(options.session ?? join(archiveFolderOf(config), 'session'));
  let lock: FileLock | null = null;
  try {
    // Before the session is opened: opening mends what a power cut tore, and must not meet a guide that writes.
    makeFolder(dirname(folder));
    lock = lockFile(`${folder}.lock`);
    await guideSession(options, config, new CalibrationSession(folder), say);
  } finally {
    lock?.release();
    claim.release();
  }
}

async function guideSession(
  options: GuideOptions,
  config: TableConfig,
  session: CalibrationSession,
  say: (line: string) => void,
): Promise<void> {
  const { folder } = session;
  const { frames, clock, shaker } = realDevices(config, silentLog);
  const plan = {
    ...usualPlan,
    fitThrows: countOf(options.fitThrows, 'fit-throws', 6),
    validationThrows: countOf(options.validationThrows, 'validation-throws', 1),
  };
  const stop = new AbortController();
  const terminal = openGuideTerminal(say, options.answers ?? null, stop, folder);
  if (session.settings !== null) say(`Going on with the calibration in ${folder}; remove the folder to begin anew.`);
  frames.open();
  try {
    const result = await guideCalibration({
      frames,
      clock,
      isStillSource: config.camera.source.kind === 'directory',
      session,
      archive: archiveOf(config),
      front: terminal,
      shaker: options.byHand === true ? null : await guideShaker(config, shaker, clock, say),
      plan,
      fit: (samples, person) => fitInProcess(samples, person, stop.signal),
      readUncalibrated: (jpeg) => {
        const { seenValues, refusedFor, seenDice } = readUncalibrated(jpeg);
        return { values: seenValues, cause: refusedFor, dice: seenDice };
      },
      given: givenAnswers(options),
      tableName: config.table.name,
      softwareVersion: productVersion,
      nowIso: () => new Date().toISOString(),
      signal: stop.signal,
    });
    say(`report: ${result.report}`);
    if (!result.isPassed) {
      throw new CommandFailed(
        `NOT PASSED: ${result.profileId} is kept but should not be activated.\nPut right what failed. Camera, lamps or dice changed: remove ${folder} and calibrate anew. Only too few throws were read: the same command with a larger --validation-throws goes on.`,
      );
    }
    if (options.session === undefined) keepSamples(folder, join(archiveFolderOf(config), 'samples'), result.profileId);
    say(`PASSED. When both have signed: sicbo calibrate activate ${result.profileId} --by NAME --supervisor NAME --why TEXT`);
  } finally {
    terminal.close();
    await Promise.all([frames.close(), shaker.close()]);
  }
}

/** @returns null where the dice are rolled by hand. */
async function guideShaker(
  { shaker: { path }, play }: TableConfig,
  shaker: Shaker,
  clock: Clock,
  say: (line: string) => void,
): Promise<GuideShaker | null> {
  const shakes = { activationCount: play.shakeActivations, tumbleCount: play.tumblesMin };
  // A port that is not there would be waited for.
  const opened = existsSync(path) ? await openGuideShaker(shaker, clock, shakes) : null;
  say(opened === null ? `No shaker answers at ${path}: roll the dice by hand.` : `The shaker at ${path} rolls the dice.`);
  return opened;
}

/** The samples stay for a later fit; the next calibration begins anew. */
function keepSamples(session: string, folder: string, profileId: string): void {
  makeFolder(folder);
  const kept = join(folder, profileId);
  // Validated once more after a stop at the very end: the earlier samples are the same ones.
  if (!existsSync(kept)) renameSync(session, kept);
}

function givenAnswers({ by, supervisor, why, dieEdgeMm }: GuideOptions): GuideParts['given'] {
  return {
    ...(by === undefined ? {} : { technician: by }),
    ...(supervisor === undefined ? {} : { supervisor }),
    ...(why === undefined ? {} : { why }),
    ...(dieEdgeMm === undefined ? {} : { dieEdgeMm }),
  };
}

function countOf(text: string, name: string, smallest: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= smallest && count <= 1_000) return count;
  throw new InputError('calibration.count', `--${name} ${text}: a whole number from ${smallest} to 1000 is needed`);
}
