import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { FirmwareFault } from '../../hardware-sim/firmware-faults.ts';
import { defaultLinkTimings } from '../../src/devices/link-timings.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import { checkShaker } from '../../src/doctor/check-shaker.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { productRoot } from '../../src/product-root.ts';
import { type ShakerBench, shakerBench } from '../devices/shaker-bench.ts';

let bench: ShakerBench | null = null;
let holder: ChildProcess | null = null;
/** Shorter than the link's own 5 s, for devices that stay silent. */
let handshakeMsMax = 1_500;

afterEach(async () => {
  holder?.kill('SIGKILL');
  holder = null;
  await bench?.close();
  bench = null;
  handshakeMsMax = 1_500;
});

/** Examines a simulated shaker on a real pseudo-terminal, with faults. @param path of the configuration; the shaker's own when not given. */
async function examined(
  faults: readonly FirmwareFault[],
  path?: string,
  wantedId: string | null = null,
): Promise<readonly Finding[]> {
  bench ??= await shakerBench({ deviceId: 'SIM-1' }, { deviceId: wantedId, timings: { ...defaultLinkTimings, handshakeMsMax } });
  for (const fault of faults) bench.device.inject(fault);
  return checkShaker({ path: path ?? bench.device.link, deviceId: wantedId }, bench.shaker, new SystemClock());
}

const last = (findings: readonly Finding[]): Finding | undefined => findings.at(-1);

it('tells who the shaker is and that nothing stands against a shake', async () => {
  const findings = await examined([]);

  expect(findings.find(({ check }) => check === 'shaker')).toMatchObject({
    verdict: 'ok',
    detail: expect.stringMatching(/^SIM-1, firmware .+, protocol 1, start 1$/),
    advice: 'write deviceId = "SIM-1" under [shaker] to refuse any other',
  });
  expect(last(findings)).toMatchObject({ verdict: 'ok', detail: 'lid closed, supply good, no jam, no tamper' });
});

it('says that the path does not exist, and opens nothing', async () => {
  const findings = await examined([], '/dev/no-such-shaker');

  expect(findings).toMatchObject([{ check: 'shaker port', verdict: 'problem', detail: '/dev/no-such-shaker does not exist' }]);
  expect(findings[0]?.advice).toMatch(/^connect the shaker and switch it on\. Set shaker\.path to/);
  expect(bench?.shaker.status.counters).toEqual({});
});

it('says that a link leads to a shaker that is unplugged', async () => {
  bench = await shakerBench();
  const link = join(bench.directory, 'by-id');
  symlinkSync(join(bench.directory, 'ttyGone'), link);

  expect(await examined([], link)).toMatchObject([
    { verdict: 'problem', detail: `${link} is a link to a device that is not there` },
  ]);
});

it('refuses a folder and a file as serial ports', async () => {
  bench = await shakerBench();
  const file = join(bench.directory, 'notes.txt');
  writeFileSync(file, 'no terminal');

  expect((await examined([], bench.directory))[0]?.detail).toBe(`${bench.directory} is a folder, a serial port is needed`);
  expect((await examined([], file))[0]?.detail).toBe(`${file} is no device, a serial port is needed`);
});

it('says that a device which is no terminal cannot be opened as one', async () => {
  bench = await shakerBench({}, { path: '/dev/null' });

  expect(last(await examined([], '/dev/null'))).toMatchObject({
    verdict: 'problem',
    detail: expect.stringMatching(/^no handshake: .*ioctl/),
  });
});

it('names the group that a user without the right to the port must join', async () => {
  bench = await shakerBench();
  const port = realpathSync(bench.device.link);
  // Everybody may pass the folder, only the group of the port may use it: what a fresh Debian gives to /dev/ttyUSB0.
  chmodSync(bench.directory, 0o755);
  chmodSync(port, 0o060);
  const program = `
    const { checkSerialPort } = await import(${JSON.stringify(join(productRoot, 'dist/src/doctor/check-serial-port.js'))});
    console.log(JSON.stringify(await checkSerialPort(${JSON.stringify(bench.device.link)})));`;
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { ...other, cwd: '/' });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await once(child, 'close');

  const { findings, realPath } = JSON.parse(out);
  expect(realPath).toBeNull();
  expect(findings[0]).toMatchObject({
    verdict: 'problem',
    detail: expect.stringMatching(/ may not read and write \/dev\/pts\/\d+ \(group .+, mode 0060\)$/),
    advice: expect.stringMatching(/sudo usermod -aG \S+ \S+,? /),
  });
});

it('names the program that holds the port', async () => {
  bench = await shakerBench();
  const { link } = bench.device;
  const child = spawn('flock', ['--no-fork', link, 'sleep', '60'], { stdio: 'ignore' });
  holder = child;
  await vi.waitUntil(() => isLocked(link), { timeout: 5_000, interval: 20 });

  const findings = await examined([]);

  expect(last(findings)?.verdict).toBe('problem');
  expect(last(findings)?.detail).toMatch(new RegExp(`^the port is held by .*sleep \\(process ${child.pid}\\)`));
});

it.each(['gps', 'ok-to-all', 'printer'] as const)('recognises a %s behind the path of the shaker', async (persona) => {
  // A receiver talks once a second, and three strange lines are needed.
  handshakeMsMax = 4_000;
  expect(last(await examined([{ kind: 'persona', persona }]))).toMatchObject({
    check: 'shaker',
    verdict: 'problem',
    detail: expect.stringMatching(/^another device answers: /),
  });
});

it('refuses the shaker of another table', async () => {
  expect(last(await examined([], undefined, 'SIM-2'))).toMatchObject({
    verdict: 'problem',
    detail: 'another device answers: shaker "SIM-1" instead of "SIM-2"',
  });
});

it('says that a silent shaker gives no answer', async () => {
  expect(last(await examined([{ kind: 'silent', isOn: true }]))).toMatchObject({
    verdict: 'problem',
    detail: 'no handshake: no answer to hello',
  });
});

it('names an open lid, a low supply, a jam and tamper, each with what to do', async () => {
  const findings = await examined([
    { kind: 'lid', state: 'open' },
    { kind: 'supply', state: 'low' },
    { kind: 'jam' },
    { kind: 'tamper' },
  ]);

  const found = findings.filter(({ check }) => check === 'shaker condition');
  expect(found.map(({ detail }) => detail.split(':')[0])).toEqual([
    'shaker.lid-open',
    'shaker.supply',
    'shaker.jammed',
    'tamper',
  ]);
  expect(found.every(({ verdict, advice }) => verdict === 'problem' && advice !== null)).toBe(true);
});

async function isLocked(path: string): Promise<boolean> {
  const attempt = spawn('flock', ['--nonblock', path, 'true'], { stdio: 'ignore' });
  const [code] = await once(attempt, 'close');
  return code !== 0;
}
