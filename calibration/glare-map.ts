import type { Mat } from '../src/vision/opencv.ts';
import { copyPart, type Picture } from '../src/vision/picture.ts';
import { glareLevel } from '../src/vision/rig.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';

/** Where the empty tray shows glare: too bright for anything under it to be seen. */
export interface GlareMap {
  /** Part of the floor under glare, 0 to 1. */
  readonly floorShare: number;
  /** The largest connected spot as a part of the floor, 0 to 1. */
  readonly largestShare: number;
  readonly spotCount: number;
  /** Size of the reduced picture the map was made on, px, and how many of its px stand for one px of the picture. */
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  /** 1 where there is glare. */
  readonly mask: Uint8Array;
}

/** Radius of the tray in the reduced picture, px: fine enough for a spot of a third of a pip. */
const reducedRadiusPx = 200;
/** The floor's outermost rim is left out: wall and rim reflect light that falls on no die's face. */
const floorShareOfRadius = 0.97;

/** Finds glare in the picture of the empty tray by the rule of the reader (`glareLevel`). */
export function glareMapOf(emptyMat: Mat, tray: TrayCircle): GlareMap {
  const scale = Math.min(1, reducedRadiusPx / tray.radiusPx);
  const [width, height] = [Math.round(emptyMat.cols * scale), Math.round(emptyMat.rows * scale)];
  const picture = copyPart(emptyMat, { x: 0, y: 0, width: emptyMat.cols, height: emptyMat.rows }, width, height);
  const floor = floorPixels(picture, tray, scale);
  const from = glareLevel(floor.map((pixel) => brightest(picture, pixel)));
  const mask = new Uint8Array(width * height);
  let glareCount = 0;
  for (const pixel of floor) {
    if (brightest(picture, pixel) < from) continue;
    mask[pixel] = 1;
    glareCount += 1;
  }
  const spots = spotSizes(mask, width);
  const share = (count: number): number => (floor.length === 0 ? 0 : count / floor.length);
  return {
    floorShare: share(glareCount),
    largestShare: share(Math.max(0, ...spots)),
    spotCount: spots.length,
    width,
    height,
    scale,
    mask,
  };
}

/** Px of the floor in a reduced picture. @param scale px of the reduced picture per px of the picture. */
function floorPixels(picture: Picture, tray: TrayCircle, scale: number): number[] {
  const pixels: number[] = [];
  const radius = floorShareOfRadius * tray.radiusPx * scale;
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < picture.width; x += 1) {
      if (Math.hypot(x + 0.5 - tray.centrePx[0] * scale, y + 0.5 - tray.centrePx[1] * scale) <= radius)
        pixels.push(y * picture.width + x);
    }
  }
  return pixels;
}

function brightest(picture: Picture, pixel: number): number {
  const { data } = picture;
  return Math.max(data[3 * pixel] ?? 0, data[3 * pixel + 1] ?? 0, data[3 * pixel + 2] ?? 0);
}

/** Sizes of the connected spots of a mask, px. */
function spotSizes(mask: Uint8Array, width: number): number[] {
  const left = Uint8Array.from(mask);
  const sizes: number[] = [];
  for (let start = 0; start < left.length; start += 1) {
    if (left[start] !== 1) continue;
    const open = [start];
    left[start] = 0;
    let size = 0;
    for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
      size += 1;
      for (const next of [pixel - 1, pixel + 1, pixel - width, pixel + width]) {
        if (left[next] !== 1) continue;
        left[next] = 0;
        open.push(next);
      }
    }
    sizes.push(size);
  }
  return sizes;
}
