import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeLabelledSet } from '../../../hardware-sim/make-labelled-set.ts';
import { randomRig } from '../../../hardware-sim/rig.ts';
import { productRoot } from '../../../src/product-root.ts';

/** Made sets are kept here from run to run: beside the packages, because they follow from the sources and can be made again. */
const cacheFolder = join(productRoot, 'node_modules', '.cache', 'sicbo-simulated-sets');

/** A set of the random rig of a seed, from the cache, or made now (0.2 s a picture).
 *  @returns its folder. The key covers every source that the pictures follow from, so that a changed simulator makes new ones. */
export async function simulatedSet(seed: number, throwCount: number): Promise<string> {
  const folder = join(cacheFolder, simulatorHash(), `sim-${seed}-${throwCount}`);
  if (existsSync(join(folder, 'labels.jsonl'))) return folder;
  // Made aside and moved in one step, so that an interrupted run leaves no half set.
  const aside = `${folder}.${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  await makeLabelledSet({ rig: randomRig(seed), folder: aside, throwCount, seed });
  if (existsSync(folder)) rmSync(aside, { recursive: true });
  else renameSync(aside, folder);
  return folder;
}

/** Hash over the program that makes sets and everything it imports from this repository, and over the version of the physics. */
function simulatorHash(): string {
  const isBuilt = import.meta.url.endsWith('.js');
  const first = fileURLToPath(new URL(`../../../hardware-sim/make-labelled-set.${isBuilt ? 'js' : 'ts'}`, import.meta.url));
  const seen = new Set<string>();
  const waiting = [first];
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
