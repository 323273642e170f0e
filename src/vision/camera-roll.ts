import type { Picture } from './picture.ts';
import type { RigView } from './rig.ts';
import type { TrayGeometry } from './tray-geometry.ts';

/** The floor's own pattern along circles about the tray's middle: it moves along them when the camera turns about its axis. A round rim does not tell it. */
export interface RollArcs {
  readonly arcs: readonly Arc[];
}

interface Arc {
  readonly centreX: number;
  readonly centreY: number;
  /** px of the reduced picture. */
  readonly radius: number;
  /** First sample, radians; the others follow in the direction of a clockwise turn in the picture. */
  readonly startRad: number;
  /** Levels less their mean, and their square sum. */
  readonly levels: Float32Array;
  readonly energy: number;
}

/** Places of the arcs: shares of the tray's radius, all on the floor, and directions. */
const radiusShares = [0.3, 0.45, 0.6, 0.74, 0.87] as const;
const directionCount = 16;
/** Length of an arc and distance of its samples, px of the reduced picture. */
const lengthPx = 26;
const samplePx = 0.5;
/** Farthest turn that is looked for, degrees. From 5 on nothing is read: the floor's pattern and the dice's sides are those of another place. */
const reachDeg = 4;
/** Correlation from which an arc is found again, arcs that must be, and share of them that must agree on one turn. Nine simulated rigs of every floor, turned by
 *  0.5 to 3 degrees, tell the turn within 0.2, with a failed lamp too; untouched, with a failed lamp, dark, with a hand or a coin they tell 0.00. */
const matchMin = 0.55;
const foundMin = 8;
const agreeingShareMin = 0.5;
/** Scatter of an arc's displacement, px of the reduced picture. */
const scatterPx = 0.5;
/** Turn from which the calibration does not hold, degrees: readings of a camera turned by 1 are right, from 2 on more and more throws are refused. */
export const rollDegMax = 0.75;

/** Added to brightness before the logarithm, grey levels. */
const darkLevel = 10;
/** Samples on either side whose mean is taken out of each: slow changes are light, not pattern. */
const slowSamples = 8;

/** Prepares the comparison. @param geometry in px of the whole picture. */
export function rollArcsOf({ rect, scale, tray: { reference } }: RigView, geometry: TrayGeometry): RollArcs {
  const centreX = (geometry.centrePx[0] - rect.x) * scale - 0.5;
  const centreY = (geometry.centrePx[1] - rect.y) * scale - 0.5;
  const arcs: Arc[] = [];
  const grey = greyOf(reference);
  for (const share of radiusShares) {
    const radius = share * geometry.radiusPx * scale;
    for (let k = 0; k < directionCount; k += 1) {
      const startRad = (2 * Math.PI * k) / directionCount - lengthPx / 2 / radius;
      const place = { centreX, centreY, radius, startRad };
      const levels = levelsAlong(grey, place, 0, Math.round(lengthPx / samplePx));
      arcs.push({ ...place, levels, energy: levels.reduce((sum, level) => sum + level * level, 0) });
    }
  }
  return { arcs };
}

/** How far the camera has turned about its axis, degrees clockwise in the picture; null where too little of the floor is found again to tell, as when the
 *  camera has moved otherwise. About 2 ms: for pictures that are refused anyway. */
export function cameraRollDeg({ arcs }: RollArcs, picture: Picture): number | null {
  const grey = greyOf(picture);
  const found = arcs.flatMap((arc) => {
    const displacementPx = displacementOf(arc, grey);
    return displacementPx === null ? [] : [{ radius: arc.radius, displacementPx }];
  });
  if (found.length < foundMin) return null;
  const turns = found.map(({ radius, displacementPx }) => displacementPx / radius).sort((a, b) => a - b);
  const turnRad = turns[turns.length >> 1] ?? 0;
  const agreeing = found.filter(({ radius, displacementPx }) => Math.abs(displacementPx - turnRad * radius) < scatterPx);
  if (agreeing.length < agreeingShareMin * found.length) return null;
  return (turnRad * 180) / Math.PI;
}

function displacementOf(arc: Arc, picture: GreyPicture): number | null {
  const reach = Math.ceil((arc.radius * reachDeg * Math.PI) / 180 / samplePx) + 1;
  const count = arc.levels.length;
  const now = levelsAlong(picture, arc, -reach, count + 2 * reach);
  let best = 0;
  const matches = new Float32Array(2 * reach + 1);
  for (let lag = 0; lag <= 2 * reach; lag += 1) {
    let [product, square] = [0, 0];
    for (let k = 0; k < count; k += 1) {
      const value = now[k + lag] as number;
      product += value * (arc.levels[k] as number);
      square += value * value;
    }
    matches[lag] = product / Math.sqrt(Math.max(1e-9, square * arc.energy));
    if ((matches[lag] as number) > (matches[best] as number)) best = lag;
  }
  if ((matches[best] as number) < matchMin || best === 0 || best === 2 * reach) return null;
  return (best - reach) * samplePx;
}

/** Logarithm of brightness along an arc, slow changes taken out. @param from first sample, counted from the arc's start. */
function levelsAlong(
  picture: GreyPicture,
  place: Pick<Arc, 'centreX' | 'centreY' | 'radius' | 'startRad'>,
  from: number,
  count: number,
): Float32Array {
  const raw = new Float32Array(count + 2 * slowSamples);
  for (let k = 0; k < raw.length; k += 1) {
    const angle = place.startRad + ((from - slowSamples + k) * samplePx) / place.radius;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    let sum = 0;
    for (const off of [-0.7, 0, 0.7])
      sum += levelAt(picture, place.centreX + (place.radius + off) * cos, place.centreY + (place.radius + off) * sin);
    raw[k] = Math.log(sum / 3 + darkLevel);
  }
  const levels = new Float32Array(count);
  let slow = 0;
  for (let k = 0; k < 2 * slowSamples + 1; k += 1) slow += raw[k] as number;
  for (let k = 0; k < count; k += 1) {
    levels[k] = (raw[k + slowSamples] as number) - slow / (2 * slowSamples + 1);
    slow += (raw[k + 2 * slowSamples + 1] ?? 0) - (raw[k] as number);
  }
  return levels;
}

/** One channel of a picture: the sum of the three. */
interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly levels: Float32Array;
}

function greyOf({ width, height, data }: Picture): GreyPicture {
  const levels = new Float32Array(width * height);
  for (let i = 0, j = 0; i < levels.length; i += 1, j += 3)
    levels[i] = ((data[j] as number) + (data[j + 1] as number) + (data[j + 2] as number)) / 3;
  return { width, height, levels };
}

/** Brightness between px, bilinear; the border beyond the picture's edge. */
function levelAt({ width, height, levels }: GreyPicture, x: number, y: number): number {
  const cx = Math.max(0, Math.min(width - 1.001, x));
  const cy = Math.max(0, Math.min(height - 1.001, y));
  const [ix, iy] = [Math.floor(cx), Math.floor(cy)];
  const [fx, fy] = [cx - ix, cy - iy];
  const i = iy * width + ix;
  const above = (levels[i] as number) * (1 - fx) + (levels[i + 1] as number) * fx;
  const below = (levels[i + width] as number) * (1 - fx) + (levels[i + width + 1] as number) * fx;
  return above * (1 - fy) + below * fy;
}
