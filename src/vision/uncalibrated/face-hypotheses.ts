import type { Face } from '../../core/rules/dice.ts';
import type { RoundSpot } from './round-spots.ts';

/** A legal arrangement of equal round spots: perhaps the face of a die. Lengths in working px. */
export interface FaceHypothesis {
  readonly value: Face;
  readonly spots: readonly RoundSpot[];
  /** Centre of the arrangement. */
  readonly x: number;
  readonly y: number;
  /** Direction of the face's first axis, radians; null for a single pip. */
  readonly angle: number | null;
  /** Distance of the outer pips from the centre lines: along a row of three of a 6, and across it; equal on other faces. Null for a single pip. */
  readonly spread: readonly [along: number, across: number] | null;
  /** Mean diameter and contrast of the spots. */
  readonly pipPx: number;
  readonly contrast: number;
}

/** Largest ratio of the diameters of two pips of one face. Pips of 5 px are measured to a fifth of their diameter. */
const sizeRatioMax = 1.5;
/** Largest ratio of their contrasts: shading and a soft shadow over a face stay below it. */
const contrastRatioMax = 2.5;
/** Distance of two opposite corner pips over their diameter. Pips of 0.13 to 0.3 edges whose centres lie 0.19 to 0.32 edges off the centre lines
 *  are 1.8 to 7 diameters apart. */
const diagonalPerPip = [1.8, 7] as const;
/** How far a pip may lie from its place, as a share of half the diagonal: a lean of 20 degrees moves it by 6 %, one px of a small pip by 8 %. */
const placeTolerance = 0.15;
/** Rows of a 6 are this far apart, as a share of their length. 1 on western dice, down to 0.65 on narrow Asian ones. */
const rowDistance = [0.55, 1.2] as const;

/** All faces of two pips or more that spots of one plane and polarity can form. A subset of a face (the diagonal of a 4) is not listed with it. */
export function faceHypotheses(spots: readonly RoundSpot[]): readonly FaceHypothesis[] {
  const near = new SpotGrid(spots);
  const found = new Map<string, FaceHypothesis>();
  for (const [index, first] of spots.entries()) {
    for (const second of near.around(first.x, first.y, diagonalPerPip[1] * first.diameterPx)) {
      const otherIndex = near.indexOf(second);
      if (otherIndex === index || !isAlike(first, second)) continue;
      const length = Math.hypot(second.x - first.x, second.y - first.y);
      const pipPx = (first.diameterPx + second.diameterPx) / 2;
      if (length < diagonalPerPip[0] * pipPx || length > diagonalPerPip[1] * pipPx) continue;
      for (const face of [...(otherIndex > index ? [diagonalFace(first, second, near)] : []), ...rowFaces(first, second, near)]) {
        if (face !== null) found.set(`${face.spots.map((spot) => near.indexOf(spot)).sort((a, b) => a - b)}`, face);
      }
    }
  }
  return [...found.values()];
}

/** A hypothesis of a single pip. */
export function singlePip(spot: RoundSpot): FaceHypothesis {
  return {
    value: 1,
    spots: [spot],
    x: spot.x,
    y: spot.y,
    angle: null,
    spread: null,
    pipPx: spot.diameterPx,
    contrast: spot.contrast,
  };
}

/** Could two spots be pips of one face? */
export function isAlike(a: RoundSpot, b: RoundSpot): boolean {
  const [size, contrast] = [a.diameterPx / b.diameterPx, a.contrast / b.contrast];
  return size <= sizeRatioMax && size >= 1 / sizeRatioMax && contrast <= contrastRatioMax && contrast >= 1 / contrastRatioMax;
}

/** The face on which the two spots are opposite corners: 2 to 5 by what lies in the middle and in the other corners. */
function diagonalFace(first: RoundSpot, second: RoundSpot, near: SpotGrid): FaceHypothesis | null {
  const [ux, uy] = [(second.x - first.x) / 2, (second.y - first.y) / 2];
  const [x, y] = [first.x + ux, first.y + uy];
  const half = Math.hypot(ux, uy);
  const at = (px: number, py: number): RoundSpot | null => near.nearest(px, py, Math.max(1.5, placeTolerance * half), first);
  const [middle, left, right] = [at(x, y), at(x - uy, y + ux), at(x + uy, y - ux)];
  if ((left === null) !== (right === null)) return null;
  const spots = [first, second, ...[middle, left, right].filter((spot) => spot !== null)];
  const value = spots.length as Face;
  const spread = half / Math.SQRT2;
  return face(value, spots, Math.atan2(uy, ux) - Math.PI / 4, [spread, spread]);
}

