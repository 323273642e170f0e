import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfig } from '../config/load-config.ts';
import { examineTable } from '../doctor/examine-table.ts';
import type { Finding } from '../doctor/finding.ts';
import { realDevices } from '../main.ts';
import { silentLog } from '../ports/log.ts';
import { productRoot } from '../product-root.ts';
import { CommandFailed, printLine } from './command-output.ts';

/** `sicbo doctor`: checks each device of a table and says what to do. Exit code 0 without problems (warnings allowed), 1 with problems,
 *  2 when the configuration is wrong. Takes at most 30 s, moves nothing, lights nothing. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Checks each device of a table and says what to do. At most 30 s. A table that runs is asked, its devices are left alone.',
    )
    .option('--config <file>', 'the table.toml', 'table.toml')
    .option('--json', 'one line of JSON at the end')
    .addHelpText(
      'after',
      '\nEnds with code 0 when nothing hinders the table, 1 with problems, 2 when the configuration is wrong.',
    )
    .action(async (options: { readonly config: string; readonly json?: true }, command: Command) => {
      const config = loadConfig(options.config);
      const startedMs = performance.now();
      const isJson = options.json === true;
      if (!isJson) printLine(command, `Checking table ${config.table.id} of ${config.path}; at most 30 s.\n`);
      const node = { version: process.versions.node, range: supportedNode() };
      const findings = await examineTable({ config, ...realDevices(config, silentLog) }, node, (finding) => {
        if (!isJson) for (const line of linesOf(finding)) printLine(command, line);
      });
      const ms = Math.round(performance.now() - startedMs);
      const count = (verdict: Finding['verdict']): number => findings.filter((finding) => finding.verdict === verdict).length;
      const problemCount = count('problem');
      if (isJson) printLine(command, JSON.stringify({ table: config.table.id, isReady: problemCount === 0, ms, findings }));
      else
        printLine(
          command,
          `\n${counted(problemCount, 'problem')}, ${counted(count('warning'), 'warning')}, ${count('ok')} good, in ${(ms / 1_000).toFixed(1)} s. ${problemCount === 0 ? 'Nothing hinders the table.' : 'The table cannot play like this.'}`,
        );
      if (problemCount > 0) throw new CommandFailed();
    });
}

const marks: Readonly<Record<Finding['verdict'], string>> = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' };

function linesOf({ check, verdict, detail, advice }: Finding): readonly string[] {
  const line = `${marks[verdict]}  ${check.padEnd(16)}  ${detail}`;
  return advice === null ? [line] : [line, `${' '.repeat(27)}-> ${advice}`];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function supportedNode(): string {
  const manifest = JSON.parse(readFileSync(join(productRoot, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  return manifest.engines.node;
}
