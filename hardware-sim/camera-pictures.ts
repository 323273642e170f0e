import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Clock } from '../src/ports/clock.ts';
import { DiceCamera } from './dice-camera.ts';
import type { DiceMachine } from './machine.ts';
import type { Rig } from './rig.ts';
import { seededRandom } from './seeded-random.ts';
import { levelSteps, type SensorNoise, sensorNoise } from './sensor-noise.ts';

/** Where a simulated camera's pictures come from. Calls do not overlap. */
export interface CameraPictures {
  /** The picture of this moment as a whole JPEG, with noise of its own. */
  take(): Promise<Buffer>;
}

/** Pictures of the machine: what its dice do at this moment. The camera's lighting can be changed while it runs. */
export class MachinePictures implements CameraPictures {
  readonly camera: DiceCamera;
  readonly #machine: DiceMachine;

  constructor(machine: DiceMachine, rig: Rig, noiseSeed: number) {
    this.#machine = machine;
    this.camera = new DiceCamera(rig, noiseSeed);
  }

  async take(): Promise<Buffer> {
    this.camera.show(this.#machine.view(), this.#machine.exposure());
    return this.camera.jpeg();
  }
}

/** One entry of a playlist. */
export interface PlaylistEntry {
  readonly file: string;
  /** How long it is shown, ms; the last one stays. */
  readonly holdMs: number;
  /** Fresh noise laid over each showing, deviation in grey levels of 255; 0 sends the file's own bytes. */
  readonly noiseSigma: number;
}

interface DecodedPicture {
  readonly file: string;
  readonly jpeg: Buffer;
  /** `levelSteps` per grey level. */
  readonly clean: Int16Array;
  readonly width: number;
  readonly height: number;
}

/** Plays given pictures as if a camera saw them, each showing with fresh noise. `load` starts another list at once. */
export class PlaylistPictures implements CameraPictures {
  readonly #clock: Clock;
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #noises = new Map<number, SensorNoise>();
  #entries: readonly PlaylistEntry[];
  #startMs: number;
  #decoded: DecodedPicture | null = null;

  constructor(clock: Clock, entries: readonly PlaylistEntry[], seed: number) {
    this.#clock = clock;
    this.#random = seededRandom(seed);
    this.#entries = entries;
    this.#startMs = clock.now().monoMs;
  }

  /** Plays another list from its beginning, from now on. */
  load(entries: readonly PlaylistEntry[]): void {
    this.#entries = entries;
    this.#startMs = this.#clock.now().monoMs;
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
    const picture = await this.#decode(entry.file);
    if (entry.noiseSigma === 0) return picture.jpeg;
    const out = new Uint8ClampedArray(picture.clean.length);
    this.#noiseOf(entry.noiseSigma).apply(picture.clean, out, picture.width);
    return sharp(out, { raw: { width: picture.width, height: picture.height, channels: 3 } })
      .jpeg({ quality: 93, optimiseCoding: false })
      .toBuffer();
  }

  #noiseOf(sigma: number): SensorNoise {
    const known = this.#noises.get(sigma);
    if (known !== undefined) return known;
    const made = sensorNoise(sigma, this.#random.index(1 << 30));
    this.#noises.set(sigma, made);
    return made;
  }

  async #decode(file: string): Promise<DecodedPicture> {
    if (this.#decoded?.file === file) return this.#decoded;
    const jpeg = await readFile(file);
    const { data, info } = await sharp(jpeg).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    const clean = Int16Array.from(data, (level) => level * levelSteps);
    this.#decoded = { file, jpeg, clean, width: info.width, height: info.height };
    return this.#decoded;
  }
}
