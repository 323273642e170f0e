import type { RigView } from './rig.ts';

/** Place and angle of one thing that lies in the tray; px of the picture. */
export interface BodyPlace {
  readonly centrePx: readonly [number, number];
  readonly angleDeg: number;
}

/** Smallest thing that counts, in areas of a die's face; below it is dust and noise. */
const areaFacesMin = 0.3;
/** Fourth-order moment over its largest value below which a thing has no clear angle. A square has 0.17 after removal of its size. */
const squarenessMin = 0.05;

/** Finds connected changed areas in the reduced tray with their centre and the angle by which a square in them is turned. Works for anything
 *  that lies there, readable or not, because rest must be proven before reading.
 *  @param changed 1 where the picture differs from the empty tray. */
export function bodyPlaces(changed: Uint8Array, width: number, height: number, view: RigView): BodyPlace[] {
  const areaMin = areaFacesMin * view.tray.edgePx ** 2;
  const seen = new Uint8Array(changed.length);
  const places: BodyPlace[] = [];
  for (let start = 0; start < changed.length; start += 1) {
    if (changed[start] !== 1 || seen[start] === 1 || view.tray.insideTray[start] !== 1) continue;
    const pixels = connected(changed, seen, view.tray.insideTray, width, height, start);
    if (pixels.length >= areaMin) places.push(placeOf(pixels, width, view));
  }
  return places;
}

function connected(
  changed: Uint8Array,
  seen: Uint8Array,
  inside: Uint8Array,
  width: number,
  height: number,
  start: number,
): number[] {
  const pixels = [start];
  const pixelCount = width * height;
  const visit = (next: number): void => {
    if (changed[next] !== 1 || seen[next] === 1 || inside[next] !== 1) return;
    seen[next] = 1;
    pixels.push(next);
  };
  seen[start] = 1;
  for (let k = 0; k < pixels.length; k += 1) {
    const i = pixels[k] ?? 0;
    const x = i % width;
    if (x + 1 < width) visit(i + 1);
    if (x > 0) visit(i - 1);
    if (i + width < pixelCount) visit(i + width);
    if (i >= width) visit(i - width);
  }
  return pixels;
}

function placeOf(pixels: readonly number[], width: number, view: RigView): BodyPlace {
  let [sumX, sumY] = [0, 0];
  for (const i of pixels) {
    sumX += i % width;
    sumY += Math.floor(i / width);
  }
  const [cx, cy] = [sumX / pixels.length, sumY / pixels.length];
  // Moment of (x + iy)^4: its angle turns four times as fast as a square does, so a quarter turn changes nothing.
  let [re, im, size] = [0, 0, 0];
  for (const i of pixels) {
    const [x, y] = [(i % width) - cx, Math.floor(i / width) - cy];
    const [a, b] = [x * x - y * y, 2 * x * y];
    re += a * a - b * b;
    im += 2 * a * b;
    size += (x * x + y * y) ** 2;
  }
  const isSquare = size > 0 && Math.hypot(re, im) / size >= squarenessMin;
  const angleDeg = isSquare ? ((Math.atan2(im, re) / 4) * 180) / Math.PI : 0;
  return {
    centrePx: [view.rect.x + (cx + 0.5) / view.scale - 0.5, view.rect.y + (cy + 0.5) / view.scale - 0.5],
    angleDeg: (angleDeg + 90) % 90,
  };
}
