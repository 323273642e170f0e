import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CameraFault } from '../../hardware-sim/camera-faults.ts';
import { MjpegFrames } from '../../src/devices/mjpeg-frames.ts';
import { frameSourceContract, framesOf, raised } from '../contracts/frame-source-contract.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { type CameraBench, openCameraBench, takenMonoMs } from './camera-bench.ts';
import { jpegOf, partOf } from './mjpeg-bytes.ts';

frameSourceContract('MjpegFrames', async () => {
  const bench = await openCameraBench();
  return {
    source: bench.source,
    until: bench.until,
    pass: async () => {
      const before = bench.clock.now().monoMs;
      await bench.until(() => bench.clock.now().monoMs > before + 150);
    },
    setSending: async (isSending) => bench.camera.setFault(isSending ? null : { kind: 'silent' }),
    close: bench.close,
  };
});

const opened: CameraBench[] = [];
const open = async (...options: Parameters<typeof openCameraBench>): Promise<CameraBench> => {
  const bench = await openCameraBench(...options);
  opened.push(bench);
  bench.source.open();
  return bench;
};
afterEach(async () => {
  for (const bench of opened.splice(0)) await bench.close();
});

describe('the time at which a picture was taken', () => {
  it('is never newer than true when pictures wait in a queue of five, though the camera clock is an hour wrong', async () => {
    const { camera, notices, until, clock } = await open({ clockErrorMs: 3_600_000 });
    await until(() => framesOf(notices).length >= 5);
    camera.setFault({ kind: 'stale', frameCount: 5 });
    const shakeEndMs = clock.now().monoMs;
    await until(() => framesOf(notices).length >= 20);

    const frames = framesOf(notices);
    for (const frame of frames) expect(frame.capturedMonoMs - takenMonoMs(frame.jpeg)).toBeLessThan(5);
    const late = frames.filter((frame) => frame.arrivedMonoMs > shakeEndMs && takenMonoMs(frame.jpeg) < shakeEndMs - 20);
    expect(late.length).toBeGreaterThanOrEqual(4);
    for (const frame of late) expect(frame.capturedMonoMs).toBeLessThan(shakeEndMs);
  });

  it('is taken as 400 ms before arrival without time stamps, which covers a queue of five', async () => {
    const { camera, notices, until } = await open({ hasTimestamps: false, hasLengths: false });
    camera.setFault({ kind: 'stale', frameCount: 5 });
    await until(() => framesOf(notices).length >= 20);

    for (const frame of framesOf(notices)) {
      expect(frame.capturedMonoMs).toBeLessThan(takenMonoMs(frame.jpeg));
      expect(frame.arrivedMonoMs - frame.capturedMonoMs).toBeGreaterThanOrEqual(400);
    }
  });

  it('counts from before a pause for pictures that may have waited in the buffers of the machine', async () => {
    const clock = new VirtualClock();
    let send: (bytes: Buffer) => void = () => undefined;
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'multipart/x-mixed-replace; boundary=frame' });
      response.flushHeaders();
      send = (bytes) => response.write(bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const source = new MjpegFrames({
      clock,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      silenceMsMax: 60_000,
    });
    const sendPicture = (text: string): void => send(partOf(jpegOf(text), [`Content-Length: ${jpegOf(text).length}`]));
    source.open();
    await vi.waitFor(() => {
      sendPicture('first');
      expect(source.latest).not.toBeNull();
    });
    await clock.advance(1_000);
    sendPicture('after the pause');
    await vi.waitUntil(() => source.latest?.jpeg.includes('pause') === true);

    expect(source.latest).toMatchObject({ arrivedMonoMs: 1_000, capturedMonoMs: -400 });
    await source.close();
    server.closeAllConnections();
    server.close();
  });
});

describe('a camera that shows the last picture for ever', () => {
  it('is reported as frozen after five repeats, and no repeat is handed out', async () => {
    const { camera, notices, until, source } = await open();
    await until(() => framesOf(notices).length >= 2);
    camera.setFault({ kind: 'frozen-bytes' });
    await until(() => raised(notices, 'camera.frozen') === 1);

    const jpegs = framesOf(notices).map((frame) => frame.jpeg.toString('latin1'));
    expect(new Set(jpegs).size).toBe(jpegs.length);
    expect(source.counters.repeated).toBeGreaterThanOrEqual(5);

    camera.setFault(null);
    await until(() => notices.some((notice) => notice.kind === 'faultCleared' && notice.fault === 'camera.frozen'));
  });
});

