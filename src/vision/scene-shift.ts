import { type RollArcs, rollArcsOf } from './camera-roll.ts';
import { solveLinear } from './lighting.ts';
import type { Picture } from './picture.ts';
import type { RigView } from './rig.ts';
import type { TrayGeometry } from './tray-geometry.ts';

/** How the fixed things in a picture (floor's edge, rim, what lies around the tray) stand against those of the calibration. */
export type SceneShift =
  | {
      readonly kind: 'found';
      /** Shift of the tray's middle, px of the whole picture to the right and down. */
      readonly shiftPx: readonly [number, number];
      /** How much farther out the rim appears, px of the whole picture: a camera that came nearer. */
      readonly growthPx: number;
      /** Largest displacement that follows anywhere at the rim, edges of a die. */
      readonly displacementEdges: number;
    }
  /** So little of the rim is found again, or agrees, that this is not the calibrated scene, or something large covers it. */
  | { readonly kind: 'lost' }
  /** The calibration shows too little structure around the tray. */
  | { readonly kind: 'unknown' };

/** Directions in which the rim is looked at; dice, hands and shadows spoil some. */
const directionCount = 48;
/** Part of a ray that is compared, shares of the tray's radius: the floor's edge, wall, rim and what is around it. */
const innerShare = 0.88;
const outerShare = 1.17;
/** Samples per px of the reduced picture. */
const samplesPerPx = 2;
/** Farthest displacement looked for, px of the reduced picture: 4 to 5 % of the picture's height. Where a ray is found for certain nearby, as in a
 *  scene that nobody touched, no farther one is tried. */
const reachPx = 12;
const nearPx = 3;
const certainMatch = 0.85;
/** Added to brightness before the logarithm, grey levels: below it there is more noise than picture. */
const darkLevel = 10;
/** Correlation from which a ray is found again. */
const matchMin = 0.6;
/** Weakest structure of a ray that tells anything: mean square of the logarithm's step per sample. */
const structureMin = 2e-5;
/** Share of the rays with structure that must be found again and agree on one displacement. */
const agreeingShareMin = 0.35;
/** Scatter of a ray's displacement, px of the reduced picture. */
const rayScatterPx = 0.35;

/** A displacement of the rim from which the calibration does not hold any more, edges of a die: 2 px of 70. Floor texture and outlines are compared
 *  with the calibration's to about a px. Seventeen rigs that nobody touched stay below 0.005, with a failed lamp, in the dark, with dice at the wall
 *  and a hand in the picture. */
export const displacementEdgesMax = 0.03;

/** Whether the calibration does not hold for this scene any more. */
export function isSceneChanged(shift: SceneShift): boolean {
  return shift.kind === 'lost' || (shift.kind === 'found' && shift.displacementEdges > displacementEdgesMax);
}

/** Rays of the calibration's empty picture, made ready. */
export interface SceneRays {
  readonly rays: readonly Ray[];
  readonly edgePx: number;
  readonly scale: number;
  /** The floor's own pattern, for a camera that turns about its axis: the rim is round and does not tell it. */
  readonly roll: RollArcs;
}

interface Ray {
  readonly cos: number;
  readonly sin: number;
  /** First sample, px of the reduced picture; the others follow outwards. */
  readonly startX: number;
  readonly startY: number;
  readonly steps: Float32Array;
  /** Square sum of the steps about their mean. */
  readonly energy: number;
}

