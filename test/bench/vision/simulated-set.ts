import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeLabelledSet } from '../../../hardware-sim/make-labelled-set.ts';
import { makeLeanSet } from '../../../hardware-sim/make-lean-set.ts';
import { randomRig } from '../../../hardware-sim/rig.ts';
import { productRoot } from '../../../src/product-root.ts';

/** A set of the random rig of a seed: `throws` has `count` throws of all classes, `leans` `count` pictures of each lean. */
export interface SimulatedSet {
  readonly kind: 'throws' | 'leans';
  readonly seed: number;
  readonly count: number;
}

/** Made sets are kept here from run to run: beside the packages, because they follow from the sources and can be made again. */
const cacheFolder = join(productRoot, 'node_modules', '.cache', 'sicbo-simulated-sets');

/** A simulated set from the cache, or made now (0.2 s a picture).
 *  @returns its folder. The key covers every source that the pictures follow from, so that a changed simulator makes new ones. */
export async function simulatedSetFolder({ kind, seed, count }: SimulatedSet): Promise<string> {
  const folder = join(cacheFolder, simulatorHash(kind), `sim-${seed}-${kind}-${count}`);
  if (existsSync(join(folder, 'labels.jsonl'))) return folder;
  // Made aside and moved in one step, so that an interrupted run leaves no half set.
  const aside = `${folder}.${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  if (kind === 'throws') await makeLabelledSet({ rig: randomRig(seed), folder: aside, throwCount: count, seed });
  else await makeLeanSet(randomRig(seed), aside, count, seed);
  if (existsSync(folder)) rmSync(aside, { recursive: true });
  else renameSync(aside, folder);
  return folder;
}

/** Hash over the program that makes a kind of set and everything it imports from this repository, and over the versions of physics and encoder. */
function simulatorHash(kind: SimulatedSet['kind']): string {
  const ending = import.meta.url.endsWith('.js') ? 'js' : 'ts';
  const program = kind === 'throws' ? 'make-labelled-set' : 'make-lean-set';
  const seen = new Set<string>();
  const waiting = [fileURLToPath(new URL(`../../../hardware-sim/${program}.${ending}`, import.meta.url))];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const match of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g))
      waiting.push(join(dirname(file), match[1] ?? ''));
  }
  const hash = createHash('sha256');
  for (const file of [...seen].sort()) hash.update(readFileSync(file));
  const { dependencies } = JSON.parse(readFileSync(join(productRoot, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  hash.update(`${dependencies['@dimforge/rapier3d-compat']} ${dependencies.sharp}`);
  return hash.digest('hex').slice(0, 16);
}
