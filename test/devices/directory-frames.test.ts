import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { DirectoryFrames } from '../../src/devices/directory-frames.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import type { FrameNotice } from '../../src/ports/frame-source.ts';
import { frameSourceContract, framesOf, raised } from '../contracts/frame-source-contract.ts';
import { jpegOf } from './mjpeg-bytes.ts';

const fill = async (folder: string): Promise<void> => {
  for (const number of [1, 2, 3]) await writeFile(join(folder, `picture-${number}.jpg`), jpegOf(`picture ${number}`));
};

frameSourceContract('DirectoryFrames', async () => {
  const clock = new SystemClock();
  const folder = await mkdtemp(join(tmpdir(), 'frames-'));
  await fill(folder);
  const source = new DirectoryFrames({ clock, directory: folder, frameRate: 50, reopenMs: 20 });
  const untilMono = async (ms: number): Promise<void> => {
    const endMs = clock.now().monoMs + ms;
    await vi.waitUntil(() => clock.now().monoMs >= endMs, { timeout: 5_000, interval: 5 });
  };
  return {
    source,
    until: async (isReached) => void (await vi.waitUntil(isReached, { timeout: 5_000, interval: 2 })),
    pass: () => untilMono(120),
    setSending: async (isSending) => {
      if (isSending) await fill(folder);
      else for (const name of await readdir(folder)) await rm(join(folder, name));
    },
    close: () => rm(folder, { recursive: true }),
  };
});

it('plays the pictures in the order of their names, passes over bad ones and stops after the last when told to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'frames-'));
  await writeFile(join(folder, 'b.jpg'), jpegOf('second'));
  await writeFile(join(folder, 'a.jpeg'), jpegOf('first'));
  await writeFile(join(folder, 'c.jpg'), jpegOf('cut').subarray(0, 8));
  await writeFile(join(folder, 'd.jpg'), 'GIF89a no picture of ours');
  await writeFile(join(folder, 'e.jpg'), '');
  await writeFile(join(folder, 'notes.txt'), 'not shown');
  const source = new DirectoryFrames({ clock: new SystemClock(), directory: folder, frameRate: 50, isLoop: false });
  const notices: FrameNotice[] = [];
  source.onNotice((notice) => notices.push(notice));

  source.open();
  await vi.waitUntil(() => raised(notices, 'camera.offline') === 1, { timeout: 5_000 });

  expect(framesOf(notices).map((frame) => frame.jpeg)).toEqual([jpegOf('first'), jpegOf('second')]);
  expect(source.counters).toMatchObject({ frames: 2, 'discarded.cut': 2, 'discarded.not-jpeg': 1 });
  await source.close();
  await rm(folder, { recursive: true });
});
