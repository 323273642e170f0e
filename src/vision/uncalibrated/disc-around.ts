import type { DieBody } from './body-edges.ts';
import { type Plane, valueAt } from './plane.ts';

const rays = Array.from({ length: 32 }, (_, k) => [Math.cos((k * Math.PI) / 16), Math.sin((k * Math.PI) / 16)] as const);
/** Share of the rays that must show the step, in the same direction. A square of the same size shows it on a third of them. */
const coverageMin = 0.8;
/** Edge of the square that stands for a disc, radii: its pips then lie as far off the centre lines as on a square face. */
const edgePerRadius = 1.65;

/** Looks for the round top face of a die that is a cube cut from a ball, or for the round field in which some dice carry their pips.
 *  @param edgeRangePx edges of the square that stands for the disc. @param stepMin least brightness step, grey levels. */
export function discAround(
  planes: readonly Plane[],
  { x, y, angle }: { readonly x: number; readonly y: number; readonly angle: number },
  [min, max]: readonly [number, number],
  stepMin: number,
): DieBody | null {
  let best: DieBody | null = null;
  for (let radius = min / edgePerRadius; radius <= max / edgePerRadius; radius += Math.max(0.7, min / 60)) {
    const reach = Math.max(1.5, 0.05 * radius);
    for (const plane of planes) {
      const steps = rays.map(
        ([cos, sin]) =>
          valueAt(plane, x + cos * (radius + reach), y + sin * (radius + reach)) -
          valueAt(plane, x + cos * (radius - reach), y + sin * (radius - reach)),
      );
      const [up, down] = [steps.filter((step) => step >= stepMin).length, steps.filter((step) => step <= -stepMin).length];
      if (Math.max(up, down) < coverageMin * rays.length) continue;
      const meanStep = Math.abs(steps.reduce((sum, step) => sum + step, 0)) / rays.length;
      if (best !== null && meanStep <= best.meanStep) continue;
      const weakestStep = Math.min(...[0, 1, 2, 3].map((quarter) => meanOf(steps.slice(8 * quarter, 8 * quarter + 8))));
      best = { outline: 'disc', pose: { x, y, angle, edgePx: edgePerRadius * radius }, weakestStep, meanStep };
    }
  }
  return best;
}

function meanOf(values: readonly number[]): number {
  return Math.abs(values.reduce((sum, value) => sum + value, 0)) / values.length;
}
