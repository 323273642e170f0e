import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { SimFrames, type SimFramesFault, type SimFramesOptions } from '../../hardware-sim/sim-frames.ts';
import { type CameraFindings, checkCamera } from '../../src/doctor/check-camera.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { VirtualClock } from '../virtual-clock.ts';

/** Two whole JPEGs of 640 x 480 px that differ. */
let jpegs: readonly Buffer[] = [];

beforeAll(async () => {
  const plain = (level: number): Promise<Buffer> =>
    sharp({ create: { width: 640, height: 480, channels: 3, background: { r: level, g: level, b: level } } })
      .jpeg()
      .toBuffer();
  jpegs = [await plain(90), await plain(120)];
});

/** Examines a camera in virtual time, ten seconds long. */
async function examined(
  options: Partial<SimFramesOptions> = {},
  fault: SimFramesFault | null = null,
  resolution: readonly [number, number] | null = [640, 480],
): Promise<CameraFindings> {
  const clock = new VirtualClock();
  const frames = new SimFrames({ clock, picture: (number) => jpegs[number % 2] ?? Buffer.alloc(0), ...options });
  if (fault?.kind === 'silent') frames.setFault(fault);
  const found = checkCamera(frames, clock, resolution);
  await clock.advance(500);
  frames.setFault(fault);
  await clock.advance(9_500);
  await frames.close();
  return found;
}

function about({ findings }: CameraFindings, check: string): Finding | undefined {
  return findings.find((finding) => finding.check === check);
}

it('measures the pictures of a good camera and hands the last three on', async () => {
  const found = await examined({ frameRate: 10 });

  expect(found.findings).toMatchObject([
    { check: 'camera', verdict: 'ok', detail: '19 whole pictures in 2 s' },
    { check: 'camera rate', verdict: 'ok', detail: '10.0 pictures a second, at least 8 wanted' },
    { check: 'camera age', verdict: 'ok', detail: 'pictures are 0 ms old when they arrive, at most 350 ms wanted' },
    { check: 'camera size', verdict: 'ok', detail: '640 x 480 px, as calibrated' },
  ]);
  expect(found.frames).toHaveLength(3);
});

it('gives a silent camera five seconds and then says so', async () => {
  const found = await examined({}, { kind: 'silent' });

  expect(found.findings).toMatchObject([
    { check: 'camera', verdict: 'problem', detail: expect.stringMatching(/^no picture within 5000 ms: no whole picture in/) },
  ]);
  expect(found.frames).toEqual([]);
});

it('says that a camera shows the same picture for ever', async () => {
  expect(about(await examined({}, { kind: 'frozen' }), 'camera')).toMatchObject({
    verdict: 'problem',
    detail: 'camera.frozen: 5 pictures in a row are the same bytes',
  });
});

it('counts the pictures that do not arrive whole', async () => {
  expect(about(await examined({}, { kind: 'cut' }), 'camera')?.verdict).not.toBe('ok');
});

it('says that too few pictures come to see tumbles', async () => {
  expect(about(await examined({ frameRate: 4 }), 'camera rate')).toMatchObject({
    verdict: 'problem',
    detail: '4.0 pictures a second, at least 8 wanted',
  });
});

it('warns of a queue that makes pictures old', async () => {
  expect(about(await examined({}, { kind: 'stale', frameCount: 8 }), 'camera age')).toMatchObject({
    verdict: 'warning',
    detail: 'pictures are 533 ms old when they arrive, at most 350 ms wanted',
  });
});

it('compares the size with the calibration', async () => {
  expect(about(await examined({}, null, [1280, 720]), 'camera size')).toMatchObject({
    verdict: 'problem',
    detail: '640 x 480 px, calibrated for 1280 x 720 px',
  });
  expect(about(await examined({}, null, null), 'camera size')?.verdict).toBe('warning');
});
