import type { SearchMaps } from './coarse-search.ts';
import { latticeCells, pipLayouts } from './pip-layouts.ts';

/** Points at which a side is probed, in edges from its middle: clear of rounded corners. */
const sidePoints: readonly number[] = [-0.34, -0.2, -0.07, 0.07, 0.2, 0.34];
const sidePointCount = sidePoints.length;

/** What one angle probes, as offsets into the maps, so that the inner loop neither allocates nor multiplies. */
export interface ProbeOffsets {
  readonly angle: number;
  /** Outward normals of the four sides. */
  readonly nx: Float64Array;
  readonly ny: Float64Array;
  /** Px offsets of the points of all sides, side by side. */
  readonly points: Int32Array;
  /** Px offsets of the nine pip places. */
  readonly lattice: Int32Array;
}

/** Offsets of one angle for maps of a width. @param pipOffset distance of the outer pips from the centre line of the face, edges. */
export function probeOffsets(angle: number, width: number, edgePx: number, pipOffset: number): ProbeOffsets {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const half = edgePx / 2;
  const nx = new Float64Array(4);
  const ny = new Float64Array(4);
  const points: number[] = [];
  for (let side = 0; side < 4; side += 1) {
    const [normalX, normalY] = [Math.cos(angle + (side * Math.PI) / 2), Math.sin(angle + (side * Math.PI) / 2)];
    nx[side] = normalX;
    ny[side] = normalY;
    for (const t of sidePoints) {
      const x = Math.round(normalX * half - normalY * t * edgePx);
      points.push(Math.round(normalY * half + normalX * t * edgePx) * width + x);
    }
  }
  const reach = pipOffset * edgePx;
  const lattice = latticeCells.map(
    ([i, j]) => Math.round((sin * i + cos * j) * reach) * width + Math.round((cos * i - sin * j) * reach),
  );
  return { angle, nx, ny, points: Int32Array.from(points), lattice: Int32Array.from(lattice) };
}

/** A layout with what its score needs ready at hand. */
export interface ProbedLayout {
  readonly index: number;
  readonly cells: Int32Array;
  /** Weights of the sum over the places with a pip and of that over the places without, when all nine are visible. */
  readonly inWeight: number;
  readonly outWeight: number;
}

/** How much stronger a pip where none belongs counts than one that is missing. */
const strayFactor = 1.5;

/** Prepares layouts. @param indexes into `pipLayouts`. */
export function probedLayouts(indexes: readonly number[]): ProbedLayout[] {
  return indexes.map((index) => {
    const cells = Int32Array.from(pipLayouts[index]?.cells ?? []);
    return { index, cells, inWeight: 1 / cells.length, outWeight: strayFactor / (9 - cells.length) };
  });
}

/** Result of the last `scoreAt`, kept in one place because it is called some 10,000 times a picture. */
export interface Score {
  edgeScore: number;
  edgeStep: number;
  layoutScore: number;
  layoutIndex: number;
  score: number;
}

/** Room for rounding when a bound is compared with a score, so that no place is left out that a full computation would take. */
const roundingRoom = 1e-6;

/** Scores one centre (index `at` into the maps) under one angle. @returns true, and the score in `out`, when it is above `least`. Most places
 *  are given up as soon as the rest cannot bring them there. */
export function scoreAt(
  maps: SearchMaps,
  layouts: readonly ProbedLayout[],
  fullStep: number,
  at: number,
  offsets: ProbeOffsets,
  least: number,
  out: Score,
): boolean {
  if (!scoreLayouts(maps, at, offsets.lattice, layouts, out)) {
    lookAtPips(maps, at, offsets.lattice);
    scoreSeenLayouts(layouts, out);
  }
  const edgeScoreMin = 2 * least - Math.max(0, out.layoutScore);
  // Seven of eight squares are ruled out by the bound, which looks at a sixth of the numbers.
  if (edgeScoreMin > 1 || !mayReach(maps, fullStep, at, offsets, edgeScoreMin)) return false;
  if (!scoreSides(maps, fullStep, at, offsets, edgeScoreMin, out)) return false;
  out.score = 0.5 * out.edgeScore + 0.5 * Math.max(0, out.layoutScore);
  return out.score > least;
}

/** False when the sides of a square cannot reach an `edgeScore`, because even steps that all pointed straight outwards would not. */
function mayReach(
  { strengths }: SearchMaps,
  fullStep: number,
  at: number,
  { points }: ProbeOffsets,
  edgeScoreMin: number,
): boolean {
  const full = sidePointCount * fullStep;
  let edgeScore = 0;
  let weakest = 1;
  for (let side = 0; side < 4; side += 1) {
    let sum = 0;
    const end = (side + 1) * sidePointCount;
    for (let k = side * sidePointCount; k < end; k += 1) sum += strengths[at + (points[k] as number)] as number;
    const strength = Math.min(1, sum / full);
    edgeScore += strength / 4;
    weakest = Math.min(weakest, strength);
    if (0.75 * (edgeScore + (3 - side) / 4) + 0.25 * weakest < edgeScoreMin - roundingRoom) return false;
  }
  return true;
}

/** Strength of the four sides of the square, into `edgeScore` and `edgeStep` of `out`. @returns false, with `out` unfinished, when
 *  `edgeScore` cannot reach `least`. */
