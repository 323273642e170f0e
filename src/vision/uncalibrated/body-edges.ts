import type { DiePose } from '../die-pose.ts';
import { type Plane, valueAt } from './plane.ts';

/** The outline of a die, or of its face, around a place, found by its edges alone. */
export interface DieBody {
  /** `disc` is a round face; the square of `pose` then stands for it. */
  readonly outline: 'square' | 'disc';
  readonly pose: DiePose;
  /** Mean step of brightness at the weakest of the four edges, grey levels, and at the four together. */
  readonly weakestStep: number;
  readonly meanStep: number;
}

interface Edge {
  /** Distance from the centre, px. */
  readonly at: number;
  readonly step: number;
}

/** Lines along which a side is crossed: seven tenths of its length, so that rounded corners do not count. */
const crossings = Array.from({ length: 13 }, (_, k) => ((k - 6) / 6) * 0.33);
/** Share of the lines that must show the step, in the same direction. */
const coverageMin = 0.75;
/** Largest difference of both lengths of the outline: a side face shows on one side of a die that lies off the camera's axis. */
const lengthRatioMin = 0.8;
/** How far the centre of the outline may lie from the centre of the pips, edges; again because of side faces. */
const offsetMax = 0.14;

/** Looks for the outline of a die whose pips are centred at (x, y).
 *  @param stepMin least brightness step of an edge, grey levels. @returns null where not all four edges show. */
export function bodyAround(
  planes: readonly Plane[],
  place: { readonly x: number; readonly y: number; readonly angle: number },
  edgeRangePx: readonly [number, number],
  stepMin: number,
): DieBody | null {
  if (edgeRangePx[0] >= edgeRangePx[1]) return null;
  const sides: Edge[][] = [];
  for (let side = 0; side < 4; side += 1) {
    const edges = edgesOnSide(planes, place, place.angle + (side * Math.PI) / 2, edgeRangePx, stepMin);
    if (edges.length === 0) return null;
    sides.push(edges);
  }
  const widths = pairs(sides[0] as Edge[], sides[2] as Edge[], edgeRangePx);
  const heights = pairs(sides[1] as Edge[], sides[3] as Edge[], edgeRangePx);
  let best: DieBody | null = null;
  for (const width of widths) {
    for (const height of heights) {
      const ratio = width.length / height.length;
      if (ratio < lengthRatioMin || ratio > 1 / lengthRatioMin) continue;
      const meanStep = (width.step + height.step) / 2;
      if (best !== null && meanStep <= best.meanStep) continue;
      const [cos, sin] = [Math.cos(place.angle), Math.sin(place.angle)];
      const [u, v] = [width.offset, height.offset];
      const pose = {
        x: place.x + cos * u - sin * v,
        y: place.y + sin * u + cos * v,
        angle: place.angle,
        edgePx: (width.length + height.length) / 2,
      };
      best = { outline: 'square', pose, weakestStep: Math.min(width.weakest, height.weakest), meanStep };
    }
  }
  return best;
}

function pairs(plus: readonly Edge[], minus: readonly Edge[], [min, max]: readonly [number, number]) {
  const found: { length: number; offset: number; step: number; weakest: number }[] = [];
  for (const a of plus) {
    for (const b of minus) {
      const [length, offset] = [a.at + b.at, (a.at - b.at) / 2];
      if (length < min || length > max || Math.abs(offset) > offsetMax * length) continue;
      found.push({ length, offset, step: (a.step + b.step) / 2, weakest: Math.min(a.step, b.step) });
    }
  }
  return found;
}

/** Steps of brightness that run along a side, with their distance from the centre. */
function edgesOnSide(
  planes: readonly Plane[],
  { x, y }: { readonly x: number; readonly y: number },
  direction: number,
  [min, max]: readonly [number, number],
  stepMin: number,
): Edge[] {
  const [nx, ny] = [Math.cos(direction), Math.sin(direction)];
  const pitch = Math.max(0.7, min / 60);
  const first = (0.5 - offsetMax) * min;
  const count = Math.ceil(((0.5 + offsetMax) * max - first) / pitch);
  const steps = new Float64Array(count);
  for (let k = 0; k < count; k += 1) {
    const at = first + k * pitch;
    const reach = Math.max(1.5, 0.05 * at);
    for (const plane of planes) {
      let [up, down, sum] = [0, 0, 0];
      for (const share of crossings) {
        const t = 2 * share * at;
        const [px, py] = [x + nx * at - ny * t, y + ny * at + nx * t];
        const step = valueAt(plane, px + nx * reach, py + ny * reach) - valueAt(plane, px - nx * reach, py - ny * reach);
        if (step >= stepMin) up += 1;
        if (step <= -stepMin) down += 1;
        sum += step;
      }
      if (Math.max(up, down) < coverageMin * crossings.length) continue;
      steps[k] = Math.max(steps[k] ?? 0, Math.abs(sum) / crossings.length);
    }
  }
  const edges: Edge[] = [];
  for (let k = 0; k < count; k += 1) {
    const here = steps[k] ?? 0;
    if (here > 0 && here >= (steps[k - 1] ?? 0) && here > (steps[k + 1] ?? 0)) edges.push({ at: first + k * pitch, step: here });
  }
  return edges;
}
