import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { productRoot } from '../../src/product-root.ts';
import { ProcessBench } from './process-bench.ts';
import { heard, listener } from './table-clients.ts';

const live = readFileSync(join(productRoot, 'src/core/rules/houses/live.toml'), 'utf8').replace('id = "live"', 'id = "own"');
/** The same prices in other bytes: what a file says to people may be what they bet by, so no difference is judged to be harmless. */
const changed = `${live}\n# another version\n`;

/** A table that plays by a house file of its own. */
async function benchWithOwnHouse(play: Readonly<Record<string, number>>): Promise<ProcessBench> {
  const bench = await ProcessBench.open();
  await bench.plugInShaker();
  bench.configure({ play });
  writeFileSync(join(bench.places.folder, 'own.toml'), live);
  const config = readFileSync(bench.places.configFile, 'utf8');
  bench.places.writeConfig(config.replace('house = "live"', 'house = "./own.toml"'));
  return bench;
}

it.each([
  ['shakeOrdered', 'is void', ['roundVoided', 'house-changed']],
  ['resultDeclared', 'stands and is settled', ['roundSettled', null]],
] as const)(
  'after %s, power lost and the house file changed, the round %s',
  async (moment, _what, [end, cause]) => {
    const bench = await benchWithOwnHouse({ reviewMs: 1_500 });
    const before = bench.start();
    await heard(await listener(await before.ready), moment);
    await before.end('SIGKILL');
    writeFileSync(join(bench.places.folder, 'own.toml'), changed);

    const after = bench.start();
    await heard(await listener(await after.ready), 'roundOpened');
    await after.end('SIGTERM');

    const events = bench.records().map(({ event }) => event);
    const [first, second] = events.flatMap((event) => (event.kind === 'roundOpened' ? [event] : []));
    expect(second?.houseSha256).not.toBe(first?.houseSha256);
    const ended = events.find(({ kind }) => kind === 'roundVoided' || kind === 'roundSettled');
    expect(ended).toMatchObject({ kind: end, roundId: first?.roundId, ...(cause === null ? {} : { cause }) });
  },
  90_000,
);
