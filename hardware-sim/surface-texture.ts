import type { Colour, FloorKind } from './rig.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** Square patch of a surface: a factor on the colour and some white laid over it (dust, scratches), both by place. */
export interface SurfaceTexture {
  readonly sidePx: number;
  readonly factor: Float32Array;
  readonly white: Float32Array;
}

interface Grain {
  readonly colour: Colour;
  /** Share of brightness that varies from grain to grain, by grain size: one pixel, four, sixteen. */
  readonly fine: number;
  readonly middle: number;
  readonly coarse: number;
  readonly speckCount: number;
  readonly scratchCount: number;
}

const grains: Readonly<Record<FloorKind, Grain>> = {
  'green-felt': { colour: [0.006, 0.085, 0.028], fine: 0.1, middle: 0.07, coarse: 0.05, speckCount: 90, scratchCount: 10 },
  'black-rubber': { colour: [0.034, 0.034, 0.038], fine: 0.1, middle: 0.05, coarse: 0.03, speckCount: 25, scratchCount: 4 },
  'beige-cloth': { colour: [0.3, 0.24, 0.15], fine: 0.07, middle: 0.12, coarse: 0.07, speckCount: 12, scratchCount: 0 },
  'blue-scratched': { colour: [0.01, 0.026, 0.15], fine: 0.06, middle: 0.04, coarse: 0.03, speckCount: 60, scratchCount: 45 },
  'red-felt': { colour: [0.11, 0.006, 0.01], fine: 0.1, middle: 0.07, coarse: 0.05, speckCount: 40, scratchCount: 3 },
  'white-cloth': { colour: [0.55, 0.54, 0.5], fine: 0.05, middle: 0.06, coarse: 0.03, speckCount: 8, scratchCount: 0 },
  'woven-carpet': { colour: [0.085, 0.05, 0.07], fine: 0.22, middle: 0.2, coarse: 0.14, speckCount: 30, scratchCount: 0 },
  'grey-dotted': { colour: [0.12, 0.12, 0.125], fine: 0.05, middle: 0.03, coarse: 0.02, speckCount: 20, scratchCount: 6 },
};

/** Colour of a floor under full light. */
export function floorColour(kind: FloorKind): Colour {
  return grains[kind].colour;
}

/** Texture of a tray floor; covers the square around the tray. */
export function floorTexture(kind: FloorKind, seed: number): SurfaceTexture {
  const grain = grains[kind];
  const texture = grainTexture(1024, grain, seed);
  if (kind === 'grey-dotted') addDots(texture);
  return texture;
}

/** Cloth of the table around the tray; repeats. */
export function clothTexture(seed: number): SurfaceTexture {
  return grainTexture(256, { fine: 0.12, middle: 0.08, coarse: 0, speckCount: 0, scratchCount: 0 }, seed);
}

function grainTexture(sidePx: number, grain: Omit<Grain, 'colour'>, seed: number): SurfaceTexture {
  const random = seededRandom(seed);
  const factor = new Float32Array(sidePx * sidePx).fill(1);
  const white = new Float32Array(sidePx * sidePx);
  for (const [size, share] of [
    [1, grain.fine],
    [4, grain.middle],
    [32, grain.coarse],
  ] as const)
    if (share > 0) addGrain(factor, sidePx, size, share, random);
  for (let i = 0; i < grain.speckCount; i += 1) addSpeck(white, sidePx, random);
  for (let i = 0; i < grain.scratchCount; i += 1) addScratch(white, sidePx, random);
  return { sidePx, factor, white };
}

/** Smooth noise with one random value every `size` pixels. */
function addGrain(factor: Float32Array, side: number, size: number, share: number, random: SeededRandom): void {
  const cells = side / size;
  const values = Float32Array.from({ length: cells * cells }, () => random.gauss() * share);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const [cx, cy] = [x / size, y / size];
      const [x0, y0] = [Math.floor(cx), Math.floor(cy)];
      const [fx, fy] = [cx - x0, cy - y0];
      const at = (gx: number, gy: number): number => values[(gy % cells) * cells + (gx % cells)] ?? 0;
      const top = at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx;
      const bottom = at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx;
      factor[y * side + x] = Math.max(0.2, (factor[y * side + x] ?? 1) + top * (1 - fy) + bottom * fy);
    }
}

function addSpeck(white: Float32Array, side: number, random: SeededRandom): void {
  const [x, y, radius, strength] = [
    random.between(4, side - 4),
    random.between(4, side - 4),
    random.between(1, 3.4),
    random.between(0.03, 0.22),
  ];
  stamp(white, side, x, y, radius, strength);
}

function addScratch(white: Float32Array, side: number, random: SeededRandom): void {
  let [x, y] = [random.between(40, side - 40), random.between(40, side - 40)];
  let heading = random.between(0, 2 * Math.PI);
  const bend = random.between(-0.02, 0.02);
  const strength = random.between(0.02, 0.12);
  const length = random.between(15, 150);
  for (let step = 0; step < length; step += 1) {
    stamp(white, side, x, y, 1.2, strength);
    heading += bend;
    x += Math.cos(heading);
    y += Math.sin(heading);
  }
}

function stamp(white: Float32Array, side: number, x: number, y: number, radius: number, strength: number): void {
  const reach = Math.ceil(radius + 1);
  for (let dy = -reach; dy <= reach; dy += 1)
    for (let dx = -reach; dx <= reach; dx += 1) {
      const [px, py] = [Math.round(x) + dx, Math.round(y) + dy];
      if (px < 0 || py < 0 || px >= side || py >= side) continue;
      const cover = Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(px - x, py - y)));
      const index = py * side + px;
      white[index] = Math.max(white[index] ?? 0, strength * cover);
    }
}

/** A rubber mat with a grid of round studs. */
function addDots({ sidePx, factor }: SurfaceTexture): void {
  const pitch = 64;
  for (let y = 0; y < sidePx; y += 1)
    for (let x = 0; x < sidePx; x += 1) {
      const distance = Math.hypot((x % pitch) - pitch / 2, (y % pitch) - pitch / 2);
      if (distance < 9) factor[y * sidePx + x] = (factor[y * sidePx + x] ?? 1) * (0.75 + (0.25 * distance) / 9);
    }
}
