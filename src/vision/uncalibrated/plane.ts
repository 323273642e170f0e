import { loadOpenCv, type Mat } from '../opencv.ts';

/** One channel of a picture, a byte a pixel, rows without gaps. */
export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A picture at working size, split into channels. */
export interface WorkingPicture {
  readonly width: number;
  readonly height: number;
  /** Picture px for one working px. */
  readonly pxPerPx: number;
  /** The planes in which pips are looked for: brightness alone of a grey picture, green and red of a coloured one, one of which
   *  shows any pips that a person sees. */
  readonly searched: readonly Plane[];
  /** The planes that are measured: brightness alone of a grey picture, else blue, green and red. */
  readonly measured: readonly Plane[];
}

/** Longer side of the working picture, px. A die fills at least a thirtieth of it when it can be read at all: 32 px with pips of 5 px. Pictures
 *  of phones shrink to it, which averages their noise; small pictures are enlarged, so that a small pip still has an outline. */
export const workingSidePx = 960;

/** Mean difference between red and green, grey levels, above which a picture counts as coloured; JPEG alone stays below 1.5. */
const colourMin = 3;

/** Scales a picture to working size, smooths it by half a pixel's blur and splits it. */
export function workingPicture(mat: Mat): WorkingPicture {
  const cv = loadOpenCv();
  const scale = workingSidePx / Math.max(mat.cols, mat.rows);
  const [width, height] = [Math.max(1, Math.round(mat.cols * scale)), Math.max(1, Math.round(mat.rows * scale))];
  const resized = mat.resize(height, width, 0, 0, scale < 1 ? cv.INTER_AREA : cv.INTER_LINEAR);
  const data = resized.getData();
  resized.release();
  const count = width * height;
  const [b, g, r, grey] = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)];
  let difference = 0;
  for (let k = 0; k < count; k += 1) {
    const [blue, green, red] = [data[3 * k] ?? 0, data[3 * k + 1] ?? 0, data[3 * k + 2] ?? 0];
    b[k] = blue;
    g[k] = green;
    r[k] = red;
    grey[k] = (29 * blue + 150 * green + 77 * red + 128) >> 8;
    difference += Math.abs(red - green);
  }
  const plane = (values: Uint8Array): Plane => ({ width, height, data: smoothed(values, width, height) });
  const isColoured = difference / count > colourMin;
  const colours = isColoured ? [plane(b), plane(g), plane(r)] : [plane(grey)];
  return {
    width,
    height,
    pxPerPx: 1 / scale,
    searched: isColoured ? colours.slice(1) : colours,
    measured: colours,
  };
}

/** Value between the pixels, bilinear; the border goes on outside. */
export function valueAt({ width, height, data }: Plane, x: number, y: number): number {
  const [cx, cy] = [Math.min(Math.max(x, 0), width - 1.001), Math.min(Math.max(y, 0), height - 1.001)];
  const [ix, iy] = [Math.floor(cx), Math.floor(cy)];
  const [fx, fy] = [cx - ix, cy - iy];
  const k = iy * width + ix;
  const [a = 0, b = 0, c = 0, d = 0] = [data[k], data[k + 1], data[k + width], data[k + width + 1]];
  return (a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy;
}

/** Binomial 1-2-1 smoothing in both directions. */
function smoothed(values: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint16Array(values.length);
  const result = new Uint8Array(values.length);
  for (let y = 0; y < height; y += 1) {
    const start = y * width;
    for (let x = 0; x < width; x += 1) {
      const left = values[start + Math.max(0, x - 1)] ?? 0;
      const right = values[start + Math.min(width - 1, x + 1)] ?? 0;
      rows[start + x] = left + 2 * (values[start + x] ?? 0) + right;
    }
  }
  for (let y = 0; y < height; y += 1) {
    const [above, here, below] = [Math.max(0, y - 1) * width, y * width, Math.min(height - 1, y + 1) * width];
    for (let x = 0; x < width; x += 1) {
      result[here + x] = ((rows[above + x] ?? 0) + 2 * (rows[here + x] ?? 0) + (rows[below + x] ?? 0) + 8) >> 4;
    }
  }
  return result;
}
