import type { Frame, FrameNotice, FrameSource } from '../../src/ports/frame-source.ts';

/** A camera that delivers one given picture over and over, 50 a second, until it is shown another or nothing. */
export class ShownPictures implements FrameSource {
  readonly counters = {};
  readonly #listeners = new Set<(notice: FrameNotice) => void>();
  readonly #timer: ReturnType<typeof setInterval>;
  #jpeg: Buffer | null = null;
  #frameNumber = 0;

  constructor() {
    this.#timer = setInterval(() => this.#deliver(), 20);
  }

  /** @param jpeg null: the camera falls silent. */
  show(jpeg: Buffer | null): void {
    this.#jpeg = jpeg;
  }

  open(): void {}

  get latest(): Frame | null {
    return null;
  }

  onNotice(listener: (notice: FrameNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  #deliver(): void {
    if (this.#jpeg === null) return;
    this.#frameNumber += 1;
    const nowMs = performance.now();
    const times = { arrivedMonoMs: nowMs, capturedMonoMs: nowMs, capturedWallMs: Date.now() };
    const frame = { frameNumber: this.#frameNumber, jpeg: this.#jpeg, ...times };
    for (const listener of this.#listeners) listener({ kind: 'frame', frame });
  }
}
