// Runs on a machine that has nothing but Node and git: plain JavaScript, Node's own modules only.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A reason to stop that a person can act on; printed without a stack. */
export class SetupProblem extends Error {}

export function say(text) {
  process.stdout.write(`${text}\n`);
}

/**
 * Runs a program and shows how far it is while it works.
 * @param {(line: string) => string | null} progressOf turns an output line into a short progress text, or null when it says nothing.
 */
export function runWithProgress(title, command, args, { env = {}, cwd = root, progressOf = () => null } = {}) {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let tail = '';
    let progress = '';
    const seconds = () => Math.round((performance.now() - startedMs) / 1000);
    const show = (isLast) => {
      const text = `  ${title}${progress === '' ? '' : `: ${progress}`} (${seconds()} s)`;
      if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}${isLast ? '\n' : ''}`);
      else say(text);
    };
    const ticker = setInterval(() => show(false), process.stdout.isTTY ? 1_000 : 20_000);
    const take = (chunk) => {
      tail = (tail + chunk).slice(-8_000);
      for (const line of String(chunk).split('\n')) progress = progressOf(line) ?? progress;
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => {
      clearInterval(ticker);
      reject(new SetupProblem(`${title}: ${command} cannot be started: ${error.message}`));
    });
    child.on('close', (code) => {
      clearInterval(ticker);
      show(true);
      if (code === 0) resolve();
      else reject(new SetupProblem(`${title} failed (exit code ${code}). It said:\n${excerpt(tail)}`));
    });
  });
}

/** Beginning and end of long output: a compiler ends with its error, npm begins with it. */
function excerpt(text) {
  const lines = text.trim().split('\n');
  return lines.length <= 40 ? lines.join('\n') : [...lines.slice(0, 12), '…', ...lines.slice(-25)].join('\n');
}

/** Refuses a Node outside `engines` of package.json: newer majors deliver serial data late (node-serialport issue 3148). */
export function checkNode() {
  const range = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node;
  const [, low, high] = /^>=([\d.]+) <([\d.]+)$/.exec(range);
  const parts = (version) => version.split('.').map(Number);
  const isBelow = (a, b) => {
    const [x, y] = [parts(a), parts(b)];
    for (let i = 0; i < 3; i += 1) if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) < (y[i] ?? 0);
    return false;
  };
  const version = process.versions.node;
  if (isBelow(version, low) || !isBelow(version, high)) {
    throw new SetupProblem(`Node ${version} is not supported: install Node 20 (supported: ${range}).`);
  }
}

/** Installs the missing ones of these Debian packages; says what to run where that needs rights it does not have. */
export async function installSystemPackages(names) {
  const isInstalled = (name) =>
    spawnSync('dpkg', ['-s', name], { encoding: 'utf8' }).stdout.includes('Status: install ok installed');
  if (spawnSync('dpkg', ['--version']).error) {
    say(`  This is not a Debian system; these must be there in its own way: ${names.join(' ')}`);
    return;
  }
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const isRoot = process.getuid?.() === 0;
  const canSudo = !isRoot && spawnSync('sudo', ['-n', 'true']).status === 0;
  if (!isRoot && !canSudo) {
    throw new SetupProblem(
      `These system packages are missing and installing them needs root:\n\n  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing.join(' ')}\n\nRun that line, then start again.`,
    );
  }
  say(`Installing system packages: ${missing.join(', ')}`);
  const apt = (args) => (isRoot ? ['apt-get', args] : ['sudo', ['-n', 'apt-get', ...args]]);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await runWithProgress('apt-get update', ...apt(['update']), { env });
  let unpackedCount = 0;
  await runWithProgress('apt-get install', ...apt(['install', '-y', '--no-install-recommends', ...missing]), {
    env,
    progressOf: (line) => {
      if (!line.startsWith('Unpacking ')) return null;
      unpackedCount += 1;
      return `${unpackedCount} packages unpacked`;
    },
  });
}

/** Installs the locked npm packages unless the installed ones already match the lock file. No package's own script runs. */
export async function installNpmPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stampFile = join(root, 'node_modules', '.lock-sha256');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lock) return;
  say('Installing npm packages');
  await runWithProgress('npm ci', 'npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stampFile, lock);
}

/** Newest change below these folders, ms; the build is skipped while nothing is newer than its stamp. */
function newestChangeMs(folders) {
  let newest = 0;
  const visit = (path) => {
    const stat = statSync(path);
    newest = Math.max(newest, stat.mtimeMs);
    if (stat.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
  };
  for (const folder of folders) visit(join(root, folder));
  return newest;
}

/** Compiles TypeScript to dist/ and the pages to dist/web, when a source changed since the last time. */
export async function build() {
  const stampFile = join(root, 'dist', '.built');
  const sources = ['src', 'firmware-protocol', 'calibration', 'hardware-sim', 'test', 'package-lock.json', 'tsconfig.json'];
  if (existsSync(stampFile) && statSync(stampFile).mtimeMs > newestChangeMs(sources)) return;
  say('Building');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const bin = (name) => join(root, 'node_modules', '.bin', name);
  await runWithProgress('tsc', bin('tsc'), ['-p', 'tsconfig.json']);
  await runWithProgress('vite', bin('vite'), ['build', '--config', 'src/web/vite.config.ts', '--logLevel', 'warn']);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, '');
}
