import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { productRoot } from '../../src/product-root.ts';
import { temporaryFolder } from './temporary-folder.ts';

const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

/** Runs the appending program until it has published 30 records. @returns its writes and syncs in the order of the system calls. */
async function tracedCalls(): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const trace = join(folder, 'trace');
  const program = join(productRoot, 'dist/test/journal/appending-program.js');
  const child = spawn(
    'strace',
    ['-f', '-qq', '-y', '-o', trace, '-e', 'trace=write,pwrite64,fsync,fdatasync', '--', process.execPath, program].concat([
      join(folder, 'table.db'),
      join(folder, 'anchor'),
      'until-killed',
    ]),
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let lineCount = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    lineCount += chunk.toString().split('\n').length - 1;
    // The program ends by itself when nobody reads any more, and strace with it.
    if (lineCount >= 30) child.stdout.destroy();
  });
  await once(child, 'exit');
  return readFileSync(trace, 'utf8').split('\n');
}

it.runIf(canTrace)('publishes a record only after the WAL that holds it was brought to the disk', async () => {
  let isWalDirty = false;
  let isSyncedSinceLine = false;
  let publishedCount = 0;
  for (const call of await tracedCalls()) {
    if (/pwrite64\(\d+<[^>]*-wal>/.test(call)) isWalDirty = true;
    if (/f(data)?sync\(\d+<[^>]*-wal>\)/.test(call)) {
      isWalDirty = false;
      isSyncedSinceLine = true;
    }
    if (!/write\(1<[^>]*>, "record /.test(call)) continue;
    publishedCount += 1;
    expect({ isWalDirty, isSyncedSinceLine }, call).toEqual({ isWalDirty: false, isSyncedSinceLine: true });
    isSyncedSinceLine = false;
  }
  expect(publishedCount).toBeGreaterThanOrEqual(30);
});
