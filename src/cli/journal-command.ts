import { userInfo } from 'node:os';
import { Command } from 'commander';
import { loadConfig } from '../config/load-config.ts';
import { InputError } from '../errors.ts';
import { setJournalAside } from '../journal/set-aside-journal.ts';
import { printLine } from './command-output.ts';

/** `sicbo journal`: acts of a person upon the journal's files. */
export function journalCommand(): Command {
  const command = new Command('journal').description('Acts upon the files of the journal. The table must be stopped.');
  command
    .command('set-aside')
    .description(
      'Renames a journal that cannot be opened, with its anchor, so that the next start begins a new one. Deletes nothing.',
    )
    .option('--config <file>', 'the table', 'table.toml')
    .requiredOption('--why <reason>', 'kept beside the journal')
    .option('--by <name>', 'who decides it (default: the user of this session)')
    .action((options: { config: string; why: string; by?: string }, self: Command) => {
      if (options.why.trim() === '')
        throw new InputError('journal.no-reason', '--why is empty: the reason is kept beside the journal');
      const { journal } = loadConfig(options.config);
      const aside = setJournalAside({
        journalPath: journal.path,
        anchorFolder: journal.anchorFolder,
        by: options.by ?? userInfo().username,
        why: options.why,
        atMs: Date.now(),
      });
      printLine(self, `journal now in ${aside.journalFolder}`);
      printLine(self, `anchor now in  ${aside.anchorFolder}`);
      printLine(
        self,
        'The next start begins a new journal. Unsettled wagers and a fault lock of the old one are not carried over: see to them first.',
      );
    });
  return command;
}
