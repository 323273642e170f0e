import { boxSum, integralOf } from './box-sums.ts';
import { latticeCells, pipLayouts } from './pip-layouts.ts';

/** Reduced maps over the tray in which the coarse search looks, all of the same size. */
export interface SearchMaps {
  readonly width: number;
  readonly height: number;
  /** Brightness steps to the right and downwards for the three channels, six numbers a pixel: bx, by, gx, gy, rx, ry. Eighths of a grey
   *  level per px, which a Sobel filter gives without rounding. */
  readonly steps: Int16Array;
  /** 1 where the picture differs from the empty tray in any way, shadow included. */
  readonly changed: Uint8Array;
  /** Answer of the pip filter, 0 to 1. */
  readonly pips: Float32Array;
  /** 1 where glare hides what is there. */
  readonly glare: Uint8Array;
  /** Memory for running sums (`integralOf`). */
  readonly sums: Float64Array;
}

export interface CoarseOptions {
  /** Edge of a die in px of the maps. */
  readonly edgePx: number;
  /** Distance of the outer pips from the centre line of the face, in edges. */
  readonly pipOffset: number;
  /** Brightness step, grey levels per px, at which a side counts as fully seen; null takes four fifths of the strongest square in the picture. */
  readonly fullStep: number | null;
  /** Layouts looked for; all of them unless the value is known (calibration). */
  readonly layoutIndexes: readonly number[];
  readonly angleStepDeg: number;
  readonly candidateCountMax: number;
}

/** A place where a top face may lie, px of the maps. */
export interface CoarseCandidate {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly layoutIndex: number;
  /** 0 to 1. */
  readonly edgeScore: number;
  /** Mean step along the four sides, grey levels per px. */
  readonly edgeStep: number;
  readonly layoutScore: number;
  readonly score: number;
}

/** Points at which a side is probed, in edges from its middle: clear of rounded corners. */
const sidePoints: readonly number[] = [-0.34, -0.2, -0.07, 0.07, 0.2, 0.34];
const sidePointCount = sidePoints.length;
/** Share of changed pixels around a centre (half an edge wide) below which no die can lie there. */
const changedShareMin = 0.4;
/** Score below which a place is not worth a second look. */
const candidateScoreMin = 0.25;
/** A step that no picture reaches, grey levels per px. */
const unbounded = 1_000;

/** Tries every centre and angle: how strongly a square of the known size has a step along all four sides, and how well the nine pip places
 *  under it match a legal face. Touching dice need no separation: each is found by its own square and pips. Best first. */
export function coarseCandidates(maps: SearchMaps, options: CoarseOptions): CoarseCandidate[] {
  const { width, height } = maps;
  const changedSum = integralOf(maps.changed, width, height, maps.sums);
  const angleCount = Math.round(90 / options.angleStepDeg);
  const offsets = Array.from({ length: angleCount }, (_, k) => probeOffsets((k * Math.PI) / 2 / angleCount, width, options));
  const half = options.edgePx / 2;
  const gate = Math.max(1, Math.round(options.edgePx / 4));
  const fullStep = options.fullStep ?? strongestSquare(maps, options, offsets);
  const found: CoarseCandidate[] = [];
  // Corners of the square reach 0.71 of an edge from its centre.
  const margin = Math.ceil(half * 1.45) + 1;
  const score: Score = { edgeScore: 0, edgeStep: 0, layoutScore: 0, layoutIndex: 0, score: 0 };
  const layouts = options.layoutIndexes.map((index) => ({ index, cells: Int32Array.from(pipLayouts[index]?.cells ?? []) }));
  for (let y = margin; y < height - margin; y += 2) {
    for (let x = margin; x < width - margin; x += 2) {
      const share = boxSum(changedSum, width, x - gate, y - gate, x + gate + 1, y + gate + 1) / (2 * gate + 1) ** 2;
      if (share < changedShareMin) continue;
      let best: CoarseCandidate | null = null;
      for (const offset of offsets) {
        if (scoreAt(maps, layouts, fullStep, y * width + x, offset, best?.score ?? candidateScoreMin, score))
          best = { x, y, angle: offset.angle, ...score };
      }
      if (best !== null) found.push(best);
    }
  }
  found.sort((a, b) => b.score - a.score);
  const kept: CoarseCandidate[] = [];
  for (const candidate of found) {
    if (kept.length >= options.candidateCountMax) break;
    const isNear = kept.some((other) => Math.hypot(other.x - candidate.x, other.y - candidate.y) < 0.16 * options.edgePx);
    if (!isNear) kept.push(candidate);
  }
  return kept;
}

