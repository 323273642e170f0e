import { Command } from 'commander';
import { pino } from 'pino';
import { loadConfig } from '../config/load-config.ts';
import { InputError, StorageError } from '../errors.ts';
import { runDaemon } from '../main.ts';
import { CommandFailed } from './command-output.ts';

/** `sicbo run`: the daemon of one table. Runs until SIGTERM or Ctrl-C; the log goes to standard output as JSON lines. */
export function runCommand(): Command {
  return new Command('run')
    .description('Runs the table of a table.toml until SIGTERM or Ctrl-C. Missing devices are waited for.')
    .requiredOption('--config <file>', 'the table.toml')
    .addHelpText(
      'after',
      '\nEnds with code 0 after an orderly stop, 1 when the table must stay closed (damaged journal, port taken) or cannot go on (a mistake in the program), 2 when the configuration is wrong.',
    )
    .action(async ({ config: path }: { readonly config: string }) => {
      const config = loadConfig(path);
      const log = pino({ level: config.log.level, base: { table: config.table.id } });
      try {
        await runDaemon(config, log);
      } catch (error) {
        if (error instanceof StorageError || error instanceof InputError) throw error;
        if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
          throw new CommandFailed(
            `port ${config.api.port} of ${config.api.host} is taken: is another table running? Change api.port in ${config.path}`,
          );
        }
        throw error;
      }
    });
}
