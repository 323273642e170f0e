import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError, StorageError } from '../errors.ts';
import { anchorFileNames } from './anchor.ts';
import { canonicalJson } from './canonical-json.ts';
import { syncFolder, writeDurably } from './durable-file.ts';
import { lockJournal } from './journal-lock.ts';
import { settledPath } from './open-journal.ts';

export interface SetAsideOptions {
  readonly journalPath: string;
  readonly anchorFolder: string;
  /** Who decides it, and why; both go into `set-aside.json` beside the journal. */
  readonly by: string;
  readonly why: string;
  /** Wall clock, ms since 1970. */
  readonly atMs: number;
}

/** Where the old journal and its anchor are now; `sicbo verify --journal … --anchor …` still checks them there. */
export interface SetAside {
  readonly journalFolder: string;
  readonly anchorFolder: string;
}

/** Takes a journal that cannot be opened out of the way, so that the next start begins a new one. Nothing is deleted or changed: database, WAL and
 *  anchor are renamed into folders with the time in their name. The table must be stopped. Can be called again after a power cut in the middle.
 *  @throws StorageError `journal.locked-by-other` while a table runs, `journal.unwritable`. InputError `journal.nothing-to-set-aside`. */
export function setJournalAside(options: SetAsideOptions): SetAside {
  const path = settledPath(options.journalPath);
  const lock = lockJournal(path);
  try {
    const anchorPath = join(options.anchorFolder, anchorFileNames.anchor);
    const journalFiles = [path, `${path}-wal`, `${path}-shm`].filter((file) => existsSync(file));
    if (journalFiles.length === 0 && !existsSync(anchorPath)) {
      throw new InputError('journal.nothing-to-set-aside', `there is neither a journal ${path} nor an anchor ${anchorPath}`);
    }
    const stamp = new Date(options.atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const aside: SetAside = {
      journalFolder: `${path}.set-aside-${stamp}`,
      anchorFolder: join(options.anchorFolder, `set-aside-${stamp}`),
    };
    mkdirSync(aside.journalFolder);
    const { by, why, atMs } = options;
    writeDurably(
      join(aside.journalFolder, 'set-aside.json'),
      `${canonicalJson({ by, why, atMs, anchorFolder: aside.anchorFolder })}\n`,
    );
    if (existsSync(options.anchorFolder)) moveAnchor(options.anchorFolder, aside.anchorFolder);
    // The WAL last: a database without its WAL would be an older journal, a WAL without its database is found as damage.
    for (const file of journalFiles) renameSync(file, join(aside.journalFolder, basename(file)));
    for (const folder of [aside.journalFolder, dirname(path)]) syncFolder(folder);
    return aside;
  } catch (error) {
    if (error instanceof StorageError || error instanceof InputError) throw error;
    throw new StorageError('journal.unwritable', `the journal ${path} cannot be set aside: ${String(error)}`, { cause: error });
  } finally {
    lock.release();
  }
}

/** The public key stays with the anchor that it checks. The key pair remains for the new journal, unless its private half is lost. */
function moveAnchor(from: string, to: string): void {
  mkdirSync(to);
  const at = (folder: string, name: keyof typeof anchorFileNames) => join(folder, anchorFileNames[name]);
  if (existsSync(at(from, 'publicKey'))) {
    if (existsSync(at(from, 'privateKey'))) copyFileSync(at(from, 'publicKey'), at(to, 'publicKey'));
    else renameSync(at(from, 'publicKey'), at(to, 'publicKey'));
  }
  if (existsSync(at(from, 'anchor'))) renameSync(at(from, 'anchor'), at(to, 'anchor'));
  for (const folder of [to, from]) syncFolder(folder);
}
