import { toPicture } from '../die-pose.ts';
import type { DieBody } from './body-edges.ts';
import type { FaceHypothesis } from './face-hypotheses.ts';
import { type Plane, valueAt } from './plane.ts';

/** How clearly a face's nine places are pips or bare, as shares of the difference between its pips and its ground. */
export interface CellContrast {
  /** The faintest of the pips, 1 for one like the others. */
  readonly faintestPip: number;
  /** The most that a bare place, or a place between the pips, differs from the face's ground, in any colour. */
  readonly strongestBare: number;
}

/** Spread of a single pip's absent neighbours, edges; the middle of the usual 0.2 to 0.3. */
const usualSpread = 0.25;

/** Measures the pips of a hypothesis and the places of the face that its value leaves bare. */
export function cellContrast(planes: readonly Plane[], face: FaceHypothesis, body: DieBody): CellContrast {
  const pipRadius = 0.28 * face.pipPx;
  const pips = face.spots.map((spot) => colourAt(planes, spot.x, spot.y, pipRadius));
  const bare = barePlaces(face, body).map(([x, y]) => colourAt(planes, x, y, pipRadius));
  const ground = planes.map((_, k) => median(bare.map((colour) => colour[k] ?? 0)));
  const pip = planes.map((_, k) => pips.reduce((sum, colour) => sum + (colour[k] ?? 0), 0) / pips.length);
  const axis = pip.map((value, k) => value - (ground[k] ?? 0));
  const length = Math.hypot(...axis) || 1;
  const along = (colour: readonly number[]): number =>
    axis.reduce((sum, value, k) => sum + value * ((colour[k] ?? 0) - (ground[k] ?? 0)), 0) / length ** 2;
  const away = (colour: readonly number[]): number => Math.hypot(...colour.map((value, k) => value - (ground[k] ?? 0))) / length;
  return { faintestPip: Math.min(...pips.map(along)), strongestBare: Math.max(...bare.map(away)) };
}

/** Places of the picture that show the face's ground: the places of the lattice without a pip, and those between four places. */
function barePlaces(face: FaceHypothesis, body: DieBody): [number, number][] {
  const spread = face.spread ?? ([usualSpread * body.pose.edgePx, usualSpread * body.pose.edgePx] as const);
  const frame = { x: face.x, y: face.y, angle: face.angle ?? body.pose.angle, edgePx: 1 };
  const places: [number, number][] = [];
  for (let i = -1; i <= 1; i += 0.5) {
    for (let j = -1; j <= 1; j += 0.5) {
      if (Number.isInteger(i) !== Number.isInteger(j)) continue;
      const [x, y] = toPicture(frame, i * spread[0], j * spread[1]);
      const gap = Math.min(...face.spots.map((spot) => Math.hypot(spot.x - x, spot.y - y)));
      if (gap > 0.85 * face.pipPx) places.push([x, y]);
    }
  }
  return places;
}

function colourAt(planes: readonly Plane[], x: number, y: number, radius: number): number[] {
  return planes.map((plane) => {
    let sum = 4 * valueAt(plane, x, y);
    for (let k = 0; k < 8; k += 1) {
      sum += valueAt(plane, x + radius * Math.cos((k * Math.PI) / 4), y + radius * Math.sin((k * Math.PI) / 4));
    }
    return sum / 12;
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
