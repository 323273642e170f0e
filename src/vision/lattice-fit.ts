import { type DiePose, toPicture } from './die-pose.ts';
import { type PipLayout, type PipSpread, pipPlace } from './pip-layouts.ts';

/** A pip that was found: its place in the layout's own frame (units of the pip offset) and where it lies on the assumed face, in edges. */
export interface FoundPip {
  readonly cell: number;
  readonly at: readonly [number, number];
}

/** The pose that the pips themselves give, and how well they form a lattice. */
export interface LatticeFit {
  readonly pose: DiePose;
  /** Spacing of the pips over the spacing expected on a flat die at this place; null with fewer than two pips. */
  readonly scale: number | null;
  /** Root mean square distance of the pips from the fitted square lattice, edges. 0 with one pip. */
  readonly residual: number;
  /** Shorter over longer axis of the lattice, which is the cosine of a lean; null unless four or more pips spread in both directions. */
  readonly squeeze: number | null;
}

/** Fits a square lattice to found pips: place, angle (two pips or more) and scale. The pose keeps the assumed edge length.
 *  @param spread where the pips of this value lie, edges. */
export function fitLattice(
  assumed: DiePose,
  layout: PipLayout,
  found: readonly FoundPip[],
  spread: PipSpread,
): LatticeFit | null {
  const n = found.length;
  if (n === 0) return null;
  const model = found.map(({ cell }) => pipPlace(layout, cell, spread));
  const [mx, my] = meanOf(model);
  const [ox, oy] = meanOf(found.map((pip) => pip.at));
  let [dot, cross, square] = [0, 0, 0];
  let [ou2, ov2, mu2, mv2, ouMu, ouMv, ovMu, ovMv, muMv] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = 0; k < n; k += 1) {
    const [mu, mv] = [(model[k]?.[0] ?? 0) - mx, (model[k]?.[1] ?? 0) - my];
    const [ou, ov] = [(found[k]?.at[0] ?? 0) - ox, (found[k]?.at[1] ?? 0) - oy];
    dot += mu * ou + mv * ov;
    cross += mu * ov - mv * ou;
    square += mu * mu + mv * mv;
    ou2 += ou * ou;
    ov2 += ov * ov;
    mu2 += mu * mu;
    mv2 += mv * mv;
    muMv += mu * mv;
    ouMu += ou * mu;
    ouMv += ou * mv;
    ovMu += ov * mu;
    ovMv += ov * mv;
  }
  const hasSpread = square > 1e-6;
  const turn = hasSpread ? Math.atan2(cross, dot) : 0;
  const scale = hasSpread ? Math.hypot(dot, cross) / square : null;
  const rms = hasSpread ? Math.sqrt(Math.max(0, ou2 + ov2 - (dot * dot + cross * cross) / square) / n) : 0;
  const s = scale ?? 1;
  const [cos, sin] = [Math.cos(turn) * s, Math.sin(turn) * s];
  const [cu, cv] = [ox - (cos * mx - sin * my), oy - (sin * mx + cos * my)];
  const [x, y] = toPicture(assumed, cu, cv);
  const pose = { x, y, angle: assumed.angle + turn, edgePx: assumed.edgePx };
  const determinant = mu2 * mv2 - muMv * muMv;
  let squeeze: number | null = null;
  if (layout.cells.length >= 4 && n >= 4 && determinant > 1e-8) {
    const a = (ouMu * mv2 - ouMv * muMv) / determinant;
    const b = (ouMv * mu2 - ouMu * muMv) / determinant;
    const c = (ovMu * mv2 - ovMv * muMv) / determinant;
    const d = (ovMv * mu2 - ovMu * muMv) / determinant;
    const e = Math.hypot((a + d) / 2, (c - b) / 2);
    const f = Math.hypot((a - d) / 2, (c + b) / 2);
    squeeze = e + f < 1e-9 ? 0 : Math.abs(e - f) / (e + f);
  }
  return { pose, scale, residual: rms, squeeze };
}

function meanOf(points: readonly (readonly [number, number])[]): [number, number] {
  let [x, y] = [0, 0];
  for (const point of points) {
    x += point[0];
    y += point[1];
  }
  return [x / points.length, y / points.length];
}
