import { describe, expect, it } from 'vitest';
import type { Frame, FrameNotice, FrameSource } from '../../src/ports/frame-source.ts';

/** A frame source with the camera behind it. */
export interface FrameSourceBench {
  readonly source: FrameSource;
  /** Lets time pass until the condition holds. @throws when it does not within some seconds. */
  until(isReached: () => boolean): Promise<void>;
  /** Time passes in which several pictures would come. */
  pass(): Promise<void>;
  /** The camera sends no more whole pictures, or sends them again. */
  setSending(isSending: boolean): Promise<void>;
  close(): Promise<void>;
}

/** What every frame source keeps to; see the port. */
export function frameSourceContract(name: string, openBench: () => Promise<FrameSourceBench>): void {
  const withBench = async (run: (bench: FrameSourceBench, notices: FrameNotice[]) => Promise<void>): Promise<void> => {
    const bench = await openBench();
    const notices: FrameNotice[] = [];
    bench.source.onNotice((notice) => notices.push(notice));
    try {
      await run(bench, notices);
    } finally {
      await bench.source.close();
      await bench.close();
    }
  };

  describe(`${name} as a frame source`, () => {
    it('has no picture before it is opened', () =>
      withBench(async ({ source, pass }) => {
        await pass();

        expect(source.latest).toBeNull();
      }));

    it('numbers its pictures from 1 without a gap, and each is a whole JPEG', () =>
      withBench(async ({ source, until }, notices) => {
        source.open();
        await until(() => framesOf(notices).length >= 4);

        const frames = framesOf(notices);
        expect(frames.slice(0, 4).map((frame) => frame.frameNumber)).toEqual([1, 2, 3, 4]);
        for (const { jpeg } of frames) {
          expect(jpeg.subarray(0, 2).toString('hex')).toBe('ffd8');
          expect(jpeg.subarray(-2).toString('hex')).toBe('ffd9');
        }
      }));

    it('keeps only the newest picture', () =>
      withBench(async ({ source, until }, notices) => {
        source.open();
        await until(() => framesOf(notices).length >= 3);

        expect(source.latest).toBe(framesOf(notices).at(-1));
        expect(source.counters.frames).toBe(framesOf(notices).length);
      }));

    it('never claims that a picture was taken after it arrived, nor before the one it followed', () =>
      withBench(async ({ source, until }, notices) => {
        source.open();
        await until(() => framesOf(notices).length >= 5);

        const frames = framesOf(notices);
        for (const frame of frames) expect(frame.capturedMonoMs).toBeLessThanOrEqual(frame.arrivedMonoMs);
        const captured = frames.map((frame) => frame.capturedMonoMs);
        expect(captured).toEqual([...captured].sort((a, b) => a - b));
      }));

    it('gives the pictures one after the other when it was opened twice', () =>
      withBench(async ({ source, until }, notices) => {
        source.open();
        source.open();
        await until(() => framesOf(notices).length >= 4);

        const arrived = framesOf(notices).map((frame) => frame.arrivedMonoMs);
        expect(new Set(arrived).size).toBe(arrived.length);
      }));

    it('tells nothing to a listener that has left', () =>
      withBench(async ({ source, until }, notices) => {
        const heard: FrameNotice[] = [];
        const leave = source.onNotice((notice) => heard.push(notice));
        source.open();
        await until(() => framesOf(notices).length >= 2);
        leave();
        const before = heard.length;
        await until(() => framesOf(notices).length >= 4);

        expect(heard.length).toBe(before);
      }));

    it('raises camera.offline once when no picture comes, and clears it with the next one', () =>
      withBench(async ({ source, until, pass, setSending }, notices) => {
        source.open();
        await until(() => framesOf(notices).length >= 2);
        await setSending(false);
        await until(() => raised(notices, 'camera.offline') === 1);
        await pass();
        expect(raised(notices, 'camera.offline')).toBe(1);
        const before = framesOf(notices).length;

        await setSending(true);
        await until(() => framesOf(notices).length > before);

        expect(notices.filter((notice) => notice.kind === 'faultCleared' && notice.fault === 'camera.offline')).toHaveLength(1);
        expect(framesOf(notices).map((frame) => frame.frameNumber)).toEqual(framesOf(notices).map((_, index) => index + 1));
      }));

    it('is quiet after it was closed', () =>
      withBench(async ({ source, until, pass }, notices) => {
        source.open();
        await until(() => framesOf(notices).length >= 2);
        await source.close();
        const before = notices.length;
        await pass();

        expect(notices.length).toBe(before);
      }));
  });
}

/** The frames among the notices. */
export function framesOf(notices: readonly FrameNotice[]): readonly Frame[] {
  return notices.flatMap((notice) => (notice.kind === 'frame' ? [notice.frame] : []));
}

/** How often a fault was raised. */
export function raised(notices: readonly FrameNotice[], fault: string): number {
  return notices.filter((notice) => notice.kind === 'faultRaised' && notice.fault === fault).length;
}
