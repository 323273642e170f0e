import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TableConfig } from '../config/table-config.ts';
import { anchorFileNames } from '../journal/anchor.ts';
import { mayReadAndWrite, userName } from './account.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** The folders of journal, anchor and evidence: there or possible to make, writable, with space left.
 *  @param diskProblem what the table itself says about the journal's disk. */
export async function checkFolders(
  config: TableConfig['journal'],
  diskProblem: () => string | null,
): Promise<readonly Finding[]> {
  const journalFolder = dirname(config.path);
  return [
    await writable('journal folder', journalFolder),
    await disk(journalFolder, config.diskFreeMbMin, diskProblem),
    await anchor(config.anchorFolder, journalFolder),
    await writable('evidence folder', config.evidenceFolder),
  ];
}

async function writable(check: string, folder: string): Promise<Finding> {
  const base = nearestThere(folder);
  const isThere = base === folder;
  if ((await stat(base)).isDirectory() && (await mayReadAndWrite(base)))
    return ok(check, isThere ? folder : `${folder}, made at the first start`);
  const detail = isThere
    ? `${folder} cannot be written by ${userName()}`
    : `${folder} is not there and ${userName()} cannot make it in ${base}`;
  return problem(check, detail, `sudo mkdir -p ${folder} && sudo chown ${userName()} ${folder}`);
}

async function disk(folder: string, freeMbMin: number, diskProblem: () => string | null): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(nearestThere(folder));
  const freeMb = Math.floor((bavail * bsize) / 1_000_000);
  const said = existsSync(folder) ? diskProblem() : null;
  const advice = 'make room, or move journal and evidence to a larger disk; the table plays on and warns until its disk is full';
  if (said !== null) return warning('disk', said, advice);
  return ok(
    'disk',
    `${freeMb} MB free (${blocks === 0 ? 0 : Math.floor((100 * bavail) / blocks)} %), at least ${freeMbMin} MB wanted`,
  );
}

/** The anchor vouches for the journal only as long as both are not lost together, and only with its key. */
async function anchor(folder: string, journalFolder: string): Promise<Finding> {
  const found = await writable('anchor folder', folder);
  if (found.verdict !== 'ok' || !existsSync(folder)) return found;
  const isThere = (name: keyof typeof anchorFileNames): boolean => existsSync(join(folder, anchorFileNames[name]));
  if (isThere('anchor') && !isThere('privateKey')) {
    const advice = 'put the key back from a backup, or begin a new journal with "sicbo journal set-aside"';
    return problem('anchor folder', `${folder} holds an anchor, and its key ${anchorFileNames.privateKey} is missing`, advice);
  }
  const isSameDisk = existsSync(journalFolder) && (await stat(folder)).dev === (await stat(journalFolder)).dev;
  if (!isSameDisk) return found;
  return ok(
    'anchor folder',
    `${folder}, on the same disk as the journal`,
    'at best on another disk, so that one fault cannot take both',
  );
}

function nearestThere(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : nearestThere(dirname(folder));
}
