import { FrameOutlet } from '../src/devices/frame-outlet.ts';
import type { Clock } from '../src/ports/clock.ts';
import type { Frame, FrameNotice, FrameSource } from '../src/ports/frame-source.ts';

export interface SimFramesOptions {
  readonly clock: Clock;
  /** Bytes of the next picture; the default is a JPEG without content whose number makes it differ from all others. */
  readonly picture?: (frameNumber: number) => Buffer;
  /** Pictures a second, 15 by default. */
  readonly frameRate?: number;
  readonly silenceMsMax?: number;
  /** Byte-identical pictures in a row that make the camera frozen. */
  readonly repeatCountMax?: number;
  /** A camera without time stamps: pictures count as taken this long before they arrive, ms; 0 for one with time stamps, the default. */
  readonly unstampedDelayMs?: number;
}

export type SimFramesFault =
  | { readonly kind: 'silent' }
  | { readonly kind: 'frozen' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'stale'; readonly frameCount: number }
  /** The next pictures that come are the last so many that were taken before this time; afterwards it is as if nothing had been. */
  | { readonly kind: 'held-back'; readonly beforeMonoMs: number; readonly frameCount: number };

interface TakenPicture {
  readonly jpeg: Buffer;
  readonly takenMonoMs: number;
}

/** Pictures kept for the faults that send old ones: six seconds at 30 a second, longer than a shake. */
const keptCountMax = 180;

/** A camera on any clock, without network or pixels, for runs of the whole table in virtual time. Same contract as the real frame sources. */
export class SimFrames implements FrameSource {
  readonly #clock: Clock;
  readonly #outlet: FrameOutlet;
  readonly #picture: (frameNumber: number) => Buffer;
  readonly #intervalMs: number;
  readonly #silenceMsMax: number;
  readonly #repeatCountMax: number;
  readonly #unstampedDelayMs: number;
  #cancels: (() => void)[] = [];
  #isOpen = false;
  #fault: SimFramesFault | null = null;
  #takenCount = 0;
  #repeatCount = 0;
  #heardMonoMs = 0;
  #queue: TakenPicture[] = [];
  #heldBack: readonly TakenPicture[] = [];

  constructor({ clock, picture = plainPicture, frameRate = 15, ...settings }: SimFramesOptions) {
    const { silenceMsMax = 2_000, repeatCountMax = 5, unstampedDelayMs = 0 } = settings;
    this.#clock = clock;
    this.#outlet = new FrameOutlet(clock);
    this.#picture = picture;
    this.#intervalMs = 1000 / frameRate;
    this.#silenceMsMax = silenceMsMax;
    this.#repeatCountMax = repeatCountMax;
    this.#unstampedDelayMs = unstampedDelayMs;
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

  /** Begins a fault, or ends it with null. */
  setFault(fault: SimFramesFault | null): void {
    this.#fault = fault;
    this.#heldBack =
      fault?.kind === 'held-back'
        ? this.#queue.filter(({ takenMonoMs }) => takenMonoMs < fault.beforeMonoMs).slice(-fault.frameCount)
        : [];
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#heardMonoMs = this.#clock.now().monoMs;
    this.#tick();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    for (const cancel of this.#cancels) cancel();
    this.#cancels = [];
  }

  #tick(): void {
    this.#cancels = [
      this.#clock.after(this.#intervalMs, () => {
        if (!this.#isOpen) return;
        this.#take();
        if (this.#isOpen) this.#tick();
      }),
    ];
  }

  #take(): void {
    const nowMs = this.#clock.now().monoMs;
    if (this.#fault?.kind === 'silent') {
      if (nowMs - this.#heardMonoMs > this.#silenceMsMax)
        this.#outlet.raise('camera.offline', `no whole picture in ${this.#silenceMsMax} ms`);
      return;
    }
    if (this.#fault?.kind === 'cut') {
      this.#outlet.discard('cut', 2);
      return;
    }
    const isFrozen = this.#fault?.kind === 'frozen' && this.#queue.length > 0;
    if (!isFrozen) {
      this.#takenCount += 1;
      this.#queue = [...this.#queue, { jpeg: this.#picture(this.#takenCount), takenMonoMs: nowMs }].slice(-keptCountMax);
    }
    const lag = this.#fault?.kind === 'stale' ? this.#fault.frameCount : 0;
    const [oldest, ...later] = this.#heldBack;
    this.#heldBack = later;
    const taken = oldest ?? this.#queue.at(-1 - lag) ?? this.#queue[0];
    if (taken === undefined) return;
    this.#heardMonoMs = nowMs;
    this.#outlet.clear('camera.offline');
    if (this.#outlet.latest?.jpeg.equals(taken.jpeg) === true) {
      this.#repeatCount += 1;
      this.#outlet.count('repeated');
      if (this.#repeatCount >= this.#repeatCountMax) {
        this.#outlet.raise('camera.frozen', `${this.#repeatCountMax} pictures in a row are the same bytes`);
      }
      return;
    }
    this.#repeatCount = 0;
    this.#outlet.clear('camera.frozen');
    const capturedMonoMs = this.#unstampedDelayMs > 0 ? nowMs - this.#unstampedDelayMs : taken.takenMonoMs;
    this.#outlet.deliver(taken.jpeg, nowMs, capturedMonoMs);
  }
}

/** Start marker, a comment with the number, end marker. */
function plainPicture(frameNumber: number): Buffer {
  const comment = Buffer.from(`frame ${frameNumber}`, 'latin1');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(comment.length + 2);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xfe]), length, comment, Buffer.from([0xff, 0xd9])]);
}