describe('pictures that do not arrive whole', () => {
  const bad: readonly (readonly [CameraFault, string])[] = [
    [{ kind: 'cut' }, 'cut'],
    [{ kind: 'empty' }, 'cut'],
    [{ kind: 'oversized', byteCount: 60_000 }, 'too-large'],
  ];
  for (const [fault, cause] of bad)
    for (const hasLengths of [true, false]) {
      it(`are discarded (${fault.kind}, ${hasLengths ? 'with' : 'without'} lengths), and the next good one counts`, async () => {
        const { camera, notices, until, source } = await open({ hasLengths }, { partBytesMax: 50_000 });
        await until(() => framesOf(notices).length >= 2);
        camera.setFault(fault);
        await until(() => (source.counters[`discarded.${cause}`] ?? 0) >= 3);
        const before = framesOf(notices).length;
        camera.setFault(null);
        await until(() => framesOf(notices).length > before + 1);

        for (const { jpeg } of framesOf(notices))
          expect(jpeg.toString('latin1')).toMatch(/^\xff\xd8\xff\xfe..taken at [\d.]+\xff\xd9$/s);
      });
    }

  it('make the camera faulty when nothing else comes', async () => {
    const { camera, notices, until } = await open();
    await until(() => framesOf(notices).length >= 1);
    camera.setFault({ kind: 'cut' });
    await until(() => raised(notices, 'camera.bad-picture') === 1 && raised(notices, 'camera.offline') === 1);

    camera.setFault(null);
    await until(() => notices.some((notice) => notice.kind === 'faultCleared' && notice.fault === 'camera.bad-picture'));
  });
});

describe('a camera that stops', () => {
  const causes: readonly CameraFault[] = [{ kind: 'silent' }, { kind: 'dropping' }];
  for (const fault of causes) {
    it(`is opened anew by itself while the program stays free (${fault.kind})`, async () => {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      const { camera, notices, until, source } = await open();
      await until(() => framesOf(notices).length >= 2);
      const connections = camera.counters.connections;
      delay.enable();
      camera.setFault(fault);
      await until(() => raised(notices, 'camera.offline') === 1);
      await until(() => camera.counters.connections >= connections + 2);
      delay.disable();
      camera.setFault(null);
      const before = framesOf(notices).length;
      await until(() => framesOf(notices).length > before);

      expect(delay.percentile(99) / 1e6).toBeLessThan(100);
      expect(source.counters['fault.camera.offline']).toBe(1);
    });
  }

  it('is reported when it takes the connection and never answers', async () => {
    const bench = await openCameraBench();
    opened.push(bench);
    bench.camera.setFault({ kind: 'mute' });
    bench.source.open();
    await bench.until(() => raised(bench.notices, 'camera.offline') === 1);
    bench.camera.setFault(null);
    await bench.until(() => framesOf(bench.notices).length >= 2);
  });

  it('is asked again ever more slowly, up to the limit', async () => {
    const clock = new VirtualClock();
    const source = new MjpegFrames({ clock, url: 'http://127.0.0.1:9/stream', reopenMsMin: 250, reopenMsMax: 5_000 });
    source.open();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      // A refused connection is real; only the waits between are virtual.
      await vi.waitUntil(() => source.counters.losses === attempt);
      const before = clock.now().monoMs;
      await clock.advanceUntil(() => source.counters.connections === attempt + 1, 10_000);
      waits.push(clock.now().monoMs - before);
    }

    expect(waits.slice(0, 5)).toEqual([250, 500, 1_000, 2_000, 4_000]);
    expect(waits.slice(5)).toEqual([5_000, 5_000, 5_000]);
    await source.close();
  });
});

describe('an address that is not such a camera', () => {
  it('is told with what it answered', async () => {
    const bench = await openCameraBench({ login: { name: 'table', password: 'seven' } });
    opened.push(bench);
    bench.source.open();
    await bench.until(() => raised(bench.notices, 'camera.offline') === 1);

    expect(bench.notices[0]).toMatchObject({
      kind: 'faultRaised',
      fault: 'camera.offline',
      detail: expect.stringContaining('401'),
    });
  });

  it('is none when name and password are right', async () => {
    const login = { name: 'table', password: 'seven' };
    const { notices, until } = await open({ login }, { login });
    await until(() => framesOf(notices).length >= 2);

    expect(raised(notices, 'camera.offline')).toBe(0);
  });
});