/** Prepares the comparison. @param view the calibrated view; @param geometry in px of the whole picture. */
export function sceneRaysOf(view: RigView, geometry: TrayGeometry): SceneRays {
  const { reference } = view.tray;
  const centreX = (geometry.centrePx[0] - view.rect.x) * view.scale - 0.5;
  const centreY = (geometry.centrePx[1] - view.rect.y) * view.scale - 0.5;
  const radius = geometry.radiusPx * view.scale;
  const rays: Ray[] = [];
  for (let k = 0; k < directionCount; k += 1) {
    const angle = (2 * Math.PI * k) / directionCount;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const inner = innerShare * radius;
    // A ray ends where the picture does.
    const room = Math.min(
      outerShare * radius,
      cos > 0 ? (reference.width - 2 - centreX) / cos : (1 - centreX) / Math.min(-1e-9, cos),
      sin > 0 ? (reference.height - 2 - centreY) / sin : (1 - centreY) / Math.min(-1e-9, sin),
    );
    const count = Math.floor((room - inner) * samplesPerPx);
    if (count < 8 * samplesPerPx) continue;
    const [startX, startY] = [centreX + inner * cos, centreY + inner * sin];
    const steps = stepsAlong(reference, startX, startY, cos, sin, count);
    const energy = energyOf(steps, 0, steps.length);
    if (energy < structureMin * count) continue;
    rays.push({ cos, sin, startX, startY, steps, energy });
  }
  return { rays, edgePx: geometry.edgePx, scale: view.scale, roll: rollArcsOf(view, geometry) };
}

/** Finds the displacement of the fixed scene in a reduced picture of the calibrated view. About 0.5 ms. Light that changes does not matter: only
 *  where brightness steps is compared, and each ray by itself. */
