import type { FaultCode } from '../core/round/faults.ts';

/** One picture as the camera delivered it. */
export interface Frame {
  /** From 1, grows by one per frame of this source object, over reconnects. */
  readonly frameNumber: number;
  /** Whole JPEG, start and end marker present. These bytes are the evidence. */
  readonly jpeg: Buffer;
  /** Monotonic time at which the first byte of this picture arrived, ms. */
  readonly arrivedMonoMs: number;
  /** Best known time of capture on the monotonic clock, ms: the camera's own time stamp where it sends one, else `arrivedMonoMs`. */
  readonly capturedMonoMs: number;
  readonly capturedWallMs: number;
}

export type FrameNotice =
  | { readonly kind: 'frame'; readonly frame: Frame }
  /** A picture that did not arrive whole or is too large; never evidence. */
  | { readonly kind: 'discarded'; readonly cause: 'cut' | 'too-large' | 'not-jpeg'; readonly byteCount: number }
  | { readonly kind: 'faultRaised'; readonly fault: FaultCode; readonly detail: string }
  | { readonly kind: 'faultCleared'; readonly fault: FaultCode };

/** A camera. Real: `MjpegFrames`, `DirectoryFrames`. Simulated: the hardware simulator serves MJPEG, so tests use `MjpegFrames` or `SimFrames`.
 *  All pass `test/contracts/frame-source-contract.ts`. Only the newest frame is kept; nobody waits for an older one. */
export interface FrameSource {
  /** Connects and keeps reconnecting with back-off until `close`. Silence longer than `silenceMsMax` raises `camera.offline` and reconnects. */
  open(): void;
  /** The newest whole frame, or null. */
  readonly latest: Frame | null;
  readonly counters: Readonly<Record<string, number>>;
  /** @returns unsubscribe. */
  onNotice(listener: (notice: FrameNotice) => void): () => void;
  close(): Promise<void>;
}
