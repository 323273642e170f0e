import type { DiePose } from './die-pose.ts';
import { type FacePatch, haloMask, patchEdgePx, patchPx, patchSidePx } from './face-patch.ts';
import { stepsOf } from './outline-steps.ts';
import { type BodyModel, bodyLogit, bodyTermCount, bodyTerms } from './side-faces.ts';
import { bottomPose, type TrayGeometry } from './tray-geometry.ts';

/** What lies beyond one edge of a top face, column by column outwards; columns are px of the patch. */
export interface SideView {
  /** Per column from `firstColumn` outwards, how much its px speak for the die (above 0) or for the floor (below 0), as logarithm of the odds; 0 where nothing is seen. */
  readonly evidence: Float32Array;
  /** Per column, what colour alone says of the same. */
  readonly colours: Float32Array;
  /** Per column, variance that the empty floor in this light leaves unexplained, squared grey levels; -1 where nothing is seen. */
  readonly residual: Float32Array;
  /** Per column, the step of colour at its near border; see `stepsOf`. */
  readonly steps: Float32Array;
  /** Width, edges, up to which anything is seen: a neighbour's body, the tray's wall or the end of the patch hides the rest. */
  readonly room: number;
  /** Distance to the nearest px of a neighbour or of the wall beyond the whole length of the edge, edges; `sideReach` when there is none. */
  readonly nearestDie: number;
  readonly nearestWall: number;
  /** False when glare or a neighbour leaves fewer than `columnCountMin` columns. */
  readonly isSeen: boolean;
}

/** Columns looked at, px of the patch from the assumed edge of the top face: inwards as far as a lean of 40° shortens the face, outwards to the end
 *  of the patch. A die that leans by 8° shows 9 px more than a flat one. */
export const firstColumn = -8;
const lastColumn = 19;
export const columnCount = lastColumn - firstColumn + 1;
/** Width of the outer part, edges. */
export const sideReach = (lastColumn + 1) / patchEdgePx;
const columnCountMin = 11;
/** Rows along the edge, px of the patch on either side of its middle: evidence keeps off the rounded corners, neighbours do not. */
const halfRows = 19;
const halfEdgeRows = 31;
/** Distance of the farthest px looked at from the face's centre, edges. */
const viewRadius = Math.hypot(0.5 + sideReach, 0.5);
/** Fewest visible px of a column. */
const rowCountMin = 14;
/** One px in this many is independent of the others as far as texture goes, because the patch is resampled and the picture compressed. */
const textureShare = 0.25;
/** Scratches and dust on the dome lie over dice and floor alike, as the halo of glare does: they are no texture of the floor. They stand out of it by
 *  more than this many times its mean size, where 2 % of an even texture do. */
const scratchFrom = 3;
/** Columns between two dice that are dark whatever stands there. Rows that look into such a gap are left out when others remain. */
const gapColumns = Math.round(0.2 * patchEdgePx);
/** A column's vote is limited: pips on a side face, dirt and reflections are no stronger than this. */
const colourVoteMax = 4;
const textureVoteMax = 6;
/** Where colour is decided and to be trusted: dust and scratches on the dome, which lie over the die too, pass for the floor's texture. */
const overruledVoteMax = 1;
/** Light on the floor beside a die over that of the empty floor. */
const shadeMin = 0.25;
const shadeMax = 1.2;
/** Grey levels above that light from which a px is no floor, and its vote. */
const brighterBy = 16;
const brighterVote = 2;

/** Views the surroundings of a top face on all four sides, in the order +u, +v, -u, -v. Two properties tell die from floor: colour, by the body
 *  model, and the floor's own texture, which the empty picture shows at the very same px and a side face does not have.
 *  @param others poses of the other dice, whose bodies end the view. @param gain factor of the light at this die.
 *  @param floorNoise variance of (picture - empty picture) on bare floor, squared grey levels. */
