import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { demoCalibration } from '../../hardware-sim/demo-calibration.ts';
import { demoTable } from '../../hardware-sim/demo-config.ts';
import { MachineProcess } from '../../hardware-sim/machine-process.ts';
import type { FeedMessage } from '../../src/api/views.ts';
import { productRoot } from '../../src/product-root.ts';
import type { BenchRow } from './bench-row.ts';
import { percentile } from './percentile.ts';

const roundCount = 12;
const benchMsMax = 300_000;

/** Plays rounds on the simulated machine in real processes and times the way of a result: from "all dice rest" (the settle window is over) to
 *  the result on a feed listener, with three pictures read, evidence and journal synced, lamps told. The machine that draws the pictures
 *  shares the cores, so a quiet machine with a real camera is faster. */
export async function resultBench(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sicbo-result-bench-'));
  const calibrationFile = await demoCalibration(folder, (line) => process.stderr.write(`${line}\n`));
  const machine = await MachineProcess.start({ link: join(folder, 'shaker'), memory: join(folder, 'memory.json'), seed: 5 });
  const port = await freePort();
  const config = join(folder, 'table.toml');
  const file = {
    house: 'live',
    orderOfPlay: null,
    timing: { speed: 20 },
    port,
    link: machine.link,
    cameraUrl: machine.cameraUrl,
    calibrationFile,
  };
  writeFileSync(config, demoTable({ ...file, lamps: 'kind = "none"' }));
  const daemon = spawn(process.execPath, [join(productRoot, 'dist/src/cli/sicbo.js'), 'run', '--config', config], {
    stdio: 'ignore',
  });
  try {
    const delaysMs = await measuredDelays(`ws://127.0.0.1:${port}/feed`);
    const base = {
      unit: 'ms',
      note: `${delaysMs.length} rounds on the simulated machine, 15 pictures a second, three of them read`,
    };
    return [
      { ...base, name: 'result: dice at rest to result on the feed, median', value: percentile(delaysMs, 0.5), target: '' },
      { ...base, name: 'result: the same, p99', value: percentile(delaysMs, 0.99), target: '<= 300' },
    ];
  } finally {
    const exit = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    await exit;
    await machine.close();
    rmSync(folder, { recursive: true });
  }
}

/** Listens until enough results came. The record's own time is the start, the arrival here the end: both of this machine's wall clock. */
async function measuredDelays(url: string): Promise<readonly number[]> {
  const delaysMs: number[] = [];
  const feed = await connected(url);
  let restedAtMs = 0;
  await new Promise<void>((resolve, reject) => {
    const deadline = setTimeout(
      () => reject(new Error(`${delaysMs.length} results within ${benchMsMax / 1_000} s, wanted ${roundCount}`)),
      benchMsMax,
    );
    feed.on('message', (data) => {
      const message = JSON.parse(String(data)) as FeedMessage;
      if (message.type !== 'event') return;
      if (message.event.kind === 'diceRested') restedAtMs = message.atMs;
      if (message.event.kind !== 'resultDeclared') return;
      delaysMs.push(Date.now() - restedAtMs);
      if (delaysMs.length < roundCount) return;
      clearTimeout(deadline);
      resolve();
    });
  });
  feed.close();
  return delaysMs;
}

/** The daemon may need some seconds to listen. */
async function connected(url: string): Promise<WebSocket> {
  for (let tries = 0; ; tries += 1) {
    const feed = new WebSocket(url);
    const isOpen = await new Promise<boolean>((resolve) => {
      feed.once('open', () => resolve(true));
      feed.once('error', () => setTimeout(() => resolve(false), 250));
    });
    if (isOpen) return feed;
    if (tries > 60) throw new Error(`no feed at ${url}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
