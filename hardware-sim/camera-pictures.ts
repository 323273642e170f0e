import type { Clock } from '../src/ports/clock.ts';
import { DiceCamera } from './dice-camera.ts';
import type { DiceMachine } from './machine.ts';
import { NoisyPictures } from './noisy-pictures.ts';
import type { Rig } from './rig.ts';

/** Where a simulated camera's pictures come from. Calls do not overlap. */
export interface CameraPictures {
  /** The picture of this moment as a whole JPEG, with noise of its own. */
  take(): Promise<Buffer>;
}

/** Pictures after which the drawing runs at its full speed, measured: up to ten times slower before. */
const warmUpCount = 12;

/** Pictures of the machine: what its dice do at this moment. The camera's lighting can be changed while it runs. */
export class MachinePictures implements CameraPictures {
  readonly camera: DiceCamera;
  readonly #machine: DiceMachine;
  #warmUpsLeft = warmUpCount;

  constructor(machine: DiceMachine, rig: Rig, noiseSeed: number) {
    this.#machine = machine;
    this.camera = new DiceCamera(rig, noiseSeed);
  }

  async take(): Promise<Buffer> {
    if (this.#warmUpsLeft > 0) {
      this.camera.warmUp(this.#machine.view(), this.#warmUpsLeft);
      this.#warmUpsLeft -= 1;
    }
    this.camera.show(this.#machine.view(), this.#machine.exposure());
    return this.camera.jpeg();
  }
}

/** One entry of a playlist. */
export interface PlaylistEntry {
  readonly file: string;
  /** Where there is one, each picture shows the other of the two files. */
  readonly otherFile?: string;
  /** How long it is shown, ms; the last one stays. */
  readonly holdMs: number;
  /** Fresh noise laid over each showing, deviation in grey levels of 255; 0 sends the file's own bytes. */
  readonly noiseSigma: number;
}

/** Plays given pictures as if a camera saw them, each showing with fresh noise. `load` starts another list at once. */
export class PlaylistPictures implements CameraPictures {
  readonly #clock: Clock;
  readonly #pictures: NoisyPictures;
  #entries: readonly PlaylistEntry[];
  #startMs: number;
  #takenCount = 0;

  constructor(clock: Clock, entries: readonly PlaylistEntry[], seed: number) {
    this.#clock = clock;
    this.#pictures = new NoisyPictures(seed);
    this.#entries = entries;
    this.#startMs = clock.now().monoMs;
  }

  /** Plays another list from its beginning, from now on. */
  load(entries: readonly PlaylistEntry[]): void {
    this.#entries = entries;
    this.#startMs = this.#clock.now().monoMs;
  }

  /** Decodes files that will be shown soon, so that no picture is late. */
  prepare(files: readonly string[]): Promise<void> {
    return this.#pictures.prepare(files);
  }

  /** Index of the entry that is shown now; -1 for an empty list. */
  get entryIndex(): number {
    let left = this.#clock.now().monoMs - this.#startMs;
    for (const [index, entry] of this.#entries.entries()) {
      if (left < entry.holdMs) return index;
      left -= entry.holdMs;
    }
    return this.#entries.length - 1;
  }

  async take(): Promise<Buffer> {
    const entry = this.#entries[this.entryIndex];
    if (entry === undefined) throw new RangeError('the playlist is empty');
    this.#takenCount += 1;
    const file = this.#takenCount % 2 === 0 ? (entry.otherFile ?? entry.file) : entry.file;
    return this.#pictures.jpeg(file, entry.noiseSigma);
  }
}