export function viewSides(
  patch: FacePatch,
  geometry: TrayGeometry,
  model: BodyModel,
  others: readonly DiePose[],
  gain: readonly number[],
  floorNoise: number,
): SideView[] {
  const near = others.filter((other) => Math.hypot(other.x - patch.pose.x, other.y - patch.pose.y) < 2.2 * patch.pose.edgePx);
  const bodies = near.flatMap((other) => {
    const bottom = bottomPose(geometry, other);
    return [0, 0.33, 0.67, 1].map((share) =>
      outlineOf({
        x: other.x + share * (bottom.x - other.x),
        y: other.y + share * (bottom.y - other.y),
        angle: other.angle,
        edgePx: (other.edgePx + share * (bottom.edgePx - other.edgePx)) * (1.01 + 2 * geometry.bevelEdges),
      }),
    );
  });
  const halo = haloMask(patch);
  return [0, 1, 2, 3].map((side) => viewSide(patch, geometry, model, bodies, gain, floorNoise, halo, side));
}

function viewSide(
  patch: FacePatch,
  geometry: TrayGeometry,
  model: BodyModel,
  bodies: readonly Outline[],
  gain: readonly number[],
  floorNoise: number,
  halo: Uint8Array,
  side: number,
): SideView {
  const [nx, ny] = [Math.round(Math.cos((side * Math.PI) / 2)), Math.round(Math.sin((side * Math.PI) / 2))];
  const { pose, hidden } = patch;
  const [cos, sin] = [Math.cos(pose.angle) * pose.edgePx, Math.sin(pose.angle) * pose.edgePx];
  const [centreX, centreY] = geometry.centrePx;
  for (const column of columns) clearColumn(column);
  let [roomSum, rowCount, nearestDie, nearestWall] = [0, 0, lastColumn + 1, lastColumn + 1];
  // Nothing can end the view of a die far from the wall with no neighbour, which is most of them.
  const fromCentre = Math.hypot(pose.x - centreX, pose.y - centreY);
  const mayEnd = bodies.length > 0 || fromCentre + viewRadius * pose.edgePx > geometry.radiusPx;
  rooms.fill(lastColumn + 1);
  let openCount = mayEnd ? 0 : 2 * halfRows + 1;
  for (let row = -halfEdgeRows; mayEnd && row <= halfEdgeRows; row += 1) {
    for (let d = 0; d <= lastColumn; d += 1) {
      const reach = 0.5 + (d + 0.5) / patchEdgePx;
      const u = nx * reach - (ny * row) / patchEdgePx;
      const v = ny * reach + (nx * row) / patchEdgePx;
      const px = pose.x + cos * u - sin * v;
      const py = pose.y + sin * u + cos * v;
      const isBeyondWall = (px - centreX) ** 2 + (py - centreY) ** 2 > geometry.radiusPx ** 2;
      const isOnDie = !isBeyondWall && isInsideAny(bodies, px, py);
      if (isBeyondWall) nearestWall = Math.min(nearestWall, d);
      if (isOnDie) nearestDie = Math.min(nearestDie, d);
      if (!isBeyondWall && !isOnDie) continue;
      rooms[row + halfEdgeRows] = d;
      break;
    }
    if (Math.abs(row) <= halfRows && (rooms[row + halfEdgeRows] as number) > gapColumns) openCount += 1;
  }
  const isGapLeftOut = openCount >= rowCountMin;
  // Columns are whole px of the patch apart, so that one step leads from each to the next.
  const nearReach = 0.5 + (firstColumn + 0.5) / patchEdgePx;
  const step = ny * patchSidePx + nx;
  for (let row = -halfRows; row <= halfRows; row += 1) {
    const room = rooms[row + halfEdgeRows] as number;
    if (isGapLeftOut && room <= gapColumns) continue;
    const u = nx * nearReach - (ny * row) / patchEdgePx;
    const v = ny * nearReach + (nx * row) / patchEdgePx;
    let index = Math.round(patchPx(v)) * patchSidePx + Math.round(patchPx(u));
    const end = Math.min(room, lastColumn + 1);
    for (let d = firstColumn; d < end; d += 1, index += step)
      if (hidden[index] !== 1) addPixel(columns[d - firstColumn] as Column, patch, index, row, gain, model, halo[index] === 1);
    roomSum += room;
    rowCount += 1;
  }
  const room = roomSum / rowCount / patchEdgePx;
  const evidence = new Float32Array(columnCount);
  const colours = new Float32Array(columnCount);
  const residual = new Float32Array(columnCount).fill(-1);
  let seenCount = 0;
  means.fill(Number.NaN);
  for (let d = 0; d < columnCount; d += 1) {
    const column = columns[d] as Column;
    const beyond = (d + firstColumn + 0.5) / patchEdgePx;
    if (column.seenCount < rowCountMin || beyond > Math.max(0, room - 0.02)) continue;
    const { vote, colour, unexplained } = judgeColumn(column, floorNoise, model.trust);
    evidence[d] = vote;
    colours[d] = colour;
    residual[d] = unexplained;
    for (let c = 0; c < 3; c += 1) means[3 * d + c] = (column.sums[c] as number) / column.seenCount / (gain[c] as number);
    seenCount += 1;
  }
  return {
    evidence,
    colours,
    residual,
    steps: stepsOf(means),
    room,
    nearestDie: nearestDie / patchEdgePx,
    nearestWall: nearestWall / patchEdgePx,
    isSeen: seenCount >= columnCountMin,
  };
}

