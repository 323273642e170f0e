import { patchEdgePx } from '../src/vision/face-patch.ts';
import type { FoundFace } from '../src/vision/find-dice.ts';
import type { OutlineSteps } from '../src/vision/outline-steps.ts';
import type { BodyModel } from '../src/vision/side-faces.ts';
import { firstColumn, type SideView, sideReach, viewSides } from '../src/vision/side-view.ts';
import { costOfWidth, widthCosts } from '../src/vision/side-widths.ts';
import { edgePxAt, sideWidths, type TrayGeometry } from '../src/vision/tray-geometry.ts';
import { fitBodyModel } from './fit-body.ts';
import { edgeSlopeOf } from './fit-geometry.ts';
import { fitOutlineSteps } from './fit-outline-steps.ts';

/** The camera as the outlines of all dice tell it, and what tells die from floor. */
export interface OutlineFit {
  readonly geometry: TrayGeometry;
  readonly bodyModel: BodyModel;
  readonly outlineSteps: OutlineSteps | null;
  /** Variance of (picture - empty picture) on bare floor, squared grey levels. */
  readonly floorNoise: number;
}

interface Camera {
  readonly parallax: number;
  readonly nadirPx: readonly [number, number];
  readonly rimEdges: number;
}

interface Outline {
  readonly face: FoundFace;
  readonly side: number;
  readonly costs: Float32Array;
}

/** Strips around the expected outlines that teach nothing, edges: the outlines become better known from pass to pass. */
const margins: readonly number[] = [0.05, 0.035, 1.5 / patchEdgePx];
/** Noise of bare floor before it is measured, and its smallest value (rounding of two pictures to whole levels). */
const floorNoiseUsual = 3;
const floorNoiseMin = 1.5;
/** First column, px of the patch, where no flat die reaches. */
const floorFrom = 13;
/** Room that a side needs to be seen whole: wider than any that a flat die shows at the tray's wall, edges. */
const roomMin = 0.16;
/** A side that disagrees more than this, as logarithm of the odds, is spoiled by something else. */
const costMax = 30;
/** Vote of colour, as logarithm of the odds, from which it is decided; distance from the expected outline at which that can be checked, px of the patch; and
 *  the share of wrong ones from which it is worth nothing. Red dice on blue felt have none, ivory dice on beige cloth and black ones on dark floors 2 to 10 %. */
const decidedFrom = 2;
const apartPx = 3;
const wrongShareMax = 0.02;
/** Usual camera: parallax of a 17 mm die at 0.4 m with its scatter (logarithm), tangent of the angle off axis; and their weight against the mean
 *  cost of a side. */
const parallaxUsual = 0.042;
const parallaxScatter = 0.3;
const offAxisScatter = 0.05;
/** Largest tangent of the angle off axis: 6° is the product's limit for mounting, and some room. */
const offAxisMax = 0.13;
const parallaxWeight = 0.3;
/** Usual rim: sharp dice of the trade have 0.01, well rounded ones 0.07 of an edge between top face and outline. */
const rimUsual = 0.035;
const rimScatter = 0.02;
const rimWeight = 0.3;
const offAxisWeight = 0.1;
const parallaxMin = 0.012;
const parallaxMax = 0.11;

/** Finds camera and body model together: outlines teach the model what belongs to a die, and the model tells where outlines are.
 *  @param groups faces by picture. @param resolution width and height of the picture; its middle is the camera's axis. */
export function fitOutlines(
  groups: readonly { readonly faces: readonly FoundFace[] }[],
  start: TrayGeometry,
  resolution: readonly [number, number],
): OutlineFit {
  let [geometry, floorNoise] = [start, floorNoiseUsual];
  let bodyModel: BodyModel = { weights: [], trust: 0 };
  let outlineSteps: OutlineSteps | null = null;
  for (const margin of margins) {
    bodyModel = fitBodyModel(groups, geometry, margin);
    floorNoise = noiseOf(viewAll(groups, geometry, bodyModel, floorNoise).map(({ view }) => view));
    const seen = viewAll(groups, geometry, bodyModel, floorNoise).filter(({ view }) => view.isSeen && view.room >= roomMin);
    const outlines = seen.map(({ face, side, view }) => ({ face, side, costs: widthCosts(view, outlineSteps) }));
    geometry = fitCamera(outlines, geometry, resolution);
    outlineSteps = fitOutlineSteps(
      seen.map(({ face, side, view }) => ({ view, endEdges: seenWidth(geometry, geometry.bevelEdges, face, side) })),
    );
  }
  const trust = trustOf(
    viewAll(groups, geometry, bodyModel, floorNoise).map(({ face, side, view }) => ({
      view,
      endEdges: seenWidth(geometry, geometry.bevelEdges, face, side),
    })),
  );
  return { geometry, bodyModel: { ...bodyModel, trust }, outlineSteps, floorNoise };
}

function viewAll(
  groups: readonly { readonly faces: readonly FoundFace[] }[],
  geometry: TrayGeometry,
  bodyModel: BodyModel,
  floorNoise: number,
): { readonly face: FoundFace; readonly side: number; readonly view: SideView }[] {
  return groups.flatMap(({ faces }) =>
    faces.flatMap((face) => {
      const others = faces.filter((other) => other !== face).map((other) => other.pose);
      const views = viewSides(face.patch, geometry, bodyModel, others, face.gain, floorNoise);
      return views.map((view, side) => ({ face, side, view }));
    }),
  );
}

