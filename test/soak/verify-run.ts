import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { productRoot } from '../../src/product-root.ts';

/** Runs `sicbo verify` on a table, also while it plays. @returns null when the journal is sound, else what the command said. */
export async function sicboVerify(configFile: string): Promise<string | null> {
  const script = join(productRoot, 'dist/src/cli/sicbo.js');
  const child = spawn(process.execPath, [script, 'verify', '--config', configFile], { stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      words += chunk.toString();
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? null : `sicbo verify ended with code ${code}:\n${words}`;
}
