import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../ports/clock.ts';
import type { Frame, FrameNotice, FrameSource } from '../ports/frame-source.ts';
import { FrameOutlet } from './frame-outlet.ts';

export interface DirectoryOptions {
  readonly clock: Clock;
  readonly directory: string;
  /** Pictures a second, above 0 to 60; 15 by default. */
  readonly frameRate?: number;
  /** Begins again after the last picture; otherwise the source goes offline there. True by default. */
  readonly isLoop?: boolean;
  /** Largest picture, bytes. Default 8 MiB. */
  readonly partBytesMax?: number;
  /** Wait before a folder that cannot be read is tried again, ms. Default 1,000. */
  readonly reopenMs?: number;
}

/** Plays the `.jpg` and `.jpeg` pictures of a folder in the order of their names, as if a camera took each at the moment it is handed out.
 *  For demonstrations and recorded rounds; a table for money has a camera. */
export class DirectoryFrames implements FrameSource {
  readonly #options: Required<DirectoryOptions>;
  readonly #outlet: FrameOutlet;
  #names: readonly string[] = [];
  #index = 0;
  #runNumber = 0;
  #cancel: () => void = () => undefined;

  constructor(options: DirectoryOptions) {
    this.#options = { frameRate: 15, isLoop: true, partBytesMax: 8 * 1024 * 1024, reopenMs: 1_000, ...options };
    this.#outlet = new FrameOutlet(options.clock);
  }

  get latest(): Frame | null {
    return this.#outlet.latest;
  }

  get counters(): Readonly<Record<string, number>> {
    return this.#outlet.counters;
  }

  onNotice(listener: (notice: FrameNotice) => void): () => void {
    return this.#outlet.onNotice(listener);
  }

  open(): void {
    if (this.#runNumber % 2 === 1) return;
    this.#runNumber += 1;
    void this.#list(this.#runNumber);
  }

  async close(): Promise<void> {
    // Odd while open; what an older run still awaits then no longer counts.
    if (this.#runNumber % 2 === 1) this.#runNumber += 1;
    this.#cancel();
  }

  async #list(run: number): Promise<void> {
    let detail = 'holds no .jpg pictures';
    try {
      const names = await readdir(this.#options.directory);
      this.#names = names.filter((name) => /\.jpe?g$/i.test(name)).sort();
    } catch (error) {
      this.#names = [];
      detail = error instanceof Error ? error.message : String(error);
    }
    if (run !== this.#runNumber) return;
    this.#index = 0;
    if (this.#names.length > 0) {
      void this.#next(run);
      return;
    }
    this.#outlet.raise('camera.offline', `${this.#options.directory}: ${detail}`);
    this.#after(this.#options.reopenMs, () => void this.#list(run));
  }

  async #next(run: number): Promise<void> {
    const startMs = this.#options.clock.now().monoMs;
    const name = this.#names[this.#index];
    if (name === undefined) return;
    await this.#show(join(this.#options.directory, name), run);
    if (run !== this.#runNumber) return;
    this.#index += 1;
    const isEnd = this.#index >= this.#names.length;
    if (isEnd && !this.#options.isLoop) {
      this.#outlet.raise('camera.offline', 'the last picture of the folder has been shown');
      return;
    }
    const spentMs = this.#options.clock.now().monoMs - startMs;
    // The folder is read anew for each pass: pictures may come and go.
    this.#after(Math.max(0, 1000 / this.#options.frameRate - spentMs), () => void (isEnd ? this.#list(run) : this.#next(run)));
  }

  async #show(file: string, run: number): Promise<void> {
    let jpeg: Buffer;
    try {
      const { size } = await stat(file);
      if (size > this.#options.partBytesMax) {
        if (run === this.#runNumber) this.#outlet.discard('too-large', size);
        return;
      }
      jpeg = await readFile(file);
    } catch {
      // A picture that was taken away in the meantime is passed over like one that does not arrive whole.
      if (run === this.#runNumber) this.#outlet.discard('cut', 0);
      return;
    }
    if (run !== this.#runNumber) return;
    const isStart = jpeg.length >= 2 && jpeg[0] === 0xff && jpeg[1] === 0xd8;
    const isWhole = jpeg.length >= 4 && jpeg[jpeg.length - 2] === 0xff && jpeg[jpeg.length - 1] === 0xd9;
    if (!isStart || !isWhole) {
      this.#outlet.discard(jpeg.length > 0 && !isStart ? 'not-jpeg' : 'cut', jpeg.length);
      return;
    }
    this.#outlet.clear('camera.offline');
    const { monoMs } = this.#options.clock.now();
    this.#outlet.deliver(jpeg, monoMs, monoMs);
  }

  #after(delayMs: number, run: () => void): void {
    this.#cancel = this.#options.clock.after(delayMs, run);
  }
}
