import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { readProfile } from '../../calibration/profile.ts';
import { reportHtml } from '../../calibration/report-html.ts';
import { reportJson } from '../../calibration/report-json.ts';
import { fileSha256, type ValidatedThrow, type Validation, validateProfile } from '../../calibration/validate.ts';
import { readValidationSet } from '../../calibration/validation-set.ts';
import { writeWholeFile } from '../../calibration/whole-file.ts';
import { productVersion } from '../product-version.ts';
import { CommandFailed, printLine } from './command-output.ts';
import { textTable } from './text-table.ts';

interface ValidateOptions {
  readonly profile: string;
  readonly samples: string;
  readonly report?: string;
  readonly technician?: string;
  readonly supervisor?: string;
}

/** `sicbo calibrate validate`: reads throws that the fit has not seen and judges the calibration by the stated limits. Exit code 0 when all limits
 *  are kept, 1 when one is not, 2 when files cannot be used. */
export function calibrateValidateCommand(): Command {
  return new Command('validate')
    .description('read throws that the fit has not seen (test rows of a labels.jsonl) and judge by the stated limits')
    .requiredOption('--profile <file>', 'calibration file')
    .requiredOption('--samples <folder>', 'folder with labels.jsonl and its pictures')
    .option('--report <file>', 'write the report as one HTML page, and its figures as JSON beside it')
    .option('--technician <name>', 'name under the line on which the technician signs')
    .option('--supervisor <name>', 'name under the line on which the supervisor signs')
    .addHelpText('after', '\nEnds with code 0 when every limit is kept, 1 when one is not, 2 when files cannot be used.')
    .action((options: ValidateOptions, command: Command) => {
      const profile = readProfile(options.profile);
      const set = readValidationSet(options.samples);
      const validation = validateProfile(
        {
          profile,
          profileSha256: fileSha256(readFileSync(options.profile)),
          validatedAt: new Date().toISOString(),
          onThrow: (validated, index) => showProgress(validated, index, set.throws.length),
        },
        set,
      );
      if (options.report !== undefined) {
        const people = { table: null, technician: options.technician ?? null, supervisor: options.supervisor ?? null };
        const emptyJpeg = set.emptyPictures[0]?.jpeg ?? Buffer.alloc(0);
        writeWholeFile(options.report, reportHtml(validation, emptyJpeg, people, productVersion));
        writeWholeFile(jsonBeside(options.report), reportJson(validation, productVersion));
      }
      for (const line of validationLines(validation)) printLine(command, line);
      if (options.report !== undefined) printLine(command, `report written to ${options.report}`);
      if (!validation.isPassed) throw new CommandFailed();
    });
}

/** Verdict and every limit, for the terminal. */
export function validationLines(validation: Validation): readonly string[] {
  const { counts, limits, isPassed, profile } = validation;
  const invalidCount = counts['not-taken'] + counts['falsely-taken'];
  const notMeasured = limits.filter(({ verdict }) => verdict === 'not-measured').length;
  const marks = { passed: 'ok', failed: 'FAILED', 'not-measured': 'UNKNOWN' } as const;
  return [
    `${profile.id}: ${counts.right} right / ${counts.refused} refused / ${counts.wrong} wrong of valid throws; ${counts['falsely-taken']} of ${invalidCount} invalid throws taken`,
    '',
    ...textTable(
      ['', 'limit', 'measured', 'allowed'],
      limits.map(({ verdict, title, measured, limit }) => [marks[verdict], title, measured, limit]),
    ),
    '',
    ...limits.flatMap(({ verdict, title, advice }) => (verdict === 'passed' ? [] : [`${title}: ${advice}`])),
    `${isPassed ? 'PASSED' : 'NOT PASSED'}${notMeasured > 0 ? `; ${notMeasured} limit(s) could not be measured, and so have not passed` : ''}`,
  ];
}

/** @returns `a/b.validation.json` for `a/b.html`; a plain `a/b.json` could be the calibration itself. */
export function jsonBeside(report: string): string {
  return `${report.replace(/\.html?$/i, '')}.validation.json`;
}

function showProgress({ labelled, outcome }: ValidatedThrow, index: number, count: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${count} throws read${index + 1 === count ? '\n' : ''}`);
  if (outcome === 'wrong' || outcome === 'falsely-taken')
    process.stderr.write(`${labelled.file}: ${outcome === 'wrong' ? 'read wrong' : 'taken, must not be'}\n`);
}
