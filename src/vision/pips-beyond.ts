import { type DiePose, toFace } from './die-pose.ts';
import type { ReducedMaps } from './reduced-maps.ts';
import type { RigView } from './rig.ts';

/** Answer of the pip filter from which a place is a round pip on a body. Pips of calibrated dice answer with 0.8 to 1; pips of a side face, which are
 *  seen as lines, stay below 0.6. */
const answerMin = 0.7;
/** A pip whose centre lies within this distance from the middle lines of a face can be one of its own, edges: outer pips lie at 0.23 to 0.31. */
const ownReach = 0.41;
/** A shaded floor is never brighter than the empty one by this factor and these grey levels in any channel; dark gaps between light dice look like dark
 *  pips, so that only pips brighter than the floor are counted. */
const brighterFactor = 1.2;
const brighterBy = 16;
/** Distance from a face's centre up to which a pip belongs to the same die if it belongs to none that was found, edges: the diagonal of a 4 is 0.75. */
const nearReach = 0.85;

/** How many round light pips lie around a face that are on no found face. A pip of a 4 or of a 2 looks like a 1 when the die has the colour of the floor and
 *  no square tells where it ends; but then the other pips of the same die lie beside it.
 *  @param dice all found faces. @param index the one that is looked at. */
export function pipsBeyondFace(maps: ReducedMaps, view: RigView, dice: readonly DiePose[], index: number): number {
  const { pips, glare, width, height } = maps;
  const { rect, scale } = view;
  const face = dice[index] as DiePose;
  const [cx, cy] = [(face.x - rect.x + 0.5) * scale - 0.5, (face.y - rect.y + 0.5) * scale - 0.5];
  const reach = nearReach * face.edgePx * scale;
  let count = 0;
  for (let y = Math.max(1, Math.ceil(cy - reach)); y <= Math.min(height - 2, Math.floor(cy + reach)); y += 1) {
    for (let x = Math.max(1, Math.ceil(cx - reach)); x <= Math.min(width - 2, Math.floor(cx + reach)); x += 1) {
      const i = y * width + x;
      const answer = pips[i] as number;
      if (answer < answerMin || glare[i] === 1 || Math.hypot(x - cx, y - cy) > reach) continue;
      if (!isPeak(pips, width, i, answer) || !isBrighterThanFloor(maps, i)) continue;
      const [px, py] = [rect.x + (x + 0.5) / scale - 0.5, rect.y + (y + 0.5) / scale - 0.5];
      if (dice.some((die) => Math.max(...toFace(die, px, py).map(Math.abs)) < ownReach)) continue;
      count += 1;
    }
  }
  return count;
}

function isBrighterThanFloor({ picture, floor }: ReducedMaps, pixel: number): boolean {
  for (let k = 3 * pixel; k < 3 * pixel + 3; k += 1) {
    if ((picture.data[k] as number) > brighterFactor * (floor[k] as number) + brighterBy) return true;
  }
  return false;
}

/** Whether no neighbour answers more; of two that answer alike the first counts. */
function isPeak(pips: Float32Array, width: number, at: number, answer: number): boolean {
  for (const step of [1, width - 1, width, width + 1]) {
    if ((pips[at - step] as number) >= answer || (pips[at + step] as number) > answer) return false;
  }
  return true;
}