/** Step of a strong square in the picture, for a search that knows no such figure. */
function strongestSquare(maps: SearchMaps, options: CoarseOptions, offsets: readonly ProbeOffsets[]): number {
  const margin = Math.ceil(options.edgePx * 0.73) + 1;
  const score: Score = { edgeScore: 0, edgeStep: 0, layoutScore: 0, layoutIndex: 0, score: 0 };
  let strongest = 0;
  for (let y = margin; y < maps.height - margin; y += 2) {
    for (let x = margin; x < maps.width - margin; x += 2) {
      if (maps.changed[y * maps.width + x] === 0) continue;
      for (let k = 0; k < offsets.length; k += 2) {
        // Measured against a step that no picture reaches, the score stays proportional to the steps.
        if (scoreSides(maps, unbounded, y * maps.width + x, offsets[k] as ProbeOffsets, strongest / unbounded, score))
          strongest = Math.max(strongest, score.edgeScore * unbounded);
      }
    }
  }
  return Math.max(4, 0.8 * strongest);
}

/** What one angle probes, as offsets into the maps, so that the inner loop neither allocates nor multiplies. */
interface ProbeOffsets {
  readonly angle: number;
  /** Outward normals of the four sides. */
  readonly nx: Float64Array;
  readonly ny: Float64Array;
  /** Px offsets of the points of all sides, side by side. */
  readonly points: Int32Array;
  /** Px offsets of the nine pip places. */
  readonly lattice: Int32Array;
}

function probeOffsets(angle: number, width: number, options: CoarseOptions): ProbeOffsets {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const half = options.edgePx / 2;
  const nx = new Float64Array(4);
  const ny = new Float64Array(4);
  const points: number[] = [];
  for (let side = 0; side < 4; side += 1) {
    const [normalX, normalY] = [Math.cos(angle + (side * Math.PI) / 2), Math.sin(angle + (side * Math.PI) / 2)];
    nx[side] = normalX;
    ny[side] = normalY;
    for (const t of sidePoints) {
      const x = Math.round(normalX * half - normalY * t * options.edgePx);
      points.push(Math.round(normalY * half + normalX * t * options.edgePx) * width + x);
    }
  }
  const reach = options.pipOffset * options.edgePx;
  const lattice = latticeCells.map(
    ([i, j]) => Math.round((sin * i + cos * j) * reach) * width + Math.round((cos * i - sin * j) * reach),
  );
  return { angle, nx, ny, points: Int32Array.from(points), lattice: Int32Array.from(lattice) };
}

/** A layout with its cells in memory that is quick to read. */
interface ProbedLayout {
  readonly index: number;
  readonly cells: Int32Array;
}

/** Result of the last `scoreAt`, kept in one place because it is called some 10,000 times a picture. */
interface Score {
  edgeScore: number;
  edgeStep: number;
  layoutScore: number;
  layoutIndex: number;
  score: number;
}

/** Room for rounding when a bound is compared with a score, so that no place is left out that a full computation would take. */
const roundingRoom = 1e-9;

/** Scores one centre (index `at` into the maps) under one angle. @returns true, and the score in `out`, when it is above `least`. Most places
 *  are given up as soon as the rest cannot bring them there. */
function scoreAt(
  maps: SearchMaps,
  layouts: readonly ProbedLayout[],
  fullStep: number,
  at: number,
  offsets: ProbeOffsets,
  least: number,
  out: Score,
): boolean {
  scoreLayouts(maps, layouts, at, offsets.lattice, out);
  const layoutPart = 0.5 * Math.max(0, out.layoutScore);
  if (0.5 + layoutPart < least - roundingRoom) return false;
  if (!scoreSides(maps, fullStep, at, offsets, 2 * (least - layoutPart), out)) return false;
  out.score = 0.5 * out.edgeScore + layoutPart;
  return out.score > least;
}

/** Strength of the four sides of the square, into `edgeScore` and `edgeStep` of `out`. @returns false, with `out` unfinished, when
 *  `edgeScore` cannot reach `least`. */
function scoreSides(maps: SearchMaps, fullStep: number, at: number, offsets: ProbeOffsets, least: number, out: Score): boolean {
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

/** The layout that the nine pip places match best, into `layoutScore` and `layoutIndex` of `out`. */
function scoreLayouts(maps: SearchMaps, layouts: readonly ProbedLayout[], at: number, lattice: Int32Array, out: Score): void {
  const { pips, glare } = maps;
  let visibleSum = 0;
  let visibleCount = 0;
  for (let cell = 0; cell < 9; cell += 1) {
    const i = at + (lattice[cell] as number);
    if (glare[i] === 1) continue;
    visibleSum += pips[i] as number;
    visibleCount += 1;
  }
  out.layoutScore = -1;
  out.layoutIndex = 0;
  for (let n = 0; n < layouts.length; n += 1) {
    const { index, cells } = layouts[n] as ProbedLayout;
    let inSum = 0;
    let inCount = 0;
    for (let k = 0; k < cells.length; k += 1) {
      const i = at + (lattice[cells[k] as number] as number);
      if (glare[i] === 1) continue;
      inSum += pips[i] as number;
      inCount += 1;
    }
    const outCount = visibleCount - inCount;
    // Places hidden by glare say nothing; a layout that is hidden altogether is possible, no more.
    const match = inCount === 0 ? 0.2 : inSum / inCount - 1.5 * (outCount === 0 ? 0 : (visibleSum - inSum) / outCount);
    if (match > out.layoutScore) {
      out.layoutScore = match;
      out.layoutIndex = index;
    }
  }
}
