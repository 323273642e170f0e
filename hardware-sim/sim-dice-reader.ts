import type { SceneMeasures } from '../src/core/judging/scene-measures.ts';
import { DeviceError } from '../src/errors.ts';
import type { DiceReader, FrameMotion, FrameReading } from '../src/ports/dice-reader.ts';
import type { Frame } from '../src/ports/frame-source.ts';
import { bodiesOf, readingOf, sceneOf } from './sim-scene.ts';

type ReaderNotice = { readonly kind: 'up' } | { readonly kind: 'down'; readonly detail: string };

/** A reader without OpenCV: takes simulated pictures (`sim-scene.ts`) at their word. `kill` and `revive` stand for the vision process. */
export class SimDiceReader implements DiceReader {
  readonly calibrationId = 'sim';
  readonly counters: Record<string, number> = { frames: 0, reads: 0 };
  /** What each reading says of light, camera and dice; null as for a picture that was not looked into. */
  scene: SceneMeasures | null = null;
  /** Each reading waits for this; none by default. For a slow machine. */
  pace: () => Promise<void> = async () => {};
  readonly #listeners = new Set<(notice: ReaderNotice) => void>();
  #isDown = false;

  async open(): Promise<void> {
    if (this.#isDown) throw new DeviceError('vision.not-ready', 'the simulated vision process is dead');
    this.#tell({ kind: 'up' });
  }

  async motion(frame: Frame): Promise<FrameMotion> {
    this.#count('frames');
    const scene = sceneOf(frame.jpeg);
    const { changedShare, defect } = scene;
    const { frameNumber, capturedMonoMs } = frame;
    return { frameNumber, capturedMonoMs, changedShare, defect, bodies: bodiesOf(scene) };
  }

  async read(frame: Frame): Promise<FrameReading> {
    this.#count('reads');
    await this.pace();
    const { frameNumber, capturedMonoMs } = frame;
    return { frameNumber, capturedMonoMs, reading: readingOf(sceneOf(frame.jpeg)), scene: this.scene, durationMs: 0 };
  }

  onNotice(listener: (notice: ReaderNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }

  /** The process dies: every question fails until `revive`. */
  kill(): void {
    this.#isDown = true;
    this.#tell({ kind: 'down', detail: 'killed' });
  }

  revive(): void {
    this.#isDown = false;
    this.#tell({ kind: 'up' });
  }

  #count(counter: string): void {
    if (this.#isDown) throw new DeviceError('vision.lost', 'the simulated vision process is dead');
    this.counters[counter] = (this.counters[counter] ?? 0) + 1;
  }

  #tell(notice: ReaderNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }
}