export function scoreSides(
  maps: SearchMaps,
  fullStep: number,
  at: number,
  offsets: ProbeOffsets,
  least: number,
  out: Score,
): boolean {
  const { steps, glare } = maps;
  const { nx, ny, points } = offsets;
  let edgeScore = 0;
  let edgeStep = 0;
  let weakest = 1;
  for (let side = 0; side < 4; side += 1) {
    let bx = 0;
    let by = 0;
    let gx = 0;
    let gy = 0;
    let rx = 0;
    let ry = 0;
    let count = 0;
    const end = (side + 1) * sidePointCount;
    for (let k = side * sidePointCount; k < end; k += 1) {
      const i = at + (points[k] as number);
      if (glare[i] === 1) continue;
      const s = 6 * i;
      bx += steps[s] as number;
      by += steps[s + 1] as number;
      gx += steps[s + 2] as number;
      gy += steps[s + 3] as number;
      rx += steps[s + 4] as number;
      ry += steps[s + 5] as number;
      count += 1;
    }
    const x = nx[side] as number;
    const y = ny[side] as number;
    const b = bx * x + by * y;
    const g = gx * x + gy * y;
    const r = rx * x + ry * y;
    const step = count < 2 ? 0.5 * fullStep : Math.sqrt(b * b + g * g + r * r) / 8 / count;
    const strength = Math.min(1, step / fullStep);
    edgeStep += step / 4;
    edgeScore += strength / 4;
    weakest = Math.min(weakest, strength);
    if (0.75 * (edgeScore + (3 - side) / 4) + 0.25 * weakest < least - roundingRoom) return false;
  }
  out.edgeStep = edgeStep;
  out.edgeScore = 0.75 * edgeScore + 0.25 * weakest;
  return true;
}

/** The nine pip places of the square at hand: answer of the pip filter, and 1 for those that glare leaves visible. */
const answers = new Float64Array(9);
const visible = new Uint8Array(9);

/** Match of a layout whose pips are all hidden by glare: possible, no more. */
const hiddenMatch = 0.2;

/** Fills `answers` and `visible`. */
function lookAtPips({ pips }: SearchMaps, at: number, lattice: Int32Array): void {
  for (let cell = 0; cell < 9; cell += 1) {
    const answer = pips[at + (lattice[cell] as number)] as number;
    answers[cell] = Math.max(0, answer);
    visible[cell] = answer >= 0 ? 1 : 0;
  }
}

/** Sum of the answers at the pips of every layout, in the order of `pipLayouts`. */
const inSums = new Float64Array(pipLayouts.length);

/** The layout that the nine places match best, into `layoutScore` and `layoutIndex` of `out`. Every layout is made of the centre and of pairs
 *  of opposite places, whose sums spare half of the time. @returns false, with `out` unfinished, when glare hides a place. */
function scoreLayouts(
  { pips }: SearchMaps,
  at: number,
  lattice: Int32Array,
  layouts: readonly ProbedLayout[],
  out: Score,
): boolean {
  const northWest = pips[at + (lattice[0] as number)] as number;
  const north = pips[at + (lattice[1] as number)] as number;
  const northEast = pips[at + (lattice[2] as number)] as number;
  const west = pips[at + (lattice[3] as number)] as number;
  const centre = pips[at + (lattice[4] as number)] as number;
  const east = pips[at + (lattice[5] as number)] as number;
  const southWest = pips[at + (lattice[6] as number)] as number;
  const south = pips[at + (lattice[7] as number)] as number;
  const southEast = pips[at + (lattice[8] as number)] as number;
  if (Math.min(northWest, north, northEast, west, centre, east, southWest, south, southEast) < 0) return false;
  const falling = northWest + southEast;
  const rising = northEast + southWest;
  const row = west + east;
  const column = north + south;
  const corners = falling + rising;
  const all = corners + row + column + centre;
  inSums[0] = centre;
  inSums[1] = falling;
  inSums[2] = rising;
  inSums[3] = falling + centre;
  inSums[4] = rising + centre;
  inSums[5] = corners;
  inSums[6] = corners + centre;
  inSums[7] = corners + row;
  inSums[8] = corners + column;
  let best = -1;
  let bestIndex = 0;
  for (let n = 0; n < layouts.length; n += 1) {
    const { index, inWeight, outWeight } = layouts[n] as ProbedLayout;
    const inSum = inSums[index] as number;
    const match = inWeight * inSum - outWeight * (all - inSum);
    if (match > best) {
      best = match;
      bestIndex = index;
    }
  }
  out.layoutScore = best;
  out.layoutIndex = bestIndex;
  return true;
}

/** The same when glare hides some places, which then say nothing. */
function scoreSeenLayouts(layouts: readonly ProbedLayout[], out: Score): void {
  let visibleSum = 0;
  let visibleCount = 0;
  for (let cell = 0; cell < 9; cell += 1) {
    visibleSum += answers[cell] as number;
    visibleCount += visible[cell] as number;
  }
  out.layoutScore = -1;
  out.layoutIndex = 0;
  for (let n = 0; n < layouts.length; n += 1) {
    const { index, cells } = layouts[n] as ProbedLayout;
    let inSum = 0;
    let inCount = 0;
    for (let k = 0; k < cells.length; k += 1) {
      const cell = cells[k] as number;
      inSum += answers[cell] as number;
      inCount += visible[cell] as number;
    }
    const outCount = visibleCount - inCount;
    const match =
      inCount === 0 ? hiddenMatch : inSum / inCount - strayFactor * (outCount === 0 ? 0 : (visibleSum - inSum) / outCount);
    if (match > out.layoutScore) {
      out.layoutScore = match;
      out.layoutIndex = index;
    }
  }
}
