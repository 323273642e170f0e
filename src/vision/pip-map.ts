import type { FaceView } from './face-patch.ts';
import { patchEdgePx, patchPx, patchSidePx } from './face-patch.ts';

/** For every pixel of a patch: how much its colour is that of a pip (1) rather than of this die's body (0). */
export type PipMap = Float32Array;

/** Px along the border of a patch for which no map is made: pips are looked for up to 0.6 of an edge from the centre, which leaves out half of
 *  the patch. */
const mapMargin = 13;

/** Pip map by known pip colours, 0 along the border of the patch: the share of the way from this die's own body colour to the nearest pip colour.
 *  @param pipColours blue, green, red in the light of this picture. @param map memory of an earlier map, to be used again. */
export function pipMapByColour(
  patch: FaceView,
  pipColours: readonly (readonly number[])[],
  map: PipMap = new Float32Array(patchSidePx * patchSidePx),
): PipMap {
  const [bodyB, bodyG, bodyR] = patch.body;
  const ways = pipColours.map((colour) => {
    const way = [(colour[0] ?? 0) - bodyB, (colour[1] ?? 0) - bodyG, (colour[2] ?? 0) - bodyR];
    const square = Math.max(100, (way[0] ?? 0) ** 2 + (way[1] ?? 0) ** 2 + (way[2] ?? 0) ** 2);
    return way.map((part) => part / square);
  });
  const data = patch.picture.data;
  // Three kinds of pips at most are told apart on any dice we know; taking them in one pass halves the time.
  for (let first = 0; first < Math.max(1, ways.length); first += 3) {
    const [b1 = 0, g1 = 0, r1 = 0] = ways[first] ?? [];
    const [b2 = 0, g2 = 0, r2 = 0] = ways[first + 1] ?? [];
    const [b3 = 0, g3 = 0, r3 = 0] = ways[first + 2] ?? [];
    const hasOne = ways.length - first < 2;
    for (let y = mapMargin; y < patchSidePx - mapMargin; y += 1) {
      const end = (y + 1) * patchSidePx - mapMargin;
      for (let i = y * patchSidePx + mapMargin; i < end; i += 1) {
        const b = (data[3 * i] as number) - bodyB;
        const g = (data[3 * i + 1] as number) - bodyG;
        const r = (data[3 * i + 2] as number) - bodyR;
        let share = b * b1 + g * g1 + r * r1;
        if (!hasOne) share = Math.max(share, b * b2 + g * g2 + r * r2, b * b3 + g * g3 + r * r3);
        share = share <= 0 ? 0 : Math.min(1, share);
        map[i] = first === 0 ? share : Math.max(share, map[i] as number);
      }
    }
  }
  return map;
}

/** Pip map without known colours (calibration's first pass): distance from the body colour, 1 at the distance that the most different
 *  tenth of the inner face reaches. */
export function pipMapByContrast(patch: FaceView): PipMap {
  const data = patch.picture.data;
  const [bodyB, bodyG, bodyR] = patch.body;
  const map = new Float32Array(patchSidePx * patchSidePx);
  for (let i = 0, j = 0; i < map.length; i += 1, j += 3) {
    const b = (data[j] as number) - bodyB;
    const g = (data[j + 1] as number) - bodyG;
    const r = (data[j + 2] as number) - bodyR;
    map[i] = Math.sqrt(b * b + g * g + r * r);
  }
  const from = Math.round(patchPx(-0.36));
  const to = Math.round(patchPx(0.36));
  const inner = new Float32Array((to - from + 1) ** 2);
  let count = 0;
  for (let y = from; y <= to; y += 1) {
    for (let i = y * patchSidePx + from; i <= y * patchSidePx + to; i += 1) {
      if (patch.hidden[i] !== 0) continue;
      inner[count] = map[i] as number;
      count += 1;
    }
  }
  const sorted = inner.subarray(0, count).sort();
  const full = Math.max(25, sorted[Math.floor(count * 0.96)] ?? 25);
  for (let i = 0; i < map.length; i += 1) map[i] = Math.min(1, (map[i] as number) / full);
  return map;
}

/** What the map shows around one place of the face. */
export interface DiscMeasure {
  /** Mean of the map in the disc over its visible px, 0 to 1. */
  readonly mean: number;
  /** Share of the disc that is visible, 0 to 1. */
  readonly visibleShare: number;
}

/** Mean of the map in a disc. @param u,v centre in edges, @param radius in edges. */
export function discMean(map: PipMap, hidden: Uint8Array, u: number, v: number, radius: number): DiscMeasure {
  const [cx, cy, r] = [patchPx(u), patchPx(v), radius * patchEdgePx];
  let sum = 0;
  let count = 0;
  let total = 0;
  const [left, right] = [Math.max(0, Math.ceil(cx - r)), Math.min(patchSidePx - 1, Math.floor(cx + r))];
  const bottom = Math.min(patchSidePx - 1, Math.floor(cy + r));
  for (let y = Math.max(0, Math.ceil(cy - r)); y <= bottom; y += 1) {
    const dy2 = (y - cy) ** 2;
    for (let x = left; x <= right; x += 1) {
      const dx = x - cx;
      if (dx * dx + dy2 > r * r) continue;
      total += 1;
      const i = y * patchSidePx + x;
      if (hidden[i] === 1) continue;
      count += 1;
      sum += map[i] as number;
    }
  }
  return { mean: count === 0 ? 0 : sum / count, visibleShare: total === 0 ? 0 : count / total };
}

/** Share of the window around a pip that glare may cover for its centre to be found. */
const hiddenWindowShareMax = 0.5;

/** Where a pip near a place really lies: the centre of mass of the map's upper half in a window around it, in edges; null when the window
 *  shows no pip or glare covers more than half of it. Of a pip partly under glare the centre of mass of what is seen is brought together with
 *  that of the same part of a whole disc. @param pipRadius in edges. */
