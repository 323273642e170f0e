import type { FaultCode } from '../core/round/faults.ts';
import type { Clock } from '../ports/clock.ts';
import type { Frame, FrameNotice } from '../ports/frame-source.ts';

/** The side of a frame source that its users see: newest frame, notices, counters, standing faults. Each fault is told once when it begins and once when it ends. */
export class FrameOutlet {
  readonly #clock: Clock;
  readonly #listeners = new Set<(notice: FrameNotice) => void>();
  readonly #standing = new Set<FaultCode>();
  readonly #counters: Record<string, number> = { frames: 0 };
  #latest: Frame | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get latest(): Frame | null {
    return this.#latest;
  }

  get counters(): Readonly<Record<string, number>> {
    return { ...this.#counters };
  }

  onNotice(listener: (notice: FrameNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hands out the next frame; the one before is forgotten. */
  deliver(jpeg: Buffer, arrivedMonoMs: number, capturedMonoMs: number): void {
    const now = this.#clock.now();
    this.count('frames');
    this.#latest = {
      frameNumber: this.#counters.frames ?? 1,
      jpeg,
      arrivedMonoMs,
      capturedMonoMs,
      capturedWallMs: now.wallMs - (now.monoMs - capturedMonoMs),
    };
    this.#tell({ kind: 'frame', frame: this.#latest });
  }

  discard(cause: 'cut' | 'too-large' | 'not-jpeg', byteCount: number): void {
    this.count(`discarded.${cause}`);
    this.#tell({ kind: 'discarded', cause, byteCount });
  }

  raise(fault: FaultCode, detail: string): void {
    if (this.#standing.has(fault)) return;
    this.#standing.add(fault);
    this.count(`fault.${fault}`);
    this.#tell({ kind: 'faultRaised', fault, detail });
  }

  clear(fault: FaultCode): void {
    if (this.#standing.delete(fault)) this.#tell({ kind: 'faultCleared', fault });
  }

  count(counter: string): void {
    this.#counters[counter] = (this.#counters[counter] ?? 0) + 1;
  }

  #tell(notice: FrameNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}
