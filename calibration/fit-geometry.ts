import { profileInsidePx, stepProfile } from '../src/vision/edge-profile.ts';
import { patchEdgePx } from '../src/vision/face-patch.ts';
import type { FoundFace } from '../src/vision/find-dice.ts';
import { solveLinear } from '../src/vision/lighting.ts';
import { edgePxAt, sideWidths, type TrayGeometry } from '../src/vision/tray-geometry.ts';

/** What the geometry fit found. */
export interface GeometryFit {
  readonly geometry: TrayGeometry;
  /** Distance of the outer pips from the centre line, edges. */
  readonly pipOffset: number;
  /** Root mean square mismatch of pip spacings over the tray, as a share. */
  readonly scaleResidual: number;
  /** Share of the steps that lie where top edges and silhouettes are expected, 0 to 1. */
  readonly edgeAgreement: number;
}

interface SideSample {
  readonly face: FoundFace;
  readonly side: number;
  /** Steps along the outward normal above the texture's level; they sum to 1. */
  readonly steps: Float32Array;
}

/** Measures, from faces whose pips were found, how large a flat face is at each place of the tray, how large the whole face is compared with
 *  its pips, and where the camera stands: the last two by placing top edges and silhouettes of all dice onto steps of brightness at once. */
export function fitGeometry(faces: readonly FoundFace[], start: TrayGeometry, assumedOffset: number): GeometryFit {
  const scale = fitScale(faces, start);
  const sides = faces.flatMap((face) => [0, 1, 2, 3].flatMap((side) => sideSample(face, side)));
  // Pip spacing is certain by now; `k` is the true edge over the assumed one, that is the assumed pip offset over the true one.
  let best = { score: -1, k: 1, parallax: start.parallax, nadir: start.centrePx };
  const [cx, cy] = start.centrePx;
  const evaluate = (k: number, parallax: number, nadir: readonly [number, number]): void => {
    const score = agreement(sides, { ...scale.geometry, parallax, nadirPx: nadir }, k);
    if (parallax > 0.01 && score > best.score) best = { score, k, parallax, nadir };
  };
  for (let k = 0.85; k <= 1.2; k += 0.0125) {
    for (let parallax = 0.02; parallax <= 0.105; parallax += 0.01) {
      for (let i = -4; i <= 4; i += 1)
        for (let j = -4; j <= 4; j += 1) evaluate(k, parallax, [cx + i * 0.16 * start.radiusPx, cy + j * 0.16 * start.radiusPx]);
    }
  }
  for (const step of [0.5, 0.25, 0.12]) {
    for (let pass = 0; pass < 6; pass += 1) {
      const { k, parallax, nadir } = best;
      for (const dk of [-1, 0, 1]) {
        for (const dp of [-1, 0, 1]) {
          for (const dx of [-1, 0, 1]) {
            for (const dy of [-1, 0, 1]) {
              const reach = 0.16 * start.radiusPx * step;
              evaluate(k + 0.01 * dk * step, parallax + 0.01 * dp * step, [nadir[0] + dx * reach, nadir[1] + dy * reach]);
            }
          }
        }
      }
      if (best.k === k && best.parallax === parallax && best.nadir === nadir) break;
    }
  }
  return {
    geometry: { ...scale.geometry, edgePx: scale.geometry.edgePx * best.k, parallax: best.parallax, nadirPx: best.nadir },
    pipOffset: assumedOffset / best.k,
    scaleResidual: scale.residual,
    edgeAgreement: best.score,
  };
}

