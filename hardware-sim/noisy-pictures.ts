import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { seededRandom } from './seeded-random.ts';
import { levelSteps, type SensorNoise, sensorNoise } from './sensor-noise.ts';

interface DecodedPicture {
  readonly jpeg: Buffer;
  /** `levelSteps` per grey level. */
  readonly clean: Int16Array;
  readonly width: number;
  readonly height: number;
}

/** Decoded pictures kept, each of 5 MB at 1280 × 720: those of one throw. */
const decodedMax = 6;

/** JPEG files as a camera would see them: each showing with sensor noise of its own. */
export class NoisyPictures {
  readonly #random: ReturnType<typeof seededRandom>;
  readonly #noises = new Map<number, SensorNoise>();
  readonly #decoded = new Map<string, DecodedPicture>();

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Decodes the files ahead, so that their first showing takes no longer than the others. */
  async prepare(files: readonly string[]): Promise<void> {
    for (const file of files) await this.#decode(file);
  }

  /** One showing of the file as a JPEG. @param noiseSigma deviation of the noise in grey levels of 255; 0 gives the file's own bytes. */
  async jpeg(file: string, noiseSigma: number): Promise<Buffer> {
    const picture = await this.#decode(file);
    if (noiseSigma === 0) return picture.jpeg;
    const out = new Uint8ClampedArray(picture.clean.length);
    this.#noiseOf(noiseSigma).apply(picture.clean, out, picture.width);
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
    const known = this.#decoded.get(file);
    if (known !== undefined) {
      // Put last again: the first of the map is the one that was not shown for longest.
      this.#decoded.delete(file);
      this.#decoded.set(file, known);
      return known;
    }
    const jpeg = await readFile(file);
    const { data, info } = await sharp(jpeg).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
    const clean = new Int16Array(data.length);
    for (let i = 0; i < data.length; i += 1) clean[i] = (data[i] as number) * levelSteps;
    const made = { jpeg, clean, width: info.width, height: info.height };
    const [oldest] = this.#decoded.keys();
    if (this.#decoded.size >= decodedMax && oldest !== undefined) this.#decoded.delete(oldest);
    this.#decoded.set(file, made);
    return made;
  }
}
