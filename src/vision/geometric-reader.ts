import type { Face } from '../core/rules/dice.ts';
import { type FaceView, farHidden, patchPx, patchSidePx } from './face-patch.ts';
import { type FoundPip, fitLattice, type LatticeFit } from './lattice-fit.ts';
import { latticeCells, type PipLayout, type PipSpread, pipLayouts, pipPlace } from './pip-layouts.ts';
import { type DiscMeasure, discMean, type PipMap, pipCentre, pipSharpness } from './pip-map.ts';

/** Pip sizes and places in edges, as far as the geometric reader needs them. */
export interface PipGeometry {
  readonly pipOffset: number;
  readonly pipSpread: Readonly<Record<Face, PipSpread>>;
  readonly pipRadius: Readonly<Record<Face, number>>;
}

/** What the geometric reader says about one face. */
export interface GeometricReading {
  /** The value, or null with the reason. */
  readonly value: Face | null;
  readonly reason: 'glare' | 'layout' | null;
  readonly layoutIndex: number;
  /** How far every place of the face is from being doubtful, 0 to 1: the weakest place decides. */
  readonly confidence: number;
  /** The pose by the pips; null when none was found. */
  readonly fit: LatticeFit | null;
  /** The pips that the fit rests on. */
  readonly found: readonly FoundPip[];
  /** Area of pip-like px on the face where no pip belongs, in areas of one pip. */
  readonly strayPips: number;
  /** See `PipSharpness`; null without visible pips. */
  readonly sharpness: number | null;
  readonly sharpnessEvenness: number | null;
  /** How many of the nine places glare hides. */
  readonly hiddenCount: number;
}

/** Share of the way from body to pip colour above which a place holds a pip, and below which it holds none. Between them the reader cannot
 *  tell. A pip's rounded bottom mirrors lamps, so present pips reach 0.6 to 1; empty places stay below 0.15 on clean dice. */
const presentFrom = 0.5;
const absentUpTo = 0.28;
/** A place counts as seen when at least this share of its disc is free of glare. */
const visibleShareMin = 0.7;
/** With at least this share, px within the halo of glare left out, a place still counts when what is left of it is wholly pip or wholly body: a
 *  quarter of a disc is 15 px at 640 x 480, and no pip looks like the body over a quarter of its area. */
const partlyVisibleShareMin = 0.22;
const partlyPresentFrom = 0.75;
const partlyAbsentUpTo = 0.12;

/** The layout that fits a face best, and the pips found by it. */
export interface PipMatch {
  readonly layoutIndex: number;
  readonly confidence: number;
  /** Values against which no place speaks. */
  readonly consistent: ReadonlySet<Face>;
  readonly hiddenCount: number;
  readonly found: readonly FoundPip[];
  readonly fit: LatticeFit | null;
}

/** Finds the pips of a face: every one of the nine places is checked for presence and for absence under every layout.
 *  @param layoutIndexes layouts that are possible; at least one. */
export function matchPips(patch: FaceView, map: PipMap, geometry: PipGeometry, layoutIndexes: readonly number[]): PipMatch {
  const smallest = Math.min(...Object.values(geometry.pipRadius));
  const generic = latticeCells.map(([i, j]) =>
    discMean(map, patch.hidden, i * geometry.pipOffset, j * geometry.pipOffset, 0.75 * smallest),
  );
  const hiddenCount = generic.filter((disc) => disc.visibleShare < visibleShareMin).length;
  let best = { index: 0, score: Number.NEGATIVE_INFINITY, confidence: 0 };
  const consistent = new Set<Face>();
  for (const index of layoutIndexes) {
    const layout = pipLayouts[index] as PipLayout;
    const verdict = matchLayout(patch, map, layout, geometry, generic);
    if (verdict.isConsistent) consistent.add(layout.value);
    const score = verdict.score + (verdict.isConsistent ? 1 : 0);
    if (score > best.score) best = { index, score, confidence: verdict.confidence };
  }
  const layout = pipLayouts[best.index] as PipLayout;
  const spread = geometry.pipSpread[layout.value];
  const found: FoundPip[] = [];
  for (const cell of layout.cells) {
    const [u, v] = pipPlace(layout, cell, spread);
    const at = pipCentre(map, patch.hidden, u, v, geometry.pipRadius[layout.value]);
    if (at !== null) found.push({ cell, at });
  }
  const fit = fitLattice(patch.pose, layout, found, spread);
  return { layoutIndex: best.index, confidence: best.confidence, consistent, hiddenCount, found, fit };
}

