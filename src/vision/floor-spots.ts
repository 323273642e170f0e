import type { ReducedMaps, ReducedTray } from './reduced-maps.ts';

/** What the floor looks like in the light of a picture. */
export type LitFloor = Pick<ReducedMaps, 'width' | 'height' | 'picture' | 'floor' | 'lighting'>;

/** Distances, edges of a die, at which the floor around a px is looked at: spots of up to about twice as much are found, from a crumb of 3 mm to a sticker of 10. */
const reachEdges = [0.14, 0.25, 0.4];
/** Directions of which all but one must show floor. */
const looksMin = 7;
/** Difference to the floor all around from which a px is a spot, grey levels, and as a share of the floor's brightness. Shade and texture stay below it: of 168 throws
 *  of flat dice on seven rigs, and 140 with a lamp out, two were refused for it, and 104 of 109 coins, crumbs and stickers that passed for shade before were found. */
const spotLevels = 4;
const spotShare = 0.04;
/** Share of that difference to its own floor below which a px is not looked at: most of the tray. */
const lookedAtShare = 0.75;

/** Marks in `strange` what differs from its own floor otherwise than the floor all around it does: light and shade change slowly or along a line, a crumb, a sticker or
 *  a coin is another thing on every side. Shade explains nothing here, because the spot is compared with the shade around it.
 *  @param bodies 1 where a die's body lies; nothing is known there, nor under glare. */
export function markFloorSpots(maps: LitFloor, tray: ReducedTray, bodies: Uint8Array, strange: Uint8Array): void {
  const { width, height, floor } = maps;
  const { insideTray, glare, edgePx } = tray;
  const { data } = maps.picture;
  const usable = new Uint8Array(width * height);
  const places: number[] = [];
  for (let i = 0, j = 0; i < usable.length; i += 1, j += 3) {
    if (insideTray[i] !== 1 || glare[i] === 1 || bodies[i] === 1) continue;
    usable[i] = 1;
    if (strange[i] === 1) continue;
    for (let c = j; c < j + 3; c += 1) {
      const level = floor[c] as number;
      if (Math.abs((data[c] as number) - level) < lookedAtShare * (spotLevels + spotShare * level)) continue;
      places.push(i);
      break;
    }
  }
  for (const edges of reachEdges) {
    const reach = Math.round(edges * edgePx);
    const slant = Math.round(edges * edgePx * Math.SQRT1_2);
    const steps = [1, width, -1, -width].map((step) => step * reach);
    for (const step of [1 + width, width - 1, -1 - width, 1 - width]) steps.push(step * slant);
    // The tray lies farther from the border of the reduced picture than any reach.
    for (const i of places) if (isSpot(i, steps, usable, data, floor)) strange[i] = 1;
  }
}

/** Whether one channel of a px is darker, or brighter, than at all places `steps` away from it, each in shares of its own floor. */
function isSpot(i: number, steps: readonly number[], usable: Uint8Array, data: Uint8Array, floor: Float32Array): boolean {
  for (let j = 3 * i; j < 3 * i + 3; j += 1) {
    const level = floor[j] as number;
    const limit = (spotLevels + spotShare * level) / (level + spotLevels);
    const ratio = ((data[j] as number) + spotLevels) / (level + spotLevels);
    let [looks, sign] = [0, 0];
    for (const step of steps) {
      if (usable[i + step] !== 1) continue;
      const k = j + 3 * step;
      const difference = ((data[k] as number) + spotLevels) / ((floor[k] as number) + spotLevels) - ratio;
      if (sign === 0) sign = Math.sign(difference);
      if (sign * difference < limit) {
        looks = 0;
        break;
      }
      looks += 1;
    }
    if (looks >= looksMin) return true;
  }
  return false;
}
