import { vi } from 'vitest';
import type { CameraPictures } from '../../hardware-sim/camera-pictures.ts';
import { CameraServer, type CameraServerOptions } from '../../hardware-sim/camera-server.ts';
import { MjpegFrames, type MjpegOptions } from '../../src/devices/mjpeg-frames.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import type { FrameNotice } from '../../src/ports/frame-source.ts';
import { jpegOf } from './mjpeg-bytes.ts';

/** A camera whose pictures say when they were taken, and a reader on it; short deadlines. */
export interface CameraBench {
  readonly clock: SystemClock;
  readonly camera: CameraServer;
  readonly source: MjpegFrames;
  readonly notices: FrameNotice[];
  until(isReached: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export async function openCameraBench(
  camera: Partial<CameraServerOptions> = {},
  reader: Partial<MjpegOptions> = {},
): Promise<CameraBench> {
  const clock = new SystemClock();
  const pictures: CameraPictures = { take: async () => jpegOf(`taken at ${clock.now().monoMs}`) };
  const server = await CameraServer.start({ clock, pictures, frameRate: 30, ...camera });
  const source = new MjpegFrames({ clock, url: server.url, silenceMsMax: 300, reopenMsMin: 20, reopenMsMax: 100, ...reader });
  const notices: FrameNotice[] = [];
  source.onNotice((notice) => notices.push(notice));
  return {
    clock,
    camera: server,
    source,
    notices,
    until: async (isReached) => void (await vi.waitUntil(isReached, { timeout: 8_000, interval: 2 })),
    close: async () => {
      await source.close();
      await server.close();
    },
  };
}

/** When a picture of the bench was really taken, monotonic ms. */
export function takenMonoMs(jpeg: Buffer): number {
  return Number(/taken at ([\d.]+)/.exec(jpeg.toString('latin1'))?.[1]);
}