/** The 6 in which the two spots end one row of three; the other row lies to the left of the way from the first to the second. */
function rowFaces(first: RoundSpot, second: RoundSpot, near: SpotGrid): readonly FaceHypothesis[] {
  const [ux, uy] = [(second.x - first.x) / 2, (second.y - first.y) / 2];
  const half = Math.hypot(ux, uy);
  const tolerance = Math.max(1.5, placeTolerance * half);
  const middle = near.nearest(first.x + ux, first.y + uy, tolerance, first);
  if (middle === null) return [];
  const found: FaceHypothesis[] = [];
  for (const opposite of near.around(middle.x, middle.y, 2 * rowDistance[1] * half)) {
    const [dx, dy] = [opposite.x - middle.x, opposite.y - middle.y];
    const along = (dx * ux + dy * uy) / half;
    const across = (dx * uy - dy * ux) / half;
    if (!isAlike(opposite, first) || Math.abs(along) > 1.5 * tolerance) continue;
    if (across < 2 * rowDistance[0] * half || across > 2 * rowDistance[1] * half) continue;
    const start = near.nearest(first.x + dx, first.y + dy, tolerance, first);
    const end = near.nearest(second.x + dx, second.y + dy, tolerance, first);
    if (start === null || end === null) continue;
    const six = face(6, [first, middle, second, start, opposite, end], Math.atan2(uy, ux), [half, across / 2]);
    if (six !== null) found.push(six);
  }
  return found;
}

function face(value: Face, spots: readonly RoundSpot[], angle: number, spread: readonly [number, number]): FaceHypothesis | null {
  for (const a of spots) for (const b of spots) if (!isAlike(a, b)) return null;
  if (new Set(spots).size !== spots.length) return null;
  const mean = (of: (spot: RoundSpot) => number): number => spots.reduce((sum, spot) => sum + of(spot), 0) / spots.length;
  const [x, y] = [mean((spot) => spot.x), mean((spot) => spot.y)];
  return { value, spots, x, y, angle, spread, pipPx: mean((spot) => spot.diameterPx), contrast: mean((spot) => spot.contrast) };
}

/** Spots by place. */
class SpotGrid {
  readonly #cellPx = 24;
  readonly #cells = new Map<string, RoundSpot[]>();
  readonly #indexes = new Map<RoundSpot, number>();

  constructor(spots: readonly RoundSpot[]) {
    for (const [index, spot] of spots.entries()) {
      this.#indexes.set(spot, index);
      const key = `${Math.floor(spot.x / this.#cellPx)},${Math.floor(spot.y / this.#cellPx)}`;
      const cell = this.#cells.get(key);
      if (cell === undefined) this.#cells.set(key, [spot]);
      else cell.push(spot);
    }
  }

  indexOf(spot: RoundSpot): number {
    return this.#indexes.get(spot) ?? -1;
  }

  around(x: number, y: number, radiusPx: number): RoundSpot[] {
    const found: RoundSpot[] = [];
    const cell = (v: number): number => Math.floor(v / this.#cellPx);
    for (let row = cell(y - radiusPx); row <= cell(y + radiusPx); row += 1) {
      for (let column = cell(x - radiusPx); column <= cell(x + radiusPx); column += 1) {
        for (const spot of this.#cells.get(`${column},${row}`) ?? []) {
          if (Math.hypot(spot.x - x, spot.y - y) <= radiusPx) found.push(spot);
        }
      }
    }
    return found;
  }

  /** The spot nearest to a place that could be of one face with `like`. */
  nearest(x: number, y: number, radiusPx: number, like: RoundSpot): RoundSpot | null {
    let best: RoundSpot | null = null;
    for (const spot of this.around(x, y, radiusPx)) {
      if (!isAlike(spot, like)) continue;
      if (best === null || Math.hypot(spot.x - x, spot.y - y) < Math.hypot(best.x - x, best.y - y)) best = spot;
    }
    return best;
  }
}