/** How far colour alone may be trusted: fully where it is never decided and wrong beside the expected outlines, not at all where it is at `wrongShareMax`. */
function trustOf(sides: readonly { readonly view: SideView; readonly endEdges: number }[]): number {
  let [wrong, decided] = [0, 0];
  for (const { view, endEdges } of sides) {
    if (!view.isSeen) continue;
    view.colours.forEach((colour, k) => {
      const beyondPx = k + firstColumn + 0.5 - endEdges * patchEdgePx;
      if (Math.abs(colour) < decidedFrom || Math.abs(beyondPx) < apartPx) return;
      decided += 1;
      if (colour > 0 === beyondPx > 0) wrong += 1;
    });
  }
  return decided === 0 ? 0 : Math.max(0, 1 - wrong / decided / wrongShareMax);
}

function noiseOf(views: readonly SideView[]): number {
  const residuals = views
    .filter((view) => view.room > sideReach - 0.01)
    .flatMap((view) => [...view.residual.subarray(floorFrom - firstColumn)].filter((value) => value >= 0))
    .sort((a, b) => a - b);
  return Math.max(floorNoiseMin, residuals[residuals.length >> 1] ?? floorNoiseUsual);
}

/** Finds the camera under which the expected outlines cost least: a coarse grid, then smaller and smaller steps. */
function fitCamera(outlines: readonly Outline[], start: TrayGeometry, resolution: readonly [number, number]): TrayGeometry {
  const [cx, cy] = [resolution[0] / 2, resolution[1] / 2];
  const nadirStep = (0.025 * start.edgePx) / parallaxUsual;
  let best: Camera = { parallax: start.parallax, nadirPx: start.nadirPx, rimEdges: start.bevelEdges };
  let bestCost = cameraCost(outlines, start, best, resolution);
  const tryOne = (camera: Camera): boolean => {
    if (camera.parallax < parallaxMin || camera.parallax > parallaxMax || camera.rimEdges < 0) return false;
    if (offAxisOf(start, camera, resolution) > offAxisMax) return false;
    const cost = cameraCost(outlines, start, camera, resolution);
    if (cost >= bestCost - 1e-9) return false;
    [best, bestCost] = [camera, cost];
    return true;
  };
  for (let parallax = 0.02; parallax < 0.09; parallax += 0.008) {
    for (let i = -4; i <= 4; i += 1) {
      for (let j = -4; j <= 4; j += 1) {
        for (const rimEdges of [0, 0.025, 0.05])
          tryOne({ parallax, nadirPx: [cx + i * nadirStep, cy + j * nadirStep], rimEdges });
      }
    }
  }
  for (let step = 0.5; step > 0.01; ) {
    const { parallax, nadirPx, rimEdges } = best;
    const [dp, dn, dr] = [0.008 * step, nadirStep * step, 0.025 * step];
    const moves: Camera[] = [-1, 1].flatMap((sign) => [
      { parallax: parallax + sign * dp, nadirPx, rimEdges },
      { parallax, nadirPx: [nadirPx[0] + sign * dn, nadirPx[1]] as const, rimEdges },
      { parallax, nadirPx: [nadirPx[0], nadirPx[1] + sign * dn] as const, rimEdges },
      { parallax, nadirPx, rimEdges: rimEdges + sign * dr },
    ]);
    if (moves.filter(tryOne).length === 0) step /= 2;
  }
  const edgeSlope = edgeSlopeOf(start.edgePx, best.parallax, best.nadirPx, resolution);
  return { ...start, edgeSlope, parallax: best.parallax, nadirPx: best.nadirPx, bevelEdges: best.rimEdges };
}

function cameraCost(
  outlines: readonly Outline[],
  start: TrayGeometry,
  camera: Camera,
  resolution: readonly [number, number],
): number {
  const { parallax, nadirPx, rimEdges } = camera;
  const geometry = { ...start, parallax, nadirPx };
  let sum = 0;
  for (const { face, side, costs } of outlines)
    sum += Math.min(costMax, costOfWidth(costs, seenWidth(geometry, rimEdges, face, side)));
  return (
    sum / Math.max(1, outlines.length) +
    rimWeight * ((rimEdges - rimUsual) / rimScatter) ** 2 +
    parallaxWeight * (Math.log(parallax / parallaxUsual) / parallaxScatter) ** 2 +
    offAxisWeight * (offAxisOf(start, camera, resolution) / offAxisScatter) ** 2
  );
}

/** What a flat die shows beyond an edge of its top face, rim included, edges. */
function seenWidth(geometry: TrayGeometry, rimEdges: number, face: FoundFace, side: number): number {
  const pose = { ...face.pose, edgePx: edgePxAt(geometry, face.pose.x, face.pose.y) };
  const grown = Math.max(0.97, Math.min(1.03, face.reading.fit?.scale ?? 1));
  return rimEdges + (grown - 1) / 2 + Math.max(0, sideWidths(geometry, pose)[side] ?? 0);
}

/** Tangent of the angle between the camera's axis and the vertical: by it times the focal length the camera's foot lies from the picture's middle. */
function offAxisOf(start: TrayGeometry, { parallax, nadirPx }: Camera, [width, height]: readonly [number, number]): number {
  return (Math.hypot(nadirPx[0] - width / 2, nadirPx[1] - height / 2) * parallax) / start.edgePx;
}
