import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { ActivationOrder, CalibrationArchive } from '../../calibration/archive.ts';
import { compareProfiles } from '../../calibration/compare-profiles.ts';
import type { HistoryEntry } from '../../calibration/history.ts';
import { type CalibrationProfile, readProfile } from '../../calibration/profile.ts';
import { loadConfig } from '../config/load-config.ts';
import type { TableConfig } from '../config/table-config.ts';
import { claimTable } from '../doctor/table-claim.ts';
import { archiveOf, archiveOfFile } from './calibration-places.ts';
import { printLine } from './command-output.ts';
import { textTable } from './text-table.ts';

interface ConfigOption {
  readonly config: string;
}

interface PersonsOptions extends ConfigOption {
  readonly by: string;
  readonly supervisor: string;
  readonly why: string;
}

interface ActivateOptions extends PersonsOptions {
  readonly withoutValidation?: string;
}

/** The commands on the calibrations that a table keeps: `list`, `show`, `compare`, `activate`, `rollback`. */
export function calibrateArchiveCommands(): readonly Command[] {
  return [listCommand(), showCommand(), compareCommand(), activateCommand(), rollbackCommand()];
}

function withConfig(command: Command): Command {
  return command.option('--config <file>', 'the table.toml', 'table.toml');
}

function withPersons(command: Command): Command {
  return withConfig(command)
    .requiredOption('--by <name>', 'the technician')
    .requiredOption('--supervisor <name>', 'the supervisor, another person')
    .requiredOption('--why <text>', 'reason, kept in the history');
}

function listCommand(): Command {
  return withConfig(new Command('list'))
    .description('all calibrations of a table, and which one is active')
    .option('--history', 'every act on them instead')
    .action(({ config, history }: ConfigOption & { readonly history?: true }, command: Command) => {
      const archive = archiveOfFile(config);
      const lines = history === true ? historyLines(archive.history) : listLines(archive);
      for (const line of [...lines, ...activeLines(archive)]) printLine(command, line);
    });
}

function listLines(archive: CalibrationArchive): readonly string[] {
  const fitted = archive.history.filter(({ action }) => action === 'fitted');
  if (fitted.length === 0) return ['no calibration has been made yet; make one with "sicbo calibrate"'];
  const { profileId: activeId } = archive.active;
  return textTable(
    ['', 'calibration', 'made', 'by', 'validation', 'why'],
    fitted.map(({ profileId, at, by, why }) => [
      profileId === activeId ? '*' : '',
      profileId,
      minuteOf(at),
      by,
      validationText(archive.validationOf(profileId)),
      why,
    ]),
  );
}

function activeLines({ active }: CalibrationArchive): readonly string[] {
  if (active.isSame) return active.profileId === null ? [] : [`* active: ${active.profileId}`];
  return active.profileId === null
    ? ['the file that the table reads is none of these calibrations; activate one of them']
    : [`WARNING: the file that the table reads is not ${active.profileId}, which the history says is active; activate it again`];
}

function historyLines(entries: readonly HistoryEntry[]): readonly string[] {
  return textTable(
    ['nr', 'when', 'what', 'calibration', 'who', 'why'],
    entries.map(({ number, at, action, profileId, by, second, why, validation, withoutValidation }) => [
      `${number}`,
      minuteOf(at),
      validation === null ? action : validation.isPassed ? 'validated, passed' : 'validated, not passed',
      profileId,
      second === null ? by : `${by} and ${second}`,
      withoutValidation === null ? why : `${why} (WITHOUT VALIDATION: ${withoutValidation})`,
    ]),
  );
}

function showCommand(): Command {
  return withConfig(new Command('show'))
    .description('one calibration: figures, validation and what was done with it')
    .argument('[calibration]', 'its id; the active one when left out')
    .action((id: string | undefined, { config }: ConfigOption, command: Command) => {
      const archive = archiveOfFile(config);
      const wanted = id ?? archive.active.profileId ?? 'none';
      const { profile, sha256 } = archive.profile(wanted);
      const entries = archive.history.filter(({ profileId }) => profileId === wanted);
      const figures = compareProfiles(profile, profile).map(({ name, first }) => [name, first]);
      for (const line of [
        ...textTable(null, [['calibration', wanted], ['file', archive.pathOf(wanted)], ['SHA-256', sha256], ...figures]),
        '',
        ...historyLines(entries),
        ...reportLines(archive.validationOf(wanted)),
      ])
        printLine(command, line);
    });
}

function reportLines(entry: HistoryEntry | null): readonly string[] {
  return entry?.validation ? [`report: ${entry.validation.report} in the folder of the calibrations`] : [];
}

function compareCommand(): Command {
  return withConfig(new Command('compare'))
    .description('two calibrations side by side; > marks what two calibrations of the same rig would share')
    .argument('<first>', 'id or file')
    .argument('<second>', 'id or file')
    .action((first: string, second: string, { config }: ConfigOption, command: Command) => {
      const rows = compareProfiles(profileOf(first, config), profileOf(second, config));
      const table = rows.map((row) => [row.isNotable ? '>' : '', row.name, row.first, row.second]);
      for (const line of textTable(['', '', first, second], table)) printLine(command, line);
      const count = rows.filter(({ isNotable }) => isNotable).length;
      printLine(command, count === 0 ? 'the same rig, as far as can be told' : `${count} notable difference(s)`);
    });
}

function profileOf(idOrFile: string, config: string): CalibrationProfile {
  return existsSync(idOrFile) ? readProfile(idOrFile) : archiveOfFile(config).profile(idOrFile).profile;
}

function activateCommand(): Command {
  return withPersons(new Command('activate'))
    .description('make a calibration the one that the table reads; demands a passed validation and two persons')
    .argument('<calibration>', 'its id')
    .option(
      '--without-validation <reason>',
      'activate although its newest validation did not pass or there is none; kept in the history',
    )
    .action((id: string, { config, withoutValidation, ...persons }: ActivateOptions, command: Command) => {
      const table = loadConfig(config);
      archiveOf(table).activate(id, orderOf(persons), withoutValidation ?? null);
      for (const line of activatedLines(id, table)) printLine(command, line);
    });
}

function rollbackCommand(): Command {
  return withPersons(new Command('rollback'))
    .description('go back to the calibration that was active before; demands two persons')
    .action(({ config, ...persons }: PersonsOptions, command: Command) => {
      const table = loadConfig(config);
      const id = archiveOf(table).rollBack(orderOf(persons));
      for (const line of activatedLines(id, table)) printLine(command, line);
    });
}

/** What the persons at the table must do now: a table never changes its calibration while it plays. */
function activatedLines(id: string, { journal }: TableConfig): readonly string[] {
  const claim = claimTable(journal.path);
  if (claim.kind === 'ours') claim.release();
  if (claim.kind !== 'running') return [`${id} is active. The table does not run; it reads with it from its next start on.`];
  return [
    `${id} is active from the next start of the table on. The table RUNS and goes on reading with the calibration of its start.`,
    'End it between two rounds and start it again; a round that is open then is void before its shake, and held after it.',
    'Which calibration is at work, "sicbo doctor" and the line "vision" of /api/health say.',
  ];
}

function orderOf({ by, supervisor, why }: Omit<PersonsOptions, 'config'>): ActivationOrder {
  return { technician: by, supervisor, why, at: new Date().toISOString() };
}

function validationText(entry: HistoryEntry | null): string {
  if (entry?.validation == null) return 'none';
  return `${entry.validation.isPassed ? 'passed' : 'NOT PASSED'} ${minuteOf(entry.at)}`;
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