/** Plane through the measured sizes over the tray, in edges as assumed. */
function fitScale(
  faces: readonly FoundFace[],
  start: TrayGeometry,
): { readonly geometry: TrayGeometry; readonly residual: number } {
  const points = faces.flatMap((face) => {
    const ratio = face.reading.fit?.scale;
    // Far pips tell the size best: two pips of a 2 lie as far apart as those of a 5, only fewer.
    return ratio
      ? [{ x: face.pose.x - start.centrePx[0], y: face.pose.y - start.centrePx[1], edgePx: face.pose.edgePx * ratio }]
      : [];
  });
  let plane = [start.edgePx, 0, 0];
  for (let pass = 0; pass < 4; pass += 1) {
    const rows: number[][] = [0, 1, 2].map(() => [0, 0, 0, 0]);
    for (const point of points) {
      const basis = [1, point.x / start.radiusPx, point.y / start.radiusPx];
      const error =
        point.edgePx / (basis[0] as number) -
        (plane[0] ?? 0) -
        (plane[1] ?? 0) * (basis[1] ?? 0) -
        (plane[2] ?? 0) * (basis[2] ?? 0);
      const weight = pass === 0 ? 1 : 1 / (1 + (error / (0.012 * start.edgePx)) ** 2);
      for (let i = 0; i < 3; i += 1) {
        const row = rows[i] as number[];
        for (let j = 0; j < 3; j += 1) row[j] = (row[j] ?? 0) + weight * (basis[i] ?? 0) * (basis[j] ?? 0);
        row[3] = (row[3] ?? 0) + weight * (basis[i] ?? 0) * point.edgePx;
      }
    }
    // Few samples cannot tell a slope: it is held near zero unless they do.
    for (const i of [1, 2]) (rows[i] as number[])[i] = (rows[i]?.[i] ?? 0) + 0.3;
    plane = solveLinear(rows);
  }
  const edgePx = plane[0] ?? start.edgePx;
  const slope = [(plane[1] ?? 0) / edgePx / start.radiusPx, (plane[2] ?? 0) / edgePx / start.radiusPx] as const;
  let square = 0;
  for (const point of points) square += (point.edgePx / (edgePx * (1 + slope[0] * point.x + slope[1] * point.y)) - 1) ** 2;
  return { geometry: { ...start, edgePx, edgeSlope: slope }, residual: Math.sqrt(square / Math.max(1, points.length)) };
}

function sideSample(face: FoundFace, side: number): SideSample[] {
  const profile = stepProfile(face.patch, side, -0.3, 0.3);
  if (profile === null) return [];
  const texture = [...profile].sort((a, b) => a - b)[profile.length >> 1] ?? 0;
  const above = profile.map((value) => Math.max(0, value - texture));
  const sum = above.reduce((total, value) => total + value, 0);
  return sum < 2 ? [] : [{ face, side, steps: above.map((value) => value / sum) }];
}

/** Share of all steps that lie where a top edge or a silhouette is expected. Where both fall together they count once: else a camera without
 *  parallax, which puts every silhouette onto a strong top edge, would explain everything best. */
function agreement(sides: readonly SideSample[], geometry: TrayGeometry, k: number): number {
  let sum = 0;
  for (const { face, side, steps } of sides) {
    // The profile was taken in units of the pose's own edge; `grown` is the edge tried here in that unit.
    const pose = { ...face.pose, edgePx: edgePxAt(geometry, face.pose.x, face.pose.y) * k };
    const grown = pose.edgePx / face.pose.edgePx;
    const width = Math.max(0, sideWidths(geometry, pose)[side] ?? 0);
    const top = placeOf(0.5 * grown - 0.5);
    const silhouette = placeOf((0.5 + width) * grown - 0.5);
    for (let d = 1; d < steps.length - 1; d += 1) {
      const near = Math.min((d - top) ** 2, (d - silhouette) ** 2);
      if (near < 16) sum += (steps[d] ?? 0) * Math.exp(-near / 3);
    }
  }
  return sides.length === 0 ? 0 : sum / sides.length;
}

/** Index in a profile for a distance beyond the assumed edge, in assumed edges. */
function placeOf(beyond: number): number {
  return beyond * patchEdgePx + profileInsidePx - 0.5;
}
