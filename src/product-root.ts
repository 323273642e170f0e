import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the product's package.json, absolute. Data files (houses, protocol lines) are found from here, the same whether the source
 *  or the built code in dist/ runs. */
export const productRoot: string = folderOfPackage(dirname(fileURLToPath(import.meta.url)));

/** The nearest folder at or above `start` that holds a package.json. A missing one means a broken installation, so it throws a plain Error. */
function folderOfPackage(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json in or above ${start}`);
  }
}
