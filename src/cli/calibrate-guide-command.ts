import { mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { guideCalibration } from '../../calibration/guide.ts';
import { usualPlan } from '../../calibration/sample-plan.ts';
import { CalibrationSession } from '../../calibration/session.ts';
import { loadConfig } from '../config/load-config.ts';
import { InputError } from '../errors.ts';
import { realDevices } from '../main.ts';
import { silentLog } from '../ports/log.ts';
import { productVersion } from '../product-version.ts';
import { readUncalibrated } from '../vision/uncalibrated/read-uncalibrated.ts';
import { archiveFolderOf, archiveOf } from './calibration-places.ts';
import { CommandFailed, printLine } from './command-output.ts';
import { fitInProcess } from './fit-process.ts';
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
    .addHelpText(
      'after',
      `
About 10 minutes: ${usualPlan.fitThrows} throws to learn from and ${usualPlan.validationThrows} to validate with. Ctrl-C stops it; the same command goes on where it stopped.
Stop the table first: its camera may serve one viewer only. Questions in files of answers: technician, supervisor, why,
die-edge-mm, tray-diameter-mm, empty, camera, roll, values. Ends with code 0 when the validation passed, 1 when it did not or
was stopped, 2 when the configuration or a file is wrong.`,
    )
    .action((options: GuideOptions, command: Command) => guide(options, (line) => printLine(command, line)));
}

async function guide(options: GuideOptions, say: (line: string) => void): Promise<void> {
  const config = loadConfig(options.config);
  const { frames, clock } = realDevices(config, silentLog);
  const folder = resolve(options.session ?? join(archiveFolderOf(config), 'session'));
  const session = new CalibrationSession(folder);
  const archive = archiveOf(config);
  const stop = new AbortController();
  const terminal = openGuideTerminal(say, options.answers ?? null, stop, folder);
  const plan = {
    ...usualPlan,
    fitThrows: countOf(options.fitThrows, 'fit-throws', 6),
    validationThrows: countOf(options.validationThrows, 'validation-throws', 1),
  };
  const { by, supervisor, why, dieEdgeMm } = options;
  const given = {
    ...(by === undefined ? {} : { technician: by }),
    ...(supervisor === undefined ? {} : { supervisor }),
    ...(why === undefined ? {} : { why }),
    ...(dieEdgeMm === undefined ? {} : { dieEdgeMm }),
  };
  if (session.settings !== null) say(`Going on with the calibration in ${folder}; remove the folder to begin anew.`);
  frames.open();
  try {
    const result = await guideCalibration({
      frames,
      clock,
      isStillSource: config.camera.source.kind === 'directory',
      session,
      archive,
      front: terminal,
      plan,
      fit: (samples, person, progress) => fitInProcess(samples, person, progress, stop.signal),
      readUncalibrated: (jpeg) => {
        const { seenValues, refusedFor } = readUncalibrated(jpeg);
        return { values: seenValues, cause: refusedFor };
      },
      given,
      tableName: config.table.name,
      softwareVersion: productVersion,
      nowIso: () => new Date().toISOString(),
      signal: stop.signal,
    });
    const kept = join(archiveFolderOf(config), 'samples', result.profileId);
    mkdirSync(join(archiveFolderOf(config), 'samples'), { recursive: true });
    if (options.session === undefined) renameSync(folder, kept);
    say(`report: ${result.report}`);
    if (!result.isPassed) throw new CommandFailed(`NOT PASSED: ${result.profileId} is kept but should not be activated.`);
    say(`PASSED. When both have signed: sicbo calibrate activate ${result.profileId} --by NAME --supervisor NAME --why TEXT`);
  } finally {
    terminal.close();
    await frames.close();
  }
}

function countOf(text: string, name: string, smallest: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= smallest && count <= 1_000) return count;
  throw new InputError('calibration.count', `--${name} ${text}: a whole number from ${smallest} to 1000 is needed`);
}