/** Where the view of each row ends, columns. */
const rooms = new Float64Array(2 * halfEdgeRows + 1);

/** What a column collects: its visible px in the order of their rows. */
interface Column {
  /** Px in view. */
  seenCount: number;
  /** Those of them that tell the floor's texture. */
  count: number;
  /** Grey level in the picture, and of the empty floor in the picture's light. */
  readonly seen: Float64Array;
  readonly floor: Float64Array;
  /** Sums of blue, green and red over the px in view. */
  readonly sums: Float64Array;
  logitCount: number;
  /** Votes of the colours, smallest first. */
  readonly logits: Float64Array;
}

/** Memory of the side at hand: filled again for every side of every die, because as many lists of numbers a picture take 2 ms to allocate. */
const columns: readonly Column[] = Array.from({ length: columnCount }, () => ({
  seenCount: 0,
  count: 0,
  seen: new Float64Array(2 * halfRows + 1),
  floor: new Float64Array(2 * halfRows + 1),
  sums: new Float64Array(3),
  logitCount: 0,
  logits: new Float64Array(2 * halfRows + 1),
}));
const terms = new Float64Array(bodyTermCount);
/** Mean colours of the columns of the side at hand. */
const means = new Float64Array(3 * columnCount);

function clearColumn(column: Column): void {
  column.seenCount = 0;
  column.sums.fill(0);
  column.count = 0;
  column.logitCount = 0;
}

function addPixel(
  column: Column,
  patch: FacePatch,
  index: number,
  row: number,
  gain: readonly number[],
  model: BodyModel,
  isInHalo: boolean,
): void {
  const picture = patch.picture.data;
  const reference = patch.reference.data;
  const at = 3 * index;
  const blue = picture[at] as number;
  const green = picture[at + 1] as number;
  const red = picture[at + 2] as number;
  const { sums } = column;
  column.seenCount += 1;
  sums[0] = (sums[0] as number) + blue;
  sums[1] = (sums[1] as number) + green;
  sums[2] = (sums[2] as number) + red;
  // Neighbouring px are blurred into each other: every second one tells the colour.
  if ((row & 1) === 0) {
    bodyTerms(picture, reference, at, gain, terms);
    const logit = bodyLogit(model, terms);
    addInOrder(column, isBrighterThanFloor(picture, reference, at, gain) ? Math.max(brighterVote, logit) : logit);
  }
  if (isInHalo) return;
  column.seen[column.count] = (blue + green + red) / 3;
  column.floor[column.count] =
    ((reference[at] as number) * (gain[0] as number) +
      (reference[at + 1] as number) * (gain[1] as number) +
      (reference[at + 2] as number) * (gain[2] as number)) /
    3;
  column.count += 1;
}

function addInOrder(column: Column, logit: number): void {
  const { logits } = column;
  let place = column.logitCount;
  for (; place > 0 && (logits[place - 1] as number) > logit; place -= 1) logits[place] = logits[place - 1] as number;
  logits[place] = logit;
  column.logitCount += 1;
}

