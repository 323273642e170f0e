import { latticeCells, pipLayouts } from './pip-layouts.ts';

/** Reduced maps over the tray in which the coarse search looks, all of the same size. */
export interface SearchMaps {
  readonly width: number;
  readonly height: number;
  /** Brightness steps to the right and downwards for the three channels, six floats a pixel: bx, by, gx, gy, rx, ry. */
  readonly steps: Float32Array;
  /** 1 where the picture differs from the empty tray in any way, shadow included. */
  readonly changed: Uint8Array;
  /** Answer of the pip filter, 0 to 1. */
  readonly pips: Float32Array;
  /** 1 where glare hides what is there. */
  readonly glare: Uint8Array;
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
/** Share of changed pixels around a centre (half an edge wide) below which no die can lie there. */
const changedShareMin = 0.4;

/** Tries every centre and angle: how strongly a square of the known size has a step along all four sides, and how well the nine pip places
 *  under it match a legal face. Touching dice need no separation: each is found by its own square and pips. Best first. */
export function coarseCandidates(maps: SearchMaps, options: CoarseOptions): CoarseCandidate[] {
  const { width, height } = maps;
  const changedSum = integralOf(maps.changed, width, height);
  const angleCount = Math.round(90 / options.angleStepDeg);
  const offsets = Array.from({ length: angleCount }, (_, k) => probeOffsets((k * Math.PI) / 2 / angleCount, options));
  const half = options.edgePx / 2;
  const gate = Math.max(1, Math.round(options.edgePx / 4));
  const fullStep = options.fullStep ?? strongestSquare(maps, options, offsets);
  const found: CoarseCandidate[] = [];
  const margin = Math.ceil(half * 1.2);
  for (let y = margin; y < height - margin; y += 2) {
    for (let x = margin; x < width - margin; x += 2) {
      const share = boxSum(changedSum, width, x - gate, y - gate, x + gate + 1, y + gate + 1) / (2 * gate + 1) ** 2;
      if (share < changedShareMin) continue;
      let best: CoarseCandidate | null = null;
      for (let k = 0; k < angleCount; k += 1) {
        const candidate = scoreAt(maps, options, fullStep, x, y, (k * Math.PI) / 2 / angleCount, offsets[k] as ProbeOffsets);
        if (best === null || candidate.score > best.score) best = candidate;
      }
      if (best !== null && best.score > 0.25) found.push(best);
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
  const margin = Math.ceil(options.edgePx * 0.6);
  const unbounded = 1_000;
  let strongest = 0;
  for (let y = margin; y < maps.height - margin; y += 2) {
    for (let x = margin; x < maps.width - margin; x += 2) {
      if (maps.changed[y * maps.width + x] === 0) continue;
      for (let k = 0; k < offsets.length; k += 2) {
        const score = scoreAt(
          maps,
          { ...options, layoutIndexes: [0] },
          unbounded,
          x,
          y,
          (k * Math.PI) / 2 / offsets.length,
          offsets[k] as ProbeOffsets,
        );
        strongest = Math.max(strongest, score.edgeScore * unbounded);
      }
    }
  }
  return Math.max(4, 0.8 * strongest);
}

interface ProbeOffsets {
  /** Triples for each of the four sides: dx, dy of each point; outward normals apart. */
  readonly sides: readonly {
    readonly nx: number;
    readonly ny: number;
    readonly points: readonly (readonly [number, number])[];
  }[];
  readonly lattice: readonly (readonly [number, number])[];
}

function probeOffsets(angle: number, options: CoarseOptions): ProbeOffsets {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const half = options.edgePx / 2;
  const sides = [0, 1, 2, 3].map((k) => {
    const [nx, ny] = [Math.cos(angle + (k * Math.PI) / 2), Math.sin(angle + (k * Math.PI) / 2)];
    const points = sidePoints.map((t) => [nx * half - ny * t * options.edgePx, ny * half + nx * t * options.edgePx] as const);
    return { nx, ny, points };
  });
  const reach = options.pipOffset * options.edgePx;
  const lattice = latticeCells.map(([i, j]) => [(cos * i - sin * j) * reach, (sin * i + cos * j) * reach] as const);
  return { sides, lattice };
}

function scoreAt(
  maps: SearchMaps,
  options: CoarseOptions,
  fullStep: number,
  x: number,
  y: number,
  angle: number,
  offsets: ProbeOffsets,
): CoarseCandidate {
  const { width, steps, pips, glare } = maps;
  let edgeScore = 0;
  let edgeStep = 0;
  let weakest = 1;
  for (const { nx, ny, points } of offsets.sides) {
    let [b, g, r, count] = [0, 0, 0, 0];
    for (const [dx, dy] of points) {
      const i = Math.round(y + dy) * width + Math.round(x + dx);
      if (glare[i] === 1) continue;
      const s = 6 * i;
      b += (steps[s] ?? 0) * nx + (steps[s + 1] ?? 0) * ny;
      g += (steps[s + 2] ?? 0) * nx + (steps[s + 3] ?? 0) * ny;
      r += (steps[s + 4] ?? 0) * nx + (steps[s + 5] ?? 0) * ny;
      count += 1;
    }
    const step = count < 2 ? 0.5 * fullStep : Math.sqrt(b * b + g * g + r * r) / count;
    const side = Math.min(1, step / fullStep);
    edgeStep += step / 4;
    edgeScore += side / 4;
    weakest = Math.min(weakest, side);
  }
  edgeScore = 0.75 * edgeScore + 0.25 * weakest;
  const evidence = offsets.lattice.map(([dx, dy]) => {
    const i = Math.round(y + dy) * width + Math.round(x + dx);
    return glare[i] === 1 ? -1 : (pips[i] ?? 0);
  });
  let layoutScore = -1;
  let layoutIndex = 0;
  for (const index of options.layoutIndexes) {
    const score = layoutMatch(evidence, pipLayouts[index]?.cells ?? []);
    if (score > layoutScore) [layoutScore, layoutIndex] = [score, index];
  }
  return { x, y, angle, layoutIndex, edgeScore, edgeStep, layoutScore, score: 0.5 * edgeScore + 0.5 * Math.max(0, layoutScore) };
}

/** Mean evidence over the layout's places less the mean over the others; -1 marks a hidden place, which says nothing. */
function layoutMatch(evidence: readonly number[], cells: readonly number[]): number {
  let [inSum, inCount, outSum, outCount] = [0, 0, 0, 0];
  for (let i = 0; i < 9; i += 1) {
    const value = evidence[i] ?? 0;
    if (value < 0) continue;
    if (cells.includes(i)) {
      inSum += value;
      inCount += 1;
    } else {
      outSum += value;
      outCount += 1;
    }
  }
  if (inCount === 0) return 0.2;
  return inSum / inCount - 1.5 * (outCount === 0 ? 0 : outSum / outCount);
}

/** Running sums, one row and column larger than the map, so that box sums take four look-ups. */
export function integralOf(map: Uint8Array | Float32Array, width: number, height: number): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += map[y * width + x] ?? 0;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  return sums;
}

/** Sum over columns left to right-1 and rows top to bottom-1 of the map behind `integralOf`. */
export function boxSum(sums: Float64Array, width: number, left: number, top: number, right: number, bottom: number): number {
  const w = width + 1;
  return (
    (sums[bottom * w + right] ?? 0) - (sums[top * w + right] ?? 0) - (sums[bottom * w + left] ?? 0) + (sums[top * w + left] ?? 0)
  );
}
