import { Command, CommanderError } from 'commander';
import { InputError, TableError } from '../errors.ts';
import { productVersion } from '../product-version.ts';
import { type CommandEntry, commandList } from './command-list.ts';
import { CommandFailed, type Output } from './command-output.ts';

/** 0: done. 1: refused or failed. 2: the command line or a file given is wrong. */
export type ExitCode = 0 | 1 | 2;

/** Runs one `sicbo` command line and prints what it has to say; never throws for a TableError.
 *  @param args without node and the script. @throws whatever is a bug, with its stack for the bug report. */
export async function runSicbo(
  args: readonly string[],
  output: Output,
  commands: readonly CommandEntry[] = commandList,
): Promise<ExitCode> {
  const line = args[0] === 'help' && args[1] !== undefined ? [args[1], '--help', ...args.slice(2)] : args;
  const program = new Command('sicbo')
    .description('Controller of a physical electronic Sic Bo table')
    .version(productVersion)
    .helpCommand('help [command]', 'help for a command')
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.err(text) });
  const called = commands.find(({ name }) => name === line[0]);
  try {
    if (called === undefined) {
      // Only for the help and for "unknown command": none of them is run.
      for (const { name, summary } of commands) program.command(name).description(summary);
    } else {
      program.addCommand(inheriting(await called.load(), program));
    }
    await program.parseAsync(line, { from: 'user' });
    return 0;
  } catch (error) {
    return reported(error, output);
  }
}

function inheriting(command: Command, program: Command): Command {
  command.copyInheritedSettings(program);
  for (const child of command.commands) inheriting(child, program);
  return command;
}

function reported(error: unknown, output: Output): ExitCode {
  // Commander has printed its message itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof TableError)) throw error;
  if (error.message !== '') output.err(`${error instanceof CommandFailed ? '' : `${error.code}: `}${error.message}\n`);
  if (!(error instanceof InputError)) return 1;
  for (const problem of error.problems) output.err(`  ${problem}\n`);
  return 2;
}
