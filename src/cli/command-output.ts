import type { Command } from 'commander';
import { TableError } from '../errors.ts';

/** Where a command writes; the real one is the process's stdout and stderr, tests collect. Text comes with its line ends. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Thrown by a command that did its work and found a bad answer (a broken journal, a failed check): its message goes to stderr, exit code 1.
 *  A command that has printed everything already leaves the message empty. */
export class CommandFailed extends TableError {
  constructor(message = '') {
    super('command.failed', message);
  }
}

/** Prints one line to the output of the program that the command belongs to. */
export function printLine(command: Command, line: string): void {
  let program = command;
  while (program.parent !== null) program = program.parent;
  program.configureOutput().writeOut?.(`${line}\n`);
}
