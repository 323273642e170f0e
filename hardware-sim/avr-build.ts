import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productRoot } from '../src/product-root.ts';

/** What the compiled firmware runs as. */
export interface AvrFirmware {
  /** `avr-runner`, see hardware-sim/avr/runner.c. */
  readonly runner: string;
  readonly elf: string;
}

const reference = join(productRoot, 'firmware-protocol', 'reference');
const runnerFolder = join(productRoot, 'hardware-sim', 'avr');

/** Builds firmware and runner where their sources changed. Concurrent callers, in other processes too, wait for one build.
 *  @throws Error with the compiler's words, or naming the missing packages. */
export async function buildAvrFirmware(): Promise<AvrFirmware> {
  const folder = buildFolder();
  const built = { runner: join(folder, 'avr-runner'), elf: join(folder, 'shaker.elf') };
  if (!existsSync(built.runner) || !existsSync(built.elf)) {
    await make(reference, folder, 'firmware');
    await make(runnerFolder, folder, join(folder, 'avr-runner'));
  }
  return built;
}

/** Builds one program of the reference firmware that runs on this machine and gives its path. @throws Error with the compiler's words. */
export async function buildHostProgram(name: 'host-tests' | 'differ'): Promise<string> {
  const folder = buildFolder();
  const program = join(folder, name);
  if (!existsSync(program)) await make(reference, folder, program);
  return program;
}

/** One folder per state of the sources, so that trees that share node_modules do not share a build. */
function buildFolder(): string {
  const hash = createHash('sha256');
  for (const folder of [reference, ...['src', 'avr', 'host'].map((name) => join(reference, name)), runnerFolder]) {
    for (const name of readdirSync(folder).sort()) {
      if (/\.[ch]$|^Makefile$/.test(name)) hash.update(name).update(readFileSync(join(folder, name)));
    }
  }
  return join(productRoot, 'node_modules', '.cache', 'sicbo-firmware', hash.digest('hex').slice(0, 16));
}

function make(source: string, folder: string, target: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const args = [join(folder, 'lock'), 'make', '--silent', '-C', source, `BUILD=${folder}`, target];
  return new Promise((resolve, reject) => {
    const child = spawn('flock', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const take = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-4_000);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => reject(new Error(`flock: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the firmware was not built (${advice(said)}):\n${said}`));
    });
  });
}

function advice(said: string): string {
  return /not found|No such file/.test(said)
    ? 'gcc-avr, avr-libc or libsimavr-dev are missing? npm run setup -- --tests installs them'
    : 'the compiler refused it';
}
