import { describe, expect, it, onTestFinished } from 'vitest';
import { CameraServer } from '../../hardware-sim/camera-server.ts';
import type { HealthView } from '../../src/api/views.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import { ProcessBench } from './process-bench.ts';
import { heard, listener } from './table-clients.ts';

async function health(address: string): Promise<HealthView> {
  return (await (await fetch(`${address}/api/health`)).json()) as HealthView;
}

async function standing(address: string): Promise<readonly string[]> {
  return (await health(address)).standingFaults.map(({ code }) => code);
}

/** Start and end marker with a number between them: whole, and each another. */
const picture = (number: number): Buffer => Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 4, number >> 8, number & 0xff, 0xff, 0xd9]);

describe('a daemon without any device', { timeout: 90_000 }, () => {
  it('stays up, says what is missing, opens no round, and finds shaker and camera by itself when they appear', async () => {
    const bench = await ProcessBench.open();
    let pictureCount = 0;
    const take = async (): Promise<Buffer> => {
      pictureCount += 1;
      return picture(pictureCount);
    };
    const camera = await CameraServer.start({ clock: new SystemClock(), pictures: { take } });
    onTestFinished(() => camera.close());
    camera.setFault({ kind: 'dropping' });
    const lamps =
      'kind = "chain-74hc595"\nchipLabel = "no-such-chip"\ndataLine = 1\nclockLine = 2\nlatchLine = 3\noutputEnableLine = 4';
    bench.configure({ cameraUrl: camera.url, lamps });
    const table = bench.start({ reader: 'real' });
    const address = await table.ready;

    const missing = ['shaker.offline', 'camera.offline', 'camera.not-calibrated', 'lamps.offline'];
    await expect.poll(() => standing(address), { timeout: 15_000 }).toEqual(expect.arrayContaining(missing));
    const alive = await fetch(`${address}/healthz`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'blocked', phase: 'closed' }]);
    const { devices } = await health(address);
    expect(devices.filter(({ isUp }) => !isUp).map(({ device }) => device)).toEqual(
      expect.arrayContaining(['shaker', 'camera', 'lamps']),
    );
    expect(await bench.act('open', { roundId: null })).toEqual({ status: 409, code: 'act.blocked-by-fault' });

    await bench.plugInShaker();
    camera.setFault(null);

    await expect.poll(() => standing(address), { timeout: 25_000 }).not.toContain('shaker.offline');
    await expect.poll(() => standing(address), { timeout: 25_000 }).not.toContain('camera.offline');
    expect(await table.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(bench.kinds()).not.toContain('roundOpened');
  });

  it('plays by itself as soon as the shaker is plugged in', async () => {
    const bench = await ProcessBench.open();
    bench.configure();
    const table = bench.start();
    const client = await listener(await table.ready);
    await expect.poll(() => standing(bench.address), { timeout: 10_000 }).toContain('shaker.offline');

    await bench.plugInShaker();

    await heard(client, 'roundSettled');
    expect(await table.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
