import type { Picture } from '../src/vision/picture.ts';

/** Share of all px, by strength of their step of brightness, that are taken for edges. */
const edgeShare = 0.004;
/** Most edges measured: enough for a steady quantile. */
const edgeCountMax = 2_000;
/** Weakest step that is an edge and not noise, grey levels over two px. */
const stepMin = 8;
/** How far along an edge's normal its two levels are looked for, px. */
const reachPx = 7;
/** Quantile of the widths that is told: the sharpest edges of the scene tell the focus; rounded ones and soft shadows are wide in any focus. */
const sharpQuantile = 0.2;

/** Width of the sharpest edges in a picture, px from 10 % to 90 % of their step: about 2.56 times the blur's sigma. Null where the picture has too
 *  few edges to tell. Best given the mean of several pictures, which has little noise. */
export function edgeWidthPx(picture: Picture): number | null {
  const { width, height } = picture;
  const grey = greyOf(picture);
  const edges = strongestSteps(grey, width, height);
  const widths = edges.flatMap((pixel) => widthAt(grey, width, height, pixel) ?? []).sort((a, b) => a - b);
  return widths.length < 50 ? null : (widths[Math.floor(widths.length * sharpQuantile)] ?? null);
}

function greyOf({ width, height, data }: Picture): Float32Array {
  const grey = new Float32Array(width * height);
  for (let i = 0, j = 0; i < grey.length; i += 1, j += 3)
    grey[i] = ((data[j] as number) + (data[j + 1] as number) + (data[j + 2] as number)) / 3;
  return grey;
}

/** Px with the strongest steps, that are the strongest along their own normal too. */
function strongestSteps(grey: Float32Array, width: number, height: number): number[] {
  const steps = new Float32Array(grey.length);
  const histogram = new Uint32Array(512);
  for (let y = reachPx + 1; y < height - reachPx - 1; y += 1) {
    for (let x = reachPx + 1; x < width - reachPx - 1; x += 1) {
      const i = y * width + x;
      const step = Math.hypot(
        (grey[i + 1] as number) - (grey[i - 1] as number),
        (grey[i + width] as number) - (grey[i - width] as number),
      );
      steps[i] = step;
      const place = Math.min(511, Math.round(step));
      histogram[place] = (histogram[place] as number) + 1;
    }
  }
  let from = 511;
  for (let count = 0; from > stepMin; from -= 1) {
    count += histogram[from] as number;
    if (count >= edgeShare * grey.length) break;
  }
  const found: number[] = [];
  for (let i = 0; i < steps.length; i += 1) if ((steps[i] as number) >= from && isCrest(steps, i, width, grey)) found.push(i);
  const every = Math.ceil(found.length / edgeCountMax);
  return found.filter((_, k) => k % every === 0);
}

function isCrest(steps: Float32Array, i: number, width: number, grey: Float32Array): boolean {
  const here = steps[i] as number;
  const isAcross =
    Math.abs((grey[i + 1] as number) - (grey[i - 1] as number)) >
    Math.abs((grey[i + width] as number) - (grey[i - width] as number));
  const by = isAcross ? 1 : width;
  return here >= (steps[i - by] as number) && here > (steps[i + by] as number);
}

/** Distance between 10 % and 90 % of the step at one px along its normal; null where the step has no two levels within reach. */
function widthAt(grey: Float32Array, width: number, height: number, pixel: number): number | null {
  const x = pixel % width;
  const y = (pixel - x) / width;
  const gx = (grey[pixel + 1] as number) - (grey[pixel - 1] as number);
  const gy = (grey[pixel + width] as number) - (grey[pixel - width] as number);
  const length = Math.hypot(gx, gy);
  if (length === 0) return null;
  const profile: number[] = [];
  for (let t = -reachPx; t <= reachPx; t += 0.25)
    profile.push(sampleAt(grey, width, height, x + (t * gx) / length, y + (t * gy) / length));
  const middle = profile.length >> 1;
  // The step's levels: where the profile stops rising on both sides.
  let low = middle;
  while (low > 0 && (profile[low - 1] as number) < (profile[low] as number)) low -= 1;
  let high = middle;
  while (high < profile.length - 1 && (profile[high + 1] as number) > (profile[high] as number)) high += 1;
  if (low === 0 && high === profile.length - 1) return null;
  const [bottom, top] = [profile[low] as number, profile[high] as number];
  if (top - bottom < stepMin) return null;
  return (crossing(profile, bottom + 0.9 * (top - bottom), low) - crossing(profile, bottom + 0.1 * (top - bottom), low)) / 4;
}

/** Place, in samples, at which a profile that rises from `from` on passes a level. */
function crossing(profile: readonly number[], level: number, from: number): number {
  let k = from;
  while (k < profile.length - 1 && (profile[k + 1] as number) < level) k += 1;
  const [before, after] = [profile[k] as number, profile[k + 1] ?? (profile[k] as number)];
  return after === before ? k : k + (level - before) / (after - before);
}

function sampleAt(grey: Float32Array, width: number, height: number, x: number, y: number): number {
  const ix = Math.max(0, Math.min(width - 2, Math.floor(x)));
  const iy = Math.max(0, Math.min(height - 2, Math.floor(y)));
  const [fx, fy] = [x - ix, y - iy];
  const i = iy * width + ix;
  const above = (grey[i] as number) * (1 - fx) + (grey[i + 1] as number) * fx;
  const below = (grey[i + width] as number) * (1 - fx) + (grey[i + width + 1] as number) * fx;
  return above * (1 - fy) + below * fy;
}
