import { toFace } from '../die-pose.ts';
import { bodyAround } from './body-edges.ts';
import { discAround } from './disc-around.ts';
import type { SeenFace } from './found-faces.ts';
import type { Plane } from './plane.ts';
import type { RoundSpot } from './round-spots.ts';

/** Edge of a strange body over that of the smallest and of the largest die. */
const edgeShares = [0.6, 1.6] as const;
/** The outline is looked for at this share of the edge that the region's area gives: rounded corners and side faces change it. */
const outlineShares = [0.85, 1.25] as const;
/** Share of the region's contrast that its four edges must show; least step, grey levels. */
const stepShare = 0.4;
const stepMin = 5;
/** A region whose centre lies within this distance of a die's centre along its axes is the die, its face or its sides, edges. */
const ownMax = 0.65;
const angleStepDeg = 5;

/** A body with four straight edges (a coin or a knob has a round one), of the size of the dice, that is none of them: perhaps a die whose pips cannot be seen. */
export function strangeBody(planes: readonly Plane[], bodies: readonly RoundSpot[], dice: readonly SeenFace[]): RoundSpot | null {
  const edges = dice.map(({ body }) => body.pose.edgePx);
  for (const body of bodies) {
    const edge = body.diameterPx * (Math.sqrt(Math.PI) / 2);
    if (edge < edgeShares[0] * Math.min(...edges) || edge > edgeShares[1] * Math.max(...edges)) continue;
    if (dice.some((die) => isOwn(body, die))) continue;
    const step = Math.max(stepMin, stepShare * body.contrast);
    const range = [outlineShares[0] * edge, outlineShares[1] * edge] as const;
    const disc = discAround(planes, { x: body.x, y: body.y, angle: 0 }, range, step);
    for (let deg = 0; deg < 90; deg += angleStepDeg) {
      const square = bodyAround(planes, { x: body.x, y: body.y, angle: (deg * Math.PI) / 180 }, range, step);
      if (square !== null && (disc === null || square.meanStep > disc.meanStep)) return body;
    }
  }
  return null;
}

function isOwn(body: RoundSpot, { body: { pose } }: SeenFace): boolean {
  const [u, v] = toFace(pose, body.x, body.y);
  return Math.max(Math.abs(u), Math.abs(v)) < ownMax;
}
