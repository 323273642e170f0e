import type { FoundFace } from '../src/vision/find-dice.ts';
import { explainedShare, sideSteps } from '../src/vision/lean-by-steps.ts';
import { edgePxAt, sideWidths, type TrayGeometry } from '../src/vision/tray-geometry.ts';
import { tellsSize } from './first-scale.ts';

/** What the geometry fit found. */
export interface GeometryFit {
  readonly geometry: TrayGeometry;
  /** Distance of the outer pips from the centre line, edges. */
  readonly pipOffset: number;
  /** Root mean square mismatch of pip spacings over the tray, as a share. */
  readonly scaleResidual: number;
}

interface SideSample {
  readonly face: FoundFace;
  readonly side: number;
  /** Steps along the outward normal above the texture's level; they sum to 1. */
  readonly steps: Float32Array;
}

/** Unknowns of the camera: edge over the assumed edge, parallax, foot of the camera. */
interface Camera {
  readonly k: number;
  readonly parallax: number;
  readonly nadirPx: readonly [number, number];
  readonly bevelEdges: number;
}

/** Range of parallax that is looked at: dice of 14 to 20 mm under a camera 180 to 900 mm away. */
const parallaxMin = 0.016;
const parallaxMax = 0.11;
/** Parallax of usual tables (17 mm dice, camera at 0.4 m); samples that cannot tell it leave it there. */
const parallaxUsual = 0.042;
/** Steps of the edge tried, as a share of it, and what a parallax twice or half the usual one costs in explained share. */
const kStep = 0.0125;
const priorWeight = 0.02;
/** Usual distance of the outer pips from the centre line, edges of the visible top face, its scatter among dice of the trade (0.25 to
 *  0.30), and what a distance one scatter off costs in explained share. Dice of the floor's colour show no edge that could tell better. */
const offsetUsual = 0.277;
const offsetScatter = 0.025;
const offsetWeight = 0.03;
/** Largest tangent of the angle between the camera's axis and the vertical: 6° is the product's limit for mounting, and some room. */
const offAxisMax = 0.13;

/** First measurement, from brightness alone: the size of a face by its pips, then the edge and the camera's place by laying the expected top
 *  edges and silhouettes of all dice onto steps of brightness.
 *  @param resolution width and height of the picture; its middle is the camera's axis. */
export function fitGeometryBySteps(
  faces: readonly FoundFace[],
  start: TrayGeometry,
  assumedOffset: number,
  resolution: readonly [number, number],
): GeometryFit {
  const sides = faces.flatMap(sideSamples);
  const edgePx = medianEdge(faces);
  const score = (candidate: Camera): number => agreement(sides, geometryOf(start, edgePx, candidate, resolution));
  const camera = search(start, edgePx, assumedOffset, resolution, score);
  return finishGeometry(faces, start, edgePx, camera, assumedOffset, resolution);
}

/** Finds the camera with the highest score: a coarse grid, then smaller and smaller steps. */
function search(
  start: TrayGeometry,
  edgePx: number,
  assumedOffset: number,
  resolution: readonly [number, number],
  score: (camera: Camera) => number,
): Camera {
  const [cx, cy] = start.centrePx;
  const nadirStep = 0.17 * start.radiusPx;
  let best: Camera = { k: 1, parallax: start.parallax, nadirPx: start.centrePx, bevelEdges: start.bevelEdges };
  let bestScore = Number.NEGATIVE_INFINITY;
  const tryOne = (camera: Camera): void => {
    if (camera.parallax < parallaxMin || camera.parallax > parallaxMax) return;
    // The foot of a camera that is off axis by an angle lies by its tangent times the focal length from the picture's middle.
    const focalPx = (edgePx * camera.k) / camera.parallax;
    const offAxis = Math.hypot(camera.nadirPx[0] - resolution[0] / 2, camera.nadirPx[1] - resolution[1] / 2) / focalPx;
    if (offAxis > offAxisMax) return;
    const value =
      score(camera) -
      priorWeight * (Math.log(camera.parallax / parallaxUsual) / Math.LN2) ** 2 -
      offsetWeight * ((assumedOffset / camera.k - offsetUsual) / offsetScatter) ** 2;
    if (value > bestScore) [best, bestScore] = [camera, value];
  };
  for (let k = 0.86; k <= 1.2; k += kStep) {
    for (let parallax = 0.02; parallax <= 0.1; parallax += 0.012) {
      for (let i = -4; i <= 4; i += 1) {
        for (let j = -4; j <= 4; j += 1)
          tryOne({
            k,
            parallax,
            nadirPx: [cx + i * nadirStep, cy + j * nadirStep],
            bevelEdges: 0.012,
          });
      }
    }
  }
  for (const step of [0.5, 0.25, 0.12, 0.06]) {
    for (let pass = 0; pass < 8; pass += 1) {
      const { k, parallax, nadirPx, bevelEdges } = best;
      for (const dk of [-1, 0, 1]) {
        for (const dp of [-1, 0, 1]) {
          for (const [dx, dy] of [
            [0, 0],
            [1, 0],
            [-1, 0],
            [0, 1],
            [0, -1],
          ] as const) {
            const nadir = [nadirPx[0] + dx * nadirStep * step, nadirPx[1] + dy * nadirStep * step] as const;
            tryOne({ k: k + kStep * dk * step, parallax: parallax + 0.012 * dp * step, nadirPx: nadir, bevelEdges });
          }
        }
      }
      for (const rim of [0, 0.006, 0.012, 0.018, 0.024, 0.03, 0.036]) {
        for (const dk of [-1, 0, 1]) tryOne({ ...best, k: best.k + kStep * dk * step, bevelEdges: rim });
      }
      if (best.k === k && best.bevelEdges === bevelEdges && best.parallax === parallax && best.nadirPx === nadirPx) break;
    }
  }
  return best;
}

