import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { loadConfig } from '../config/load-config.ts';
import { InputError } from '../errors.ts';
import { EvidenceFiles } from '../journal/evidence-files.ts';
import { damageLine } from '../journal/journal-damage.ts';
import { type JournalReport, type VerifyOptions, verifyJournal } from '../journal/verify-journal.ts';
import { CommandFailed, printLine } from './command-output.ts';

interface VerifyCommandOptions {
  readonly config?: string;
  readonly journal?: string;
  readonly anchor?: string;
  readonly evidence?: string;
  readonly json?: true;
}

/** Records between two signs of life on a terminal. */
const progressRecordCount = 100_000;

/** `sicbo verify`: checks a journal, its anchor and its pictures, also beside a running table. Writes to none of them. Exit code 0: sound; 1: the first
 *  wrong or missing record was named. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'Checks a journal: every hash, the anchor, the rules of a round, the pictures. Names the first wrong or missing record.',
    )
    .option(
      '--config <file>',
      'the table whose journal, anchor and evidence are checked (default: table.toml, without --journal)',
    )
    .option('--journal <file>', 'a journal file on its own')
    .option('--anchor <folder>', 'with --journal: folder of its anchor; without it a cut end goes unnoticed')
    .option('--evidence <folder>', 'with --journal: folder of its pictures; without it they are not checked')
    .option('--json', 'one line of JSON')
    .action((options: VerifyCommandOptions, command: Command) => {
      const places = placesOf(options);
      if (!existsSync(places.journalPath) && (places.anchorFolder === null || !existsSync(places.anchorFolder))) {
        throw new InputError('verify.no-journal', `there is no journal ${places.journalPath}`);
      }
      let recordCount = 0;
      const report = verifyJournal({
        ...places,
        isWithRules: true,
        pages: 'full',
        onRecord: () => {
          recordCount += 1;
          if (recordCount % progressRecordCount === 0 && process.stderr.isTTY)
            process.stderr.write(`\r${recordCount} records checked `);
        },
      });
      if (recordCount >= progressRecordCount && process.stderr.isTTY) process.stderr.write('\n');
      const lines = options.json === true ? [JSON.stringify(reportView(report))] : reportLines(report, places);
      for (const line of lines) printLine(command, line);
      if (report.damages.length > 0) throw new CommandFailed();
    });
}

type Places = Pick<VerifyOptions, 'journalPath' | 'anchorFolder' | 'evidence'>;

function placesOf({ config: configPath, journal, anchor, evidence }: VerifyCommandOptions): Places {
  if (journal !== undefined) {
    if (configPath !== undefined) throw new InputError('verify.two-journals', 'give --config or --journal, not both');
    return {
      journalPath: resolve(journal),
      anchorFolder: anchor === undefined ? null : resolve(anchor),
      evidence: evidence === undefined ? null : new EvidenceFiles(resolve(evidence), 1),
    };
  }
  if (anchor !== undefined || evidence !== undefined)
    throw new InputError('verify.no-journal', '--anchor and --evidence need --journal');
  const config = loadConfig(configPath ?? 'table.toml');
  return {
    journalPath: config.journal.path,
    anchorFolder: config.journal.anchorFolder,
    evidence: new EvidenceFiles(config.journal.evidenceFolder, config.journal.evidenceMbMax),
  };
}

function reportView({ journalPath, head, anchor, damages, ...counts }: JournalReport) {
  return {
    isSound: damages.length === 0,
    journal: journalPath,
    recordCount: head.recordNumber,
    head,
    anchor,
    ...counts,
    damages,
  };
}

function reportLines(report: JournalReport, places: Places): readonly string[] {
  const { head, anchor, evidence, damages } = report;
  return [
    `journal   ${report.journalPath}`,
    `identity  ${report.journalId ?? 'unknown'}, table ${report.tableId ?? 'unknown'}`,
    `records   ${head.recordNumber} sound, ${report.roundCount} rounds opened, ${report.endedRoundCount} ended`,
    `head      record ${head.recordNumber}, hash ${head.hash}`,
    anchor === null
      ? `anchor    ${places.anchorFolder === null ? 'not checked: without --anchor a cut end goes unnoticed' : 'none'}`
      : `anchor    record ${anchor.recordNumber}, ${new Date(anchor.wallMs).toISOString()}`,
    evidence === null
      ? 'evidence  not checked'
      : `evidence  ${evidence.soundCount} pictures sound, ${evidence.prunedCount} of old rounds pruned`,
    ...damages.map((damage) => `DAMAGED   ${damageLine(damage)}`),
    damages.length === 0
      ? 'The journal is sound.'
      : 'The journal is NOT sound. Keep the files as they are; src/journal/README.md says what to do.',
  ];
}
