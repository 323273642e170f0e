import { seededRandom } from './seeded-random.ts';

/** Fixed-point steps per grey level in which clean pictures are kept, so that noise falls between the levels. */
export const levelSteps = 16;

/** Noise of a sensor, fresh for every picture: a long strip of normal noise, read from another place for each line. */
export interface SensorNoise {
  /** Adds noise to a clean picture (`levelSteps` per grey level, three channels) and rounds it into bytes. */
  apply(clean: Int16Array, out: Uint8ClampedArray, widthPx: number): void;
}

const stripLength = 3 * (1 << 17);

/** @param sigma Deviation of one channel, grey levels of 255. */
export function sensorNoise(sigma: number, seed: number): SensorNoise {
  const random = seededRandom(seed);
  const strip = new Int16Array(stripLength);
  for (let i = 0; i < stripLength; i += 3) {
    // Half of the noise is common to the channels, as after the interpolation of a colour mosaic.
    const common = random.gauss() * 0.7;
    for (let c = 0; c < 3; c += 1) strip[i + c] = Math.round((common + random.gauss() * 0.71) * sigma * levelSteps);
  }
  return {
    apply: (clean, out, widthPx) => {
      const line = widthPx * 3;
      const lines = clean.length / line;
      for (let y = 0; y < lines; y += 1) {
        const from = y * line;
        const at = Math.floor(random.next() * ((stripLength - line) / 3)) * 3;
        for (let i = 0; i < line; i += 1)
          out[from + i] = ((clean[from + i] as number) + (strip[at + i] as number) + levelSteps / 2) >> 4;
      }
    },
  };
}
