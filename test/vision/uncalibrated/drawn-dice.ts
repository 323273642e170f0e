import { loadOpenCv } from '../../../src/vision/opencv.ts';

/** A die drawn from above: a square with the given pips, each at (column, row) of -1, 0, 1. */
export interface DrawnDie {
  readonly x: number;
  readonly y: number;
  readonly edgePx: number;
  readonly angleDeg: number;
  readonly pips: readonly (readonly [number, number])[];
  /** Grey level of body and pips. */
  readonly body?: number;
  readonly ink?: number;
}

/** The pips of the six faces. */
export const facePips: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]], // biome-ignore format: one face a line
  3: [[-1, -1], [0, 0], [1, 1]], // biome-ignore format: one face a line
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]], // biome-ignore format: one face a line
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], // biome-ignore format: one face a line
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]], // biome-ignore format: one face a line
};

/** Draws dice on a plain ground of 640 x 480 px with noise of ±2 levels, and packs the picture as a JPEG of quality 92. */
export function drawnPicture(dice: readonly DrawnDie[], ground = 90): Buffer {
  const cv = loadOpenCv();
  const [width, height] = [640, 480];
  const bytes = Buffer.alloc(3 * width * height);
  let seed = 12_345;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let level = ground;
      for (const die of dice) level = painted(die, x, y, level);
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      level += ((seed >> 16) % 5) - 2;
      for (let channel = 0; channel < 3; channel += 1)
        bytes[3 * (y * width + x) + channel] = Math.max(0, Math.min(255, Math.round(level)));
    }
  }
  const mat = new cv.Mat(bytes, height, width, cv.CV_8UC3);
  const jpeg = cv.imencode('.jpg', mat, [cv.IMWRITE_JPEG_QUALITY, 92]);
  mat.release();
  return jpeg;
}

/** Pips of 0.2 edges whose centres lie 0.25 edges off the centre lines; corners rounded by 0.12 edges; outlines a pixel soft. */
function painted(die: DrawnDie, x: number, y: number, level: number): number {
  const turn = (die.angleDeg * Math.PI) / 180;
  const [dx, dy] = [x - die.x, y - die.y];
  const [u, v] = [dx * Math.cos(turn) + dy * Math.sin(turn), -dx * Math.sin(turn) + dy * Math.cos(turn)];
  const flat = 0.38 * die.edgePx;
  const outside = Math.hypot(Math.max(0, Math.abs(u) - flat), Math.max(0, Math.abs(v) - flat)) - 0.12 * die.edgePx;
  const cover = Math.max(0, Math.min(1, 0.5 - outside));
  if (cover === 0) return level;
  let face = die.body ?? 225;
  for (const [column, row] of die.pips) {
    const gap = Math.hypot(u - 0.25 * column * die.edgePx, v - 0.25 * row * die.edgePx) - 0.1 * die.edgePx;
    face += ((die.ink ?? 30) - face) * Math.max(0, Math.min(1, 0.5 - gap));
  }
  return level + (face - level) * cover;
}