/** Relative change of the edge per px. A camera that is off axis sees the near side of the tray larger; by how much follows from where its foot
 *  lies, because foot and slope have the same cause. Measured slopes of few dice would be noise. */
export function edgeSlopeOf(
  edgePx: number,
  parallax: number,
  nadirPx: readonly [number, number],
  [width, height]: readonly [number, number],
): readonly [number, number] {
  const perPx = (parallax / edgePx) ** 2;
  return [(nadirPx[0] - width / 2) * perPx, (nadirPx[1] - height / 2) * perPx];
}

function geometryOf(
  start: TrayGeometry,
  edgePx: number,
  { k, parallax, nadirPx, bevelEdges }: Camera,
  [width, height]: readonly [number, number],
): TrayGeometry {
  const edgeSlope = edgeSlopeOf(edgePx * k, parallax, nadirPx, [width, height]);
  return { ...start, edgePx: edgePx * k, edgeSlope, parallax, nadirPx, bevelEdges };
}

function finishGeometry(
  faces: readonly FoundFace[],
  start: TrayGeometry,
  edgePx: number,
  camera: Camera,
  assumedOffset: number,
  resolution: readonly [number, number],
): GeometryFit {
  const geometry = geometryOf(start, edgePx, camera, resolution);
  let [square, count] = [0, 0];
  for (const face of faces) {
    const ratio = face.reading.fit?.scale;
    if (!ratio || !tellsSize(face)) continue;
    square += ((face.pose.edgePx * ratio * camera.k) / edgePxAt(geometry, face.pose.x, face.pose.y) - 1) ** 2;
    count += 1;
  }
  return { geometry, pipOffset: assumedOffset / camera.k, scaleResidual: Math.sqrt(square / Math.max(1, count)) };
}

/** Median edge by the pips, in units of the assumed pip offset, px. */
function medianEdge(faces: readonly FoundFace[]): number {
  const known = faces.filter(tellsSize);
  const edges = (known.length >= 3 ? known : faces)
    .flatMap((face) => (face.reading.fit?.scale ? [face.pose.edgePx * face.reading.fit.scale] : []))
    .sort((x, y) => x - y);
  return edges[edges.length >> 1] ?? faces[0]?.pose.edgePx ?? 1;
}

function sideSamples(face: FoundFace): SideSample[] {
  return sideSteps(face.patch).flatMap((steps, side) => (steps === null ? [] : [{ face, side, steps }]));
}

/** Share of all steps that lie where a top edge or a silhouette is expected. Where both fall together they count once: else a camera without
 *  parallax, which puts every silhouette onto a strong top edge, would explain everything best. */
function agreement(sides: readonly SideSample[], geometry: TrayGeometry): number {
  let sum = 0;
  for (const { face, side, steps } of sides) {
    // The profile was taken in units of the pose's own edge; `grown` is the edge tried here in that unit.
    const pose = { ...face.pose, edgePx: edgePxAt(geometry, face.pose.x, face.pose.y) };
    const grown = pose.edgePx / face.pose.edgePx;
    const width = Math.max(0, sideWidths(geometry, pose)[side] ?? 0);
    sum += explainedShare(steps, 0.5 * grown - 0.5, (0.5 + geometry.bevelEdges + width) * grown - 0.5);
  }
  return sides.length === 0 ? 0 : sum / sides.length;
}
