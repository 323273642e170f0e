import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { productRoot } from '../src/product-root.ts';
import { demoCalibration } from './demo-calibration.ts';
import { type DemoTiming, demoTable } from './demo-config.ts';
import { type DemoFault, demoFaults } from './demo-faults.ts';
import { openDemoLamps } from './demo-lamps.ts';
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
 *  @throws Error with the daemon's last words when the table does not come up. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const startedMs = performance.now();
  const folder = resolve(options.folder);
  mkdirSync(folder, { recursive: true });
  const calibrationFile = await demoCalibration(folder, options.say);
  const machine = await MachineProcess.start({
    link: join(folder, 'shaker'),
    memory: join(folder, 'shaker-memory.json'),
    seed: options.seed,
    hasCover: options.orderOfPlay === 'shake-first',
  });
  const lamps = await openDemoLamps(folder, options.say);
  const configFile = join(folder, 'table.toml');
  const timing: DemoTiming = { speed: options.speed };
  writeFileSync(
    configFile,
    demoTable({ ...options, timing, calibrationFile, link: machine.link, cameraUrl: machine.cameraUrl, lamps: lamps.config }),
  );
  const logFile = join(folder, 'daemon.log');
  const log = openSync(logFile, 'a');
  const daemon = lamps.spawn(process.execPath, [join(productRoot, 'dist/src/cli/sicbo.js'), 'run', '--config', configFile], {
    stdio: ['ignore', log, log],
    env: process.env,
  });
  closeSync(log);
  try {
    const address = `http://127.0.0.1:${options.port}`;
    await ready(address, daemon, logFile, options.signal);
    options.say(
      `Table ready after ${((performance.now() - startedMs) / 1000).toFixed(1)} s. House ${options.house}. Journal, evidence and logs: ${folder}`,
    );
    options.say(`\n  Display:  ${address}/display\n\nCtrl-C ends everything.\n`);
    await followRounds({
      address,
      say: options.say,
      signal: options.signal,
      rounds: options.rounds,
      beforeRound: faultsInTurn(options, machine),
    });
  } finally {
    await ended(daemon, options.say);
    await lamps.close();
    await machine.close();
    options.say('Table stopped; nothing is left running.');
  }
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
    if (daemon.exitCode !== null || daemon.signalCode !== null)
      throw new Error(`the daemon ended with code ${daemon.exitCode}; its log is ${logFile}`);
    if (performance.now() > endMs)
      throw new Error(`the table was not ready within ${readyMsMax / 1000} s; its log is ${logFile}`);
    const answer = await fetch(`${address}/healthz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer !== null) return;
    await pause(100);
  }
}

async function ended(daemon: ChildProcess, say: (line: string) => void): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const exit = once(daemon, 'exit');
  daemon.kill('SIGTERM');
  const killer = setTimeout(() => {
    say('The daemon did not stop in time and is killed.');
    daemon.kill('SIGKILL');
  }, daemonStopMsMax);
  await exit;
  clearTimeout(killer);
}
