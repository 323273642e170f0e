import { type ComponentTree, componentTree } from './component-tree.ts';
import type { Plane } from './plane.ts';

/** A round region of one brightness on ground of another: what a pip looks like, whatever its colour and size. */
export interface RoundSpot {
  /** Centre, working px. */
  readonly x: number;
  readonly y: number;
  /** Of the circle of the same area, at half of the contrast, working px. */
  readonly diameterPx: number;
  /** Shorter over longer axis, 0 to 1: the cosine under which a round pip is seen. */
  readonly axisRatio: number;
  /** Grey levels between its core and the ground that runs into it first. */
  readonly contrast: number;
}

/** Which regions are looked for. */
export interface SpotLimits {
  /** px² of the working picture. */
  readonly areaMinPx: number;
  /** Largest diameter as a share of the picture's longer side. */
  readonly diameterMaxShare: number;
  /** Least share that a region fills of the ellipse with its second moments: 1 for a disc, 0.955 for a square. */
  readonly fillMin: number;
  readonly axisRatioMin: number;
}

/** Pips. A disc of 4 px is the least that has an outline; the large 1 of Asian dice, 0.45 edges, on a die that fills a third of the picture is the
 *  largest. A crescent, a ring of half its radius and two discs that touch fill less than 0.86. Pips on a side face that is seen under less than 30
 *  degrees are never taken for pips of a top face. */
export const pipLimits: SpotLimits = { areaMinPx: 12, diameterMaxShare: 0.15, fillMin: 0.87, axisRatioMin: 0.5 };
/** Bodies of dice, from 17 px, the smallest that would count as a die beside the smallest that can be read, to a third of the picture. Six pips and
 *  a glint take a quarter out of a square. */
export const bodyLimits: SpotLimits = { areaMinPx: 290, diameterMaxShare: 0.35, fillMin: 0.72, axisRatioMin: 0.65 };

/** A region that grows by more than this factor at the next threshold has run out into its ground. */
const growthMax = 1.5;
/** Least contrast, grey levels: six times the noise that is left of an ordinary picture (1.5 levels). */
const contrastMin = 9;

/** Finds round spots (with `bodyLimits` any compact ones), bright ones or dark ones. */
export function findRoundSpots(plane: Plane, isDark: boolean, limits: readonly SpotLimits[]): readonly (readonly RoundSpot[])[] {
  const tree = componentTree(plane, isDark);
  return limits.map((each) => spotsWithin(tree, each, Math.max(plane.width, plane.height)));
}

function spotsWithin(tree: ComponentTree, limits: SpotLimits, sidePx: number): readonly RoundSpot[] {
  const areaMaxPx = (Math.PI / 4) * (limits.diameterMaxShare * sidePx) ** 2;
  const found: RoundSpot[] = [];
  for (const region of tree.regions) {
    const area = tree.area[region] ?? 0;
    if (area < limits.areaMinPx || area > areaMaxPx || !isCompact(tree, region, limits)) continue;
    const around = tree.parent[region] as number;
    if ((tree.area[around] ?? 0) <= growthMax * area && isCompact(tree, around, limits)) continue;
    const spot = spotOf(tree, region, limits);
    if (spot !== null) found.push(spot);
  }
  return found;
}

/** The spot at half of its contrast: `outer` is the largest region that is still compact. */
function spotOf(tree: ComponentTree, outer: number, limits: SpotLimits): RoundSpot | null {
  const outerArea = tree.area[outer] ?? 0;
  let core = outer;
  while ((tree.area[core] ?? 0) > 0.3 * outerArea && tree.mainChild[core] !== -1) core = tree.mainChild[core] as number;
  const [outerLevel, coreLevel] = [tree.level[outer] ?? 0, tree.level[core] ?? 0];
  const contrast = coreLevel - outerLevel;
  if (contrast < contrastMin) return null;
  const isAboveHalf = (region: number): boolean => (tree.level[region] ?? 0) >= (outerLevel + coreLevel) / 2;
  let half = outer;
  while (!isAboveHalf(half) && tree.mainChild[half] !== -1) half = tree.mainChild[half] as number;
  const { area, x, y, axisRatio } = shapeOf(tree, half);
  // Half-way up its outline a spot of the least area has lost a ring of half a pixel.
  if (area < 0.6 * limits.areaMinPx || !isCompact(tree, half, limits)) return null;
  return { x, y, diameterPx: 2 * Math.sqrt(area / Math.PI), axisRatio, contrast };
}

function isCompact(tree: ComponentTree, region: number, limits: SpotLimits): boolean {
  const { fill, axisRatio } = shapeOf(tree, region);
  return fill >= limits.fillMin && axisRatio >= limits.axisRatioMin;
}

function shapeOf(tree: ComponentTree, region: number) {
  const area = tree.area[region] ?? 1;
  const [x, y] = [(tree.sumX[region] ?? 0) / area, (tree.sumY[region] ?? 0) / area];
  // A pixel is a square of its own: 1/12 px² in each direction.
  const xx = (tree.sumXX[region] ?? 0) / area - x * x + 1 / 12;
  const yy = (tree.sumYY[region] ?? 0) / area - y * y + 1 / 12;
  const xy = (tree.sumXY[region] ?? 0) / area - x * y;
  const [mean, spread] = [(xx + yy) / 2, Math.hypot((xx - yy) / 2, xy)];
  const [long, short] = [mean + spread, Math.max(1e-6, mean - spread)];
  return { area, x, y, fill: area / (4 * Math.PI * Math.sqrt(long * short)), axisRatio: Math.sqrt(short / long) };
}