/** Reads a face by its matched pips: exactly one legal value must remain.
 *  @param hasSquare the sides of the face are clearly seen, so that it is known to lie here however few of its pips are in view. */
export function readMatch(
  patch: FaceView,
  map: PipMap,
  geometry: PipGeometry,
  match: PipMatch,
  hasSquare: boolean,
): GeometricReading {
  const { layoutIndex, consistent, hiddenCount, found, fit } = match;
  const layout = pipLayouts[layoutIndex] as PipLayout;
  const radius = geometry.pipRadius[layout.value];
  const strayPips = strayArea(patch, map, layout, geometry) / (Math.PI * (radius * 64) ** 2);
  // Without a square a face of several pips is only known to lie here when two of them are seen at their distance: one alone fits anywhere.
  const sharpness = pipSharpness(
    map,
    patch.hidden,
    found.map((pip) => pip.at),
    radius,
  );
  const isPlaced = hasSquare || layout.value === 1 || found.length >= 2;
  const isTold = isPlaced && consistent.size === 1 && consistent.has(layout.value);
  const reason = isTold ? null : consistent.size > 1 || !isPlaced ? 'glare' : hiddenCount > 0 ? 'glare' : 'layout';
  return {
    value: isTold ? layout.value : null,
    reason,
    layoutIndex,
    confidence: isTold ? match.confidence : 0,
    fit,
    found,
    strayPips,
    sharpness: sharpness?.softest ?? null,
    sharpnessEvenness: sharpness?.evenness ?? null,
    hiddenCount,
  };
}

/** Turn in radians, from -45° to 45°, after which the pips of a patch form a legal face best, given only that its centre is about right. A die
 *  whose centre pip was found under a wrong angle would otherwise look like a 1: so pips that a layout leaves over count against it. */
export function bestTurn(patch: FaceView, map: PipMap, geometry: PipGeometry, layoutIndexes: readonly number[]): number {
  const radius = Math.min(...Object.values(geometry.pipRadius));
  const pipArea = Math.PI * (radius * 64) ** 2;
  const centre = patchPx(0);
  let mass = 0;
  for (let y = Math.ceil(centre - 32); y <= centre + 32; y += 1) {
    for (let x = Math.ceil(centre - 32); x <= centre + 32; x += 1) {
      const index = y * patchSidePx + x;
      if ((x - centre) ** 2 + (y - centre) ** 2 < 1024 && patch.hidden[index] === 0 && (map[index] ?? 0) > 0.5) mass += 1;
    }
  }
  let best = { turn: 0, score: Number.NEGATIVE_INFINITY, pipCount: 0 };
  const isClear = !patch.hidden.includes(1);
  for (const step of turnSteps) {
    const turn = (step * Math.PI) / 24;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const measure = (u: number, v: number) => discMean(map, patch.hidden, cos * u - sin * v, sin * u + cos * v, 0.7 * radius);
    const generic = latticeCells.map(([i, j]) => measure(i * geometry.pipOffset, j * geometry.pipOffset));
    for (const index of layoutIndexes) {
      const layout = pipLayouts[index] as PipLayout;
      let [score, expectedMass] = [0, 0];
      const massAtLeast = isClear ? 0.25 * Math.abs(mass / pipArea - pipCounts(layout, geometry, radius)) : 0;
      if (scoreAtMost(layout, generic) - massAtLeast - 0.004 * Math.abs(step) < best.score) continue;
      for (let cell = 0; cell < 9; cell += 1) {
        const isExpected = layout.cells.includes(cell);
        const disc = isExpected ? measure(...pipPlace(layout, cell, geometry.pipSpread[layout.value])) : generic[cell];
        const { mean, visibleShare } = disc ?? { mean: 0, visibleShare: 0 };
        if (isExpected) expectedMass += visibleShare * (geometry.pipRadius[layout.value] / radius) ** 2;
        if (visibleShare > 0.5) score += isExpected ? mean - 0.4 : -1.2 * mean;
      }
      score -= 0.25 * Math.abs(mass / pipArea - expectedMass) + 0.004 * Math.abs(step);
      if (score > best.score) best = { turn, score, pipCount: layout.cells.length };
    }
  }
  // A single pip looks the same under every angle: there the square's own sides, which the candidate comes from, know better.
  return best.pipCount === 1 ? 0 : best.turn;
}

/** Turns tried, in 24ths of half a circle; small ones first, because they are likely and a good score spares the rest. */
const turnSteps: readonly number[] = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6];

