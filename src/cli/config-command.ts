import { Command } from 'commander';
import { configReference } from '../config/config-reference.ts';
import { loadConfig } from '../config/load-config.ts';
import { printLine } from './command-output.ts';

/** `sicbo config check FILE` and `sicbo config reference`. */
export function configCommand(): Command {
  const config = new Command('config').description('Checks a table.toml; prints all its keys.');
  config
    .command('check <file>')
    .description('Names every problem of a table.toml and of the house in it; looks at no device')
    .action((file: string, _options: unknown, command: Command) => {
      const { path, table, house } = loadConfig(file);
      printLine(
        command,
        `${path}: good. Table ${table.id} (${table.name}) plays house ${house.id}, ${house.zones.length} zones.`,
      );
    });
  config
    .command('reference')
    .description('Prints every key with what is allowed, unit, default and meaning')
    .action((_options: unknown, command: Command) => {
      printLine(command, configReference().trimEnd());
    });
  return config;
}