export function pipCentre(
  map: PipMap,
  hidden: Uint8Array,
  u: number,
  v: number,
  pipRadius: number,
): readonly [number, number] | null {
  let centreX = patchPx(u);
  let centreY = patchPx(v);
  const [reach, disc] = [(1.45 * pipRadius * patchEdgePx) ** 2, (pipRadius * patchEdgePx) ** 2];
  const side = Math.sqrt(reach);
  for (let pass = 0; pass < pipPasses; pass += 1) {
    let sum = 0;
    let sumX = 0;
    let sumY = 0;
    let total = 0;
    let hiddenCount = 0;
    let discCount = 0;
    let discX = 0;
    let discY = 0;
    const left = Math.max(0, Math.ceil(centreX - side));
    const right = Math.min(patchSidePx - 1, Math.floor(centreX + side));
    const bottom = Math.min(patchSidePx - 1, Math.floor(centreY + side));
    for (let y = Math.max(0, Math.ceil(centreY - side)); y <= bottom; y += 1) {
      for (let x = left; x <= right; x += 1) {
        const dx = x - centreX;
        const dy = y - centreY;
        const square = dx * dx + dy * dy;
        if (square > reach) continue;
        total += 1;
        const i = y * patchSidePx + x;
        if (hidden[i] === 1) {
          hiddenCount += 1;
          continue;
        }
        if (square <= disc) {
          discCount += 1;
          discX += dx;
          discY += dy;
        }
        const weight = Math.max(0, (map[i] as number) - 0.35);
        sum += weight;
        sumX += weight * x;
        sumY += weight * y;
      }
    }
    if (sum < 0.08 * (total - hiddenCount) || hiddenCount > hiddenWindowShareMax * total || discCount === 0) return null;
    if (hiddenCount === 0) {
      if (pass >= 3) break;
      centreX = sumX / sum;
      centreY = sumY / sum;
    } else {
      centreX = sumX / sum - discX / discCount;
      centreY = sumY / sum - discY / discCount;
    }
  }
  return [(centreX - (patchSidePx / 2 - 0.5)) / patchEdgePx, (centreY - (patchSidePx / 2 - 0.5)) / patchEdgePx];
}

/** Passes after which a pip's centre stands still to a hundredth of an edge, partly under glare too. */
const pipPasses = 6;

/** Directions in which a pip's border is probed; opposite ones are taken together. */
const borderDirections = 8;

/** See `pipSharpness`. */
export interface PipSharpness {
  /** Drop in the softest direction, about 0.4 to 0.7 on sharp pictures. */
  readonly softest: number;
  /** The softest direction over the sharpest: 1 for a lens out of focus, less for anything that moves. */
  readonly evenness: number;
}

/** Distance of a pip from the centre of the face, edges, from which a turn of the face moves it along the circle around that centre. */
const turnedFrom = 0.15;

/** How sharp the borders of pips are: the largest drop of the map over 3 px across the border, by direction, averaged over the pips; the
 *  softest direction counts, because motion blurs along one direction only. The direction around the centre of the face counts as one: a die that
 *  turns in place blurs along it. Null without visible pips. */
export function pipSharpness(
  map: PipMap,
  hidden: Uint8Array,
  centres: readonly (readonly [number, number])[],
  radius: number,
): PipSharpness | null {
  const axes: ((u: number, v: number) => number | null)[] = Array.from(
    { length: borderDirections / 2 },
    (_, axis) => () => (axis * 2 * Math.PI) / borderDirections,
  );
  for (const quarter of [0, Math.PI / 2])
    axes.push((u, v) => (Math.hypot(u, v) < turnedFrom ? null : Math.atan2(v, u) + quarter));
  let softest = Number.POSITIVE_INFINITY;
  let sharpest = 0;
  for (const axis of axes) {
    let [sum, count] = [0, 0];
    for (const [u, v] of centres) {
      const angle = axis(u, v);
      if (angle === null) continue;
      for (const way of [angle, angle + Math.PI]) {
        const drop = largestDrop(map, hidden, patchPx(u), patchPx(v), way, radius * patchEdgePx);
        if (drop === null) continue;
        sum += drop;
        count += 1;
      }
    }
    if (count === 0) continue;
    softest = Math.min(softest, sum / count);
    sharpest = Math.max(sharpest, sum / count);
  }
  return sharpest === 0 ? null : { softest, evenness: softest / sharpest };
}

function largestDrop(map: PipMap, hidden: Uint8Array, cx: number, cy: number, angle: number, radiusPx: number): number | null {
  const values: number[] = [];
  for (let reach = 0.4 * radiusPx; reach <= 1.7 * radiusPx + 3; reach += 0.5) {
    const [x, y] = [cx + Math.cos(angle) * reach, cy + Math.sin(angle) * reach];
    const [left, top] = [Math.floor(x), Math.floor(y)];
    if (left < 0 || top < 0 || left + 1 >= patchSidePx || top + 1 >= patchSidePx) break;
    const i = top * patchSidePx + left;
    if (hidden[i] === 1) return null;
    const [fx, fy] = [x - left, y - top];
    const upper = (map[i] ?? 0) * (1 - fx) + (map[i + 1] ?? 0) * fx;
    const lower = (map[i + patchSidePx] ?? 0) * (1 - fx) + (map[i + patchSidePx + 1] ?? 0) * fx;
    values.push(upper * (1 - fy) + lower * fy);
  }
  let drop = 0;
  for (let k = 0; k + 6 < values.length; k += 1) drop = Math.max(drop, (values[k] ?? 0) - (values[k + 6] ?? 0));
  return values.length < 8 ? null : drop;
}
