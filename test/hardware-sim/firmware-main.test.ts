import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it, vi } from 'vitest';
import { defaultLinkTimings } from '../../src/devices/link-timings.ts';
import { openSerialPort } from '../../src/devices/open-serial-port.ts';
import { SerialShaker } from '../../src/devices/serial-shaker.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import type { ShakerNotice } from '../../src/ports/shaker.ts';
import { productRoot } from '../../src/product-root.ts';

const directory = mkdtempSync(join(tmpdir(), 'firmware-'));
const link = join(directory, 'shaker');
const memory = join(directory, 'memory.json');
const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0)) await end();
  rmSync(directory, { recursive: true, force: true });
});

/** The simulated shaker in a process of its own, with its control channel. */
async function startProgram() {
  const program = join(productRoot, 'dist/hardware-sim/firmware-main.js');
  const child = spawn(process.execPath, [program, '--link', link, '--memory', memory, '--id', 'SB-7'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const said: { readonly kind: string; readonly detail?: string }[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line)));
  endings.push(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const hears = (kind: string) => vi.waitUntil(() => said.find((entry) => entry.kind === kind), { timeout: 10_000 });
  await hears('ready');
  return { child, exited, hears };
}

it('takes faults from its control channel, keeps its memory over a kill, and leaves no terminal behind', async () => {
  const notices: ShakerNotice[] = [];
  const shaker = new SerialShaker({
    path: link,
    deviceId: 'SB-7',
    openPort: openSerialPort,
    clock: new SystemClock(),
    timings: defaultLinkTimings,
    log: () => undefined,
  });
  shaker.onNotice((notice) => notices.push(notice));
  const first = await startProgram();
  shaker.open();
  endings.unshift(() => shaker.close());
  await vi.waitUntil(() => shaker.status.isOnline, { timeout: 10_000 });
  expect(shaker.status.identity).toMatchObject({ deviceId: 'SB-7', bootCount: 1 });
  const order = { orderNumber: 1, activationCount: 1, tumbleCount: 3 };
  expect(await shaker.shake(order, new AbortController().signal)).toMatchObject({ kind: 'finished', tumbleCount: 3 });

  first.child.stdin.write('{"kind":"earthquake"}\n');
  expect((await first.hears('refused')).detail).toContain('Invalid');
  first.child.stdin.write('{"kind":"lid","state":"open"}\n');
  await vi.waitUntil(() => notices.some((notice) => notice.kind === 'faultRaised' && notice.fault === 'shaker.lid-open'), {
    timeout: 2_000,
  });

  first.child.kill('SIGKILL');
  await first.exited;
  await vi.waitUntil(() => !shaker.status.isOnline && !existsSync(link), { timeout: 5_000 });
  await startProgram();
  await vi.waitUntil(() => shaker.status.isOnline, { timeout: 10_000 });
  expect(shaker.status.identity).toMatchObject({ bootCount: 2 });
  // The order of before the kill is known: it is not run a second time.
  expect(await shaker.shake(order, new AbortController().signal)).toMatchObject({ kind: 'finished', tumbleCount: 3 });
});