/** Beside a die the floor gets less light, never much more: whatever is brighter in any channel is a die, whatever the body model, which has not
 *  seen every reflection, makes of it. */
function isBrighterThanFloor(picture: Uint8Array, reference: Uint8Array, at: number, gain: readonly number[]): boolean {
  for (let c = 0; c < 3; c += 1) {
    const floor = (reference[at + c] as number) * (gain[c] as number);
    if ((picture[at + c] as number) > shadeMax * floor + brighterBy) return true;
  }
  return false;
}

/** Sum of the votes of colour and texture of one column, and what the floor leaves unexplained. */
function judgeColumn(
  column: Column,
  floorNoise: number,
  trust: number,
): { readonly vote: number; readonly colour: number; readonly unexplained: number } {
  const { count: n, seen, floor } = column;
  // The median, because pips on a side face cover less than half of a column.
  const median = column.logitCount === 0 ? 0 : (column.logits[column.logitCount >> 1] as number);
  const colour = Math.max(-colourVoteMax, Math.min(colourVoteMax, median));
  const shade = Math.max(shadeMin, Math.min(shadeMax, meanOf(seen, n) / Math.max(1, meanOf(floor, n))));
  // What changes slowly along the edge is light, not texture.
  removeLight(seen, n);
  removeLight(floor, n);
  let size = 0;
  for (let k = 0; k < n; k += 1) size += Math.abs(floor[k] as number) / n;
  let [ss, ff, sf, kept] = [0, 0, 0, 0];
  for (let k = 0; k < n; k += 1) {
    const s = seen[k] as number;
    const f = floor[k] as number;
    if (Math.abs(f) > scratchFrom * size) continue;
    kept += 1;
    ss += s * s;
    ff += f * f;
    sf += s * f;
  }
  if (kept < rowCountMin) return { vote: colour, colour, unexplained: -1 };
  [ss, ff, sf] = [ss / kept, ff / kept, sf / kept];
  // How much variance the floor's own texture explains, over that of the noise; strong structure of other origin counts as noise too.
  const explained = 2 * shade * sf - shade * shade * ff;
  const floorVote = ((kept * textureShare) / 2) * (explained / (floorNoise + 0.15 * Math.max(0, ss - ff)));
  const textureMost = textureVoteMax - (textureVoteMax - overruledVoteMax) * trust * (colour / colourVoteMax) ** 2;
  return { vote: colour - Math.max(-textureMost, Math.min(textureMost, floorVote)), colour, unexplained: ss - explained };
}

/** Reach of light, rows: what changes over more than this to either side is a shadow or the curve of a wall, what changes within is texture. */
const lightReach = 6;
const runningSums = new Float64Array(2 * halfRows + 2);

/** Takes the mean of the rows around each of the first `n` values out of it. */
function removeLight(values: Float64Array, n: number): void {
  for (let k = 0; k < n; k += 1) runningSums[k + 1] = (runningSums[k] as number) + (values[k] as number);
  for (let k = 0; k < n; k += 1) {
    const reach = Math.min(lightReach, k, n - 1 - k);
    values[k] =
      (values[k] as number) - ((runningSums[k + reach + 1] as number) - (runningSums[k - reach] as number)) / (2 * reach + 1);
  }
}

function meanOf(values: Float64Array, n: number): number {
  let sum = 0;
  for (let k = 0; k < n; k += 1) sum += values[k] as number;
  return sum / n;
}

/** A square made ready for the question whether a place lies in it; see `toFace`. */
interface Outline {
  readonly x: number;
  readonly y: number;
  readonly cos: number;
  readonly sin: number;
}

function outlineOf({ x, y, angle, edgePx }: DiePose): Outline {
  return { x, y, cos: Math.cos(angle) / edgePx, sin: Math.sin(angle) / edgePx };
}

function isInsideAny(outlines: readonly Outline[], x: number, y: number): boolean {
  for (const outline of outlines) {
    const dx = x - outline.x;
    const dy = y - outline.y;
    if (Math.abs(outline.cos * dx + outline.sin * dy) < 0.5 && Math.abs(outline.cos * dy - outline.sin * dx) < 0.5) return true;
  }
  return false;
}
