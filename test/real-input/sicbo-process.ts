import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { productRoot } from '../../src/product-root.ts';

/** The built program, as a technician's shell would start it. */
const sicboProgram = join(productRoot, 'dist/src/cli/sicbo.js');

/** Runs `sicbo` with these arguments as a process of its own. @returns its standard output. @throws Error with its words when it fails. */
export async function runSicboProcess(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [sicboProgram, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`sicbo ${args[0]} ended with code ${code}:\n${out}${err}`);
  return out;
}

const readLine = z.object({
  file: z.string(),
  verdict: z.enum(['accepted', 'refused']),
  values: z.array(z.number()).nullable(),
  cause: z.string().nullable(),
});

/** What `sicbo read` says of one picture from its file: the values, lowest first and comma between, or the cause of the refusal. */
export type PlainReading = { readonly values: string; readonly cause: null } | { readonly values: null; readonly cause: string };

/** Reads the pictures with `sicbo read`, by file. */
export async function readPlainly(calibrationFile: string, files: readonly string[]): Promise<ReadonlyMap<string, PlainReading>> {
  const out = await runSicboProcess(['read', '--profile', calibrationFile, '--json', ...files]);
  const lines = out.split('\n').filter((line) => line.startsWith('{'));
  return new Map(
    lines.map((line) => {
      const { file, values, cause } = readLine.parse(JSON.parse(line));
      return [file, values === null ? { values, cause: cause ?? 'unknown' } : { values: values.join(','), cause: null }];
    }),
  );
}
