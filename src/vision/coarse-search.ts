import { boxSum, integralOf } from './box-sums.ts';
import { type ProbeOffsets, probedLayouts, probeOffsets, type Score, scoreAt, scoreSides } from './square-score.ts';

/** Reduced maps over the tray in which the coarse search looks, all of the same size. */
export interface SearchMaps {
  readonly width: number;
  readonly height: number;
  /** Brightness steps to the right and downwards for the three channels, six numbers a pixel: bx, by, gx, gy, rx, ry. Eighths of a grey
   *  level per px, which a Sobel filter gives without rounding. */
  readonly steps: Int16Array;
  /** Length of the steps of all channels together, grey levels per px: no direction shows a larger one. Endless under glare. */
  readonly strengths: Float32Array;
  /** 1 where the picture differs from the empty tray in any way, shadow included. */
  readonly changed: Uint8Array;
  /** Answer of the pip filter, 0 to 1; -1 under glare. */
  readonly pips: Float32Array;
  /** 1 where glare hides what is there. */
  readonly glare: Uint8Array;
  /** Where the centre of a die can lie; see `placesToSearch`. */
  readonly places: readonly number[];
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

/** Share of changed pixels around a centre (half an edge wide) below which no die can lie there. */
const changedShareMin = 0.4;
/** Score below which a place is not worth a second look. */
const candidateScoreMin = 0.25;
/** A step that no picture reaches, grey levels per px. */
const unbounded = 1_000;

/** Px that a search around a centre looks at on each side: corners of the square reach 0.71 of an edge. @param edgePx edge of a die. */
export function searchMarginPx(edgePx: number): number {
  return Math.ceil((edgePx / 2) * 1.45) + 1;
}

/** Indexes of the px, every second one in both directions, around which enough has changed for a die to lie there. Row by row.
 *  @param sums memory for running sums, see `integralOf`. */
export function placesToSearch(changed: Uint8Array, width: number, height: number, edgePx: number, sums: Float64Array): number[] {
  integralOf(changed, width, height, sums);
  const gate = Math.max(1, Math.round(edgePx / 4));
  const margin = searchMarginPx(edgePx);
  const places: number[] = [];
  for (let y = margin; y < height - margin; y += 2) {
    for (let x = margin; x < width - margin; x += 2) {
      const share = boxSum(sums, width, x - gate, y - gate, x + gate + 1, y + gate + 1) / (2 * gate + 1) ** 2;
      if (share >= changedShareMin) places.push(y * width + x);
    }
  }
  return places;
}

/** Tries every centre and angle: how strongly a square of the known size has a step along all four sides, and how well the nine pip places
 *  under it match a legal face. Touching dice need no separation: each is found by its own square and pips. Best first. */
export function coarseCandidates(maps: SearchMaps, options: CoarseOptions): CoarseCandidate[] {
  const { width } = maps;
  const angleCount = Math.round(90 / options.angleStepDeg);
  const offsets = Array.from({ length: angleCount }, (_, k) =>
    probeOffsets((k * Math.PI) / 2 / angleCount, width, options.edgePx, options.pipOffset),
  );
  const fullStep = options.fullStep ?? strongestSquare(maps, options, offsets);
  const found: CoarseCandidate[] = [];
  const score: Score = { edgeScore: 0, edgeStep: 0, layoutScore: 0, layoutIndex: 0, score: 0 };
  const layouts = probedLayouts(options.layoutIndexes);
  for (const place of maps.places) {
    let best: CoarseCandidate | null = null;
    for (const offset of offsets) {
      if (scoreAt(maps, layouts, fullStep, place, offset, best?.score ?? candidateScoreMin, score)) {
        const x = place % width;
        best = { x, y: (place - x) / width, angle: offset.angle, ...score };
      }
    }
    if (best !== null) found.push(best);
  }
  found.sort((a, b) => b.score - a.score);
  const kept: CoarseCandidate[] = [];
  const nearSquare = (0.16 * options.edgePx) ** 2;
  for (const candidate of found) {
    if (kept.length >= options.candidateCountMax) break;
    const isNear = kept.some((other) => (other.x - candidate.x) ** 2 + (other.y - candidate.y) ** 2 < nearSquare);
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
