import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { productRoot } from '../../src/product-root.ts';
import { FakeTable } from './fake-table.ts';
import { playRound } from './played-rounds.ts';
import { serverOf } from './table-server.ts';

/** The listener that README.md shows, as a reader would copy it. */
function readmeListener(): string {
  const block = /```js\n([\s\S]*?)```/.exec(readFileSync(join(productRoot, 'README.md'), 'utf8'))?.[1];
  if (block === undefined) throw new Error('README.md shows no listener');
  return block;
}

it('prints each settled round once, also when the server goes away and comes back', async () => {
  const table = new FakeTable();
  playRound(table, [1, 2, 5]);
  let server = await serverOf(table);
  const address = new URL(await server.listen({ host: '127.0.0.1', port: 0 }));
  const env = { ...process.env, TABLE: `ws://${address.host}` };
  const listener = spawn(process.execPath, ['--input-type=module', '--eval', readmeListener()], { cwd: productRoot, env });
  let out = '';
  listener.stdout.on('data', (chunk) => {
    out += chunk;
  });
  const totals = (): readonly string[] => [...out.matchAll(/total (\d+)/g)].map((match) => match[1] ?? '');
  const until = (count: number): Promise<unknown> =>
    vi.waitUntil(() => totals().length >= count, { timeout: 15_000, interval: 20 });
  try {
    await until(1);
    playRound(table, [6, 6, 6]);
    await until(2);
    await server.close();
    playRound(table, [3, 3, 4]);
    server = await serverOf(table);
    await server.listen({ host: '127.0.0.1', port: Number(address.port) });
    await until(3);
    playRound(table, [1, 1, 2]);
    await until(4);
    expect(totals()).toEqual(['8', '18', '10', '4']);
  } finally {
    listener.kill();
    await server.close();
  }
});
