import { readdirSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { House } from '../core/rules/house.ts';
import { InputError } from '../errors.ts';
import { productRoot } from '../product-root.ts';
import { houseFrom } from './house-from.ts';
import { houseProblems } from './house-problems.ts';
import { houseSchema } from './house-schema.ts';
import { problem } from './problems.ts';
import { readTomlFile } from './toml-file.ts';

const housesFolder = join(productRoot, 'src', 'core', 'rules', 'houses');

/** Ids of the houses that come with the product, in alphabetical order. */
export function houseIds(): readonly string[] {
  return readdirSync(housesFolder)
    .filter((name) => name.endsWith('.toml'))
    .map((name) => basename(name, '.toml'))
    .sort();
}

/** Reads and checks a house. @param idOrPath an id of `houseIds`, or the path of a house file (with a slash, or ending in .toml).
 *  @param folder where relative paths start.
 *  @throws InputError `house.unknown`, `house.unreadable`, `house.not-toml`; `house.wrong` with every problem found, among them each zone
 *  that returns more than 100 %. */
export function loadHouse(idOrPath: string, folder: string = process.cwd()): House {
  const isPath = idOrPath.includes('/') || idOrPath.endsWith('.toml');
  if (!isPath && !houseIds().includes(idOrPath)) {
    throw new InputError(
      'house.unknown',
      `unknown house "${idOrPath}"; the houses are ${houseIds().join(', ')}, or give the path of a house file`,
    );
  }
  const path = isPath ? resolve(folder, idOrPath) : join(housesFolder, `${idOrPath}.toml`);
  const { data, sha256 } = readTomlFile(path, 'house');
  const problems = [...houseProblems(data), ...idProblems(data, path)];
  if (problems.length === 0) return houseFrom(houseSchema.parse(data), sha256);
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  throw new InputError('house.wrong', `house file ${path} has ${count}`, problems);
}

/** A house of one's own must not bear the id of a house of the product: the journal names the house of a round by its id alone. */
function idProblems(data: unknown, path: string): readonly string[] {
  const id: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'id') : undefined;
  const isTaken = houseIds().some(
    (taken) => taken === id && realpathSync(path) !== realpathSync(join(housesFolder, `${taken}.toml`)),
  );
  return isTaken ? [problem('id', id, 'a house of the product has this id; give your own another one')] : [];
}
