import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { InputError, TableError } from '../src/errors.ts';
import { productRoot } from '../src/product-root.ts';
import { buildAvrFirmware } from './avr-build.ts';
import { demoCalibration } from './demo-calibration.ts';
import { demoTable } from './demo-config.ts';
import { type DemoFault, demoFaults } from './demo-faults.ts';
import { offerKeys } from './demo-keys.ts';
import { type DemoLamps, openDemoLamps } from './demo-lamps.ts';
import { followRounds } from './demo-rounds.ts';
import { MachineProcess } from './machine-process.ts';

export interface DemoOptions {
  readonly house: string;
  readonly orderOfPlay: 'bets-first' | 'shake-first' | null;
  /** Factor on the countdowns, 0.25 to 20; the dice take their time. */
  readonly speed: number;
  readonly port: number;
  /** Everything the demo keeps: journal, evidence, calibration, logs. */
  readonly folder: string;
  readonly seed: number;
  /** The shaker's firmware: the model, or the compiled reference firmware in simavr. */
  readonly firmware: 'model' | 'avr';
  /** Names of `demoFaults`, taken in turn. */
  readonly faults: readonly string[];
  /** A fault every so many rounds. */
  readonly every: number;
  /** Ends by itself after this many rounds; null goes on. */
  readonly rounds: number | null;
  readonly say: (line: string) => void;
  /** Ends the demo. */
  readonly signal: AbortSignal;
}

/** Time that the daemon has for an orderly end before it is killed, ms. */
const daemonStopMsMax = 6_000;
const readyMsMax = 20_000;

/** Runs a table on simulated hardware, each part a process of its own: machine (shaker firmware on a pseudo-terminal, camera over HTTP), GPIO
 *  lines, daemon with its vision process. Returns when the signal aborts or the rounds are played; nothing is left running.
 *  @throws InputError `demo.port-taken`; TableError `demo.failed` with the place of the daemon's log when the table does not come up or ends. */
export async function runDemo(options: DemoOptions): Promise<void> {
  await needFreePort(options.port);
  const closers: (() => Promise<void>)[] = [];
  try {
    await playDemo(options, closers);
  } catch (error) {
    // Ctrl-C reaches every process of the terminal, so whatever was being waited for may fail by it.
    if (!options.signal.aborted) throw error;
  } finally {
    for (const close of closers.reverse()) await close();
    options.say('Table stopped; nothing is left running.');
  }
}

async function playDemo(options: DemoOptions, closers: (() => Promise<void>)[]): Promise<void> {
  const { say, signal, port } = options;
  const startedMs = performance.now();
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  const calibrationFile = await demoCalibration(folder, say);
  if (options.firmware === 'avr') await needAvrFirmware(say);
  if (signal.aborted) return;
  const machine = await MachineProcess.start({
    link: join(folder, 'shaker'),
    memory: join(folder, 'shaker-memory.json'),
    seed: options.seed,
    firmware: options.firmware,
    hasCover: options.orderOfPlay === 'shake-first',
  });
  closers.push(() => machine.close());
  const lamps = await openDemoLamps(folder, say);
  closers.push(() => lamps.close());
  const { daemon, logFile } = startDaemon(options, folder, {
    calibrationFile,
    link: machine.link,
    cameraUrl: machine.cameraUrl,
    lamps,
  });
  closers.push(() => ended(daemon, say));
  const address = `http://127.0.0.1:${port}`;
  await ready(address, daemon, logFile, signal);
  if (signal.aborted) return;
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  say(`Table ready after ${seconds} s. House ${options.house}. Journal, evidence and logs: ${folder}`);
  say(`\n  Display:  ${address}/display\n\nCtrl-C ends everything.\n`);
  const stopKeys = offerKeys(address, say);
  await followRounds({ address, say, signal, rounds: options.rounds, beforeRound: faultsInTurn(options, machine) });
  stopKeys();
  if (hasEnded(daemon) && !signal.aborted)
    throw new TableError('demo.failed', `the daemon ended by itself; its log is ${logFile}`);
}

function startDaemon(
  options: DemoOptions,
  folder: string,
  parts: { readonly calibrationFile: string; readonly link: string; readonly cameraUrl: string; readonly lamps: DemoLamps },
): { readonly daemon: ChildProcess; readonly logFile: string } {
  const configFile = join(folder, 'table.toml');
  writeFileSync(configFile, demoTable({ ...options, ...parts, timing: { speed: options.speed }, lamps: parts.lamps.config }));
  const logFile = join(folder, 'daemon.log');
  const log = openSync(logFile, 'a');
  const args = [join(productRoot, 'dist/src/cli/sicbo.js'), 'run', '--config', configFile];
  const daemon = parts.lamps.spawn(process.execPath, args, { stdio: ['ignore', log, log], env: process.env });
  closeSync(log);
  return { daemon, logFile };
}

/** @throws TableError `demo.failed` with the packages that are missing or what the compiler said. */
async function needAvrFirmware(say: (line: string) => void): Promise<void> {
  const { elf } = await buildAvrFirmware().catch((error: Error) => {
    throw new TableError('demo.failed', error.message);
  });
  say(`Shaker firmware: ${elf}, in simavr.`);
}

/** @throws InputError `demo.port-taken`. */
async function needFreePort(port: number): Promise<void> {
  const probe = createServer().listen(port, '127.0.0.1');
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once('listening', () => resolve(true));
    probe.once('error', () => resolve(false));
  });
  if (!isFree)
    throw new InputError('demo.port-taken', `port ${port} is taken, perhaps by another table; choose another with --port`);
  await new Promise((resolve) => probe.close(resolve));
}

/** Tells the machine of the next fault in turn, every so many rounds. */
function faultsInTurn({ faults, every, say }: DemoOptions, machine: MachineProcess): (roundNumber: number) => void {
  const chosen = faults
    .map((name) => demoFaults.find((fault) => fault.name === name))
    .filter((fault): fault is DemoFault => fault !== undefined);
  let taken = 0;
  return (count) => {
    const fault = chosen[taken % Math.max(1, chosen.length)];
    if (fault === undefined || count % every !== 0) return;
    taken += 1;
    say(`  (fault on command: ${fault.summary})`);
    for (const order of fault.orders) machine.tell(order);
  };
}

async function ready(address: string, daemon: ChildProcess, logFile: string, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + readyMsMax;
  for (;;) {
    if (signal.aborted) return;
    if (hasEnded(daemon))
      throw new TableError('demo.failed', `the daemon ended with code ${daemon.exitCode}; its log is ${logFile}`);
    if (performance.now() > endMs) {
      throw new TableError('demo.failed', `the table was not ready within ${readyMsMax / 1_000} s; its log is ${logFile}`);
    }
    const answer = await fetch(`${address}/healthz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer !== null) return;
    await pause(100);
  }
}

async function ended(daemon: ChildProcess, say: (line: string) => void): Promise<void> {
  if (hasEnded(daemon)) return;
  const exit = once(daemon, 'exit');
  daemon.kill('SIGTERM');
  const killer = setTimeout(() => {
    say('The daemon did not stop in time and is killed.');
    daemon.kill('SIGKILL');
  }, daemonStopMsMax);
  await exit;
  clearTimeout(killer);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