export function sceneShiftOf(scene: SceneRays, picture: Picture): SceneShift {
  const { rays, edgePx, scale } = scene;
  if (rays.length < directionCount / 4) return { kind: 'unknown' };
  const found = rays.flatMap((ray) => {
    const displacement = displacementOf(ray, picture);
    return displacement === null ? [] : [{ ray, displacement }];
  });
  if (found.length < agreeingShareMin * rays.length) return { kind: 'lost' };
  // Each ray tells the displacement along itself: right, down and outward make it up.
  let fit: readonly number[] = [0, 0, medianOf(found.map(({ displacement }) => displacement))];
  const off = (ray: Ray, displacement: number): number =>
    displacement - (fit[0] ?? 0) * ray.cos - (fit[1] ?? 0) * ray.sin - (fit[2] ?? 0);
  for (let pass = 0; pass < 12; pass += 1) {
    const scatter = rayScatterPx * Math.max(1, 8 - pass);
    const rows = [
      [1e-3, 0, 0, 0],
      [0, 1e-3, 0, 0],
      [0, 0, 1e-3, 0],
    ];
    for (const { ray, displacement } of found) {
      const weight = 1 / (1 + (off(ray, displacement) / scatter) ** 2) ** 2;
      const terms = [ray.cos, ray.sin, 1, displacement];
      for (let i = 0; i < 3; i += 1)
        for (let j = 0; j < 4; j += 1)
          (rows[i] as number[])[j] = (rows[i]?.[j] ?? 0) + weight * (terms[i] ?? 0) * (terms[j] ?? 0);
    }
    fit = solveLinear(rows);
  }
  const agreeing = found.filter(({ ray, displacement }) => Math.abs(off(ray, displacement)) < 2 * rayScatterPx).length;
  if (agreeing < agreeingShareMin * rays.length) return { kind: 'lost' };
  const [dx = 0, dy = 0, growth = 0] = fit.map((value) => value / scale);
  return {
    kind: 'found',
    shiftPx: [dx, dy],
    growthPx: growth,
    displacementEdges: (Math.hypot(dx, dy) + Math.abs(growth)) / edgePx,
  };
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** A ray is looked at in two lines on either side of it, at this distance, px of the reduced picture. */
const besidePx = 0.6;

/** Steps of the logarithm of brightness from sample to sample, each over one px so that noise averages. */
function stepsAlong(picture: Picture, startX: number, startY: number, cos: number, sin: number, count: number): Float32Array {
  const levels = new Float32Array(count);
  for (let k = 0; k < count; k += 1) {
    const t = k / samplesPerPx;
    const x = startX + t * cos;
    const y = startY + t * sin;
    const sum =
      levelAt(picture, x + besidePx * sin, y - besidePx * cos) + levelAt(picture, x - besidePx * sin, y + besidePx * cos);
    levels[k] = Math.log(sum / 2 + darkLevel);
  }
  const steps = new Float32Array(count - samplesPerPx);
  for (let k = 0; k < steps.length; k += 1) steps[k] = (levels[k + samplesPerPx] as number) - (levels[k] as number);
  return steps;
}

/** Mean of the three channels between px, bilinear; the border beyond the picture's edge. */
function levelAt({ width, height, data }: Picture, x: number, y: number): number {
  const cx = Math.max(0, Math.min(width - 1.001, x));
  const cy = Math.max(0, Math.min(height - 1.001, y));
  const ix = Math.floor(cx);
  const iy = Math.floor(cy);
  const fx = cx - ix;
  const fy = cy - iy;
  const i = 3 * (iy * width + ix);
  const j = i + 3 * width;
  const above = grey(data, i) * (1 - fx) + grey(data, i + 3) * fx;
  const below = grey(data, j) * (1 - fx) + grey(data, j + 3) * fx;
  return (above * (1 - fy) + below * fy) / 3;
}

function grey(data: Uint8Array, i: number): number {
  return (data[i] as number) + (data[i + 1] as number) + (data[i + 2] as number);
}

function energyOf(steps: Float32Array, from: number, to: number): number {
  let [sum, square] = [0, 0];
  for (let k = from; k < to; k += 1) {
    sum += steps[k] as number;
    square += (steps[k] as number) ** 2;
  }
  return square - sum ** 2 / Math.max(1, to - from);
}

/** Displacement outwards at which a ray's steps fit best, px of the reduced picture; null where they are not found again. */
function displacementOf(ray: Ray, picture: Picture): number | null {
  const near = bestWithin(ray, picture, nearPx);
  const found = near.match >= certainMatch && near.displacement !== null ? near : bestWithin(ray, picture, reachPx);
  return found.match < matchMin ? null : found.displacement;
}

/** @returns null for the displacement where the best match lies at the end of what was looked at. */
function bestWithin(
  ray: Ray,
  picture: Picture,
  farthestPx: number,
): { readonly match: number; readonly displacement: number | null } {
  const reach = farthestPx * samplesPerPx;
  const count = ray.steps.length + samplesPerPx + 2 * reach;
  const now = stepsAlong(picture, ray.startX - farthestPx * ray.cos, ray.startY - farthestPx * ray.sin, ray.cos, ray.sin, count);
  const matches = new Float32Array(2 * reach + 1);
  let best = 0;
  for (let lag = 0; lag <= 2 * reach; lag += 1) {
    matches[lag] = correlation(ray, now, lag);
    if ((matches[lag] as number) > (matches[best] as number)) best = lag;
  }
  const match = matches[best] as number;
  if (best === 0 || best === 2 * reach) return { match, displacement: null };
  const [before, after] = [matches[best - 1] as number, matches[best + 1] as number];
  const bend = before - 2 * match + after;
  const part = bend >= 0 ? 0 : (0.5 * (before - after)) / bend;
  return { match, displacement: (best + part - reach) / samplesPerPx };
}

function correlation({ steps, energy }: Ray, now: Float32Array, lag: number): number {
  let product = 0;
  let sumThen = 0;
  let sumNow = 0;
  let squareNow = 0;
  const count = steps.length;
  for (let k = 0; k < count; k += 1) {
    const then = steps[k] as number;
    const value = now[k + lag] as number;
    product += then * value;
    sumThen += then;
    sumNow += value;
    squareNow += value * value;
  }
  const energyNow = squareNow - (sumNow * sumNow) / count;
  return (product - (sumThen * sumNow) / count) / Math.sqrt(Math.max(1e-9, energy * energyNow));
}