/** Area of a layout's pips in areas of the smallest pip. */
function pipCounts(layout: PipLayout, geometry: PipGeometry, radius: number): number {
  return layout.cells.length * (geometry.pipRadius[layout.value] / radius) ** 2;
}

/** What `bestTurn` can give a layout at most: perfect pips where it has some, less what is seen where it has none. */
function scoreAtMost(layout: PipLayout, generic: readonly DiscMeasure[]): number {
  let score = 1e-9;
  for (let cell = 0; cell < 9; cell += 1) {
    const disc = generic[cell];
    if (layout.cells.includes(cell)) score += 0.6;
    else if (disc !== undefined && disc.visibleShare > 0.5) score -= 1.2 * disc.mean;
  }
  return score;
}

function matchLayout(
  patch: FaceView,
  map: PipMap,
  layout: PipLayout,
  geometry: PipGeometry,
  generic: readonly { readonly mean: number; readonly visibleShare: number }[],
): { readonly score: number; readonly isConsistent: boolean; readonly confidence: number } {
  let [score, count, confidence] = [0, 0, 1];
  let isConsistent = true;
  for (let cell = 0; cell < 9; cell += 1) {
    const isExpected = layout.cells.includes(cell);
    const [u, v] = pipPlace(layout, cell, geometry.pipSpread[layout.value]);
    const disc = isExpected
      ? discMean(map, patch.hidden, u, v, 0.75 * geometry.pipRadius[layout.value])
      : (generic[cell] ?? { mean: 0, visibleShare: 0 });
    if (disc.visibleShare < visibleShareMin) {
      const place = partlySeen(patch, map, u, v, 0.75 * geometry.pipRadius[layout.value]);
      if (place === null) continue;
      count += 1;
      score += place === isExpected ? partScore : -partScore;
      confidence = Math.min(confidence, place === isExpected ? partScore : 0);
      if (place !== isExpected) isConsistent = false;
      continue;
    }
    count += 1;
    // The large 1 of Macau dice reaches into neighbouring places only in the middle row and column, which lie 0.26 of an edge away.
    const margin = isExpected ? (disc.mean - presentFrom) / (1 - presentFrom) : (absentUpTo - disc.mean) / absentUpTo;
    score += Math.max(-1, Math.min(1, margin));
    confidence = Math.min(confidence, Math.max(0, margin));
    if (margin < 0) isConsistent = false;
  }
  return { score: count === 0 ? -1 : score / count, isConsistent: isConsistent && count > 0, confidence };
}

/** What a place counts that is partly under glare; half of a place in full view. */
const partScore = 0.5;

/** Whether a place partly under glare holds a pip (true) or none (false); null when what is left of it does not tell. The halo of glare falsifies
 *  colours, so that only px at a distance from it count. */
function partlySeen(patch: FaceView, map: PipMap, u: number, v: number, radius: number): boolean | null {
  const { mean, visibleShare } = discMean(map, farHidden(patch), u, v, radius);
  if (visibleShare < partlyVisibleShareMin) return null;
  if (mean >= partlyPresentFrom) return true;
  return mean <= partlyAbsentUpTo ? false : null;
}

/** Pip-like px on the inner face that belong to no pip of the layout: a moved, an extra or another pip, dirt, or a wrong layout. */
function strayArea(patch: FaceView, map: PipMap, layout: PipLayout, geometry: PipGeometry): number {
  const from = Math.ceil(patchPx(-0.4));
  const to = Math.floor(patchPx(0.4));
  const reach = (1.5 * geometry.pipRadius[layout.value] * 64) ** 2;
  const places = Float64Array.from(
    layout.cells.flatMap((cell) => pipPlace(layout, cell, geometry.pipSpread[layout.value]).map(patchPx)),
  );
  let count = 0;
  for (let y = from; y <= to; y += 1) {
    for (let x = from; x <= to; x += 1) {
      const index = y * patchSidePx + x;
      if (patch.hidden[index] === 1 || (map[index] as number) < 0.5) continue;
      if (!isWithin(places, x, y, reach)) count += 1;
    }
  }
  return count;
}

/** Whether a px lies nearer to one of some places (x and y of each in turn) than the root of `square`. */
function isWithin(places: Float64Array, x: number, y: number, square: number): boolean {
  for (let k = 0; k < places.length; k += 2) {
    const dx = x - (places[k] as number);
    const dy = y - (places[k + 1] as number);
    if (dx * dx + dy * dy < square) return true;
  }
  return false;
}
