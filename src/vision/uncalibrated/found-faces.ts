import { toFace } from '../die-pose.ts';
import { bodyAround, type DieBody } from './body-edges.ts';
import { type CellContrast, cellContrast } from './cell-contrast.ts';
import { discAround } from './disc-around.ts';
import { type FaceHypothesis, faceHypotheses, isAlike, singlePip } from './face-hypotheses.ts';
import { type LayoutCorrelation, layoutCorrelation } from './layout-correlation.ts';
import { type Plane, valueAt, type WorkingPicture } from './plane.ts';
import type { RoundSpot } from './round-spots.ts';

/** A face with all that speaks for it. */
export interface SeenFace {
  readonly face: FaceHypothesis;
  readonly body: DieBody;
  readonly cells: CellContrast;
  readonly look: LayoutCorrelation;
}

/** Smallest edge, working px: pips of a seventh of it have the 4 px that a spot needs. */
const edgeMinPx = 28;
/** Edge of the outline over the spread of the pips: pips lie 0.19 to 0.32 edges off the centre lines. */
const edgePerSpread = [3.1, 5.3] as const;
/** Edge of the outline over the diameter of a single pip: 0.13 to 0.45 edges. */
const edgePerPip = [2.2, 7.7] as const;
/** Directions in which the outline around a single pip is looked for, degrees; a step of 5 leaves an error of 2.5, at which an edge still shows. */
const angleStepDeg = 5;
/** Least step of brightness at an outline, as a share of the pips' contrast, and in grey levels. */
const stepShareMin = 0.04;
const stepMin = 4;

/** A pip less than half as strong as the face's others is none; a bare place that differs from the ground by half of a pip may be one. */
const faintestPipMin = 0.5;
const strongestBareMax = 0.5;

/** Distance of a foreign pip from the centre along an axis of the face, edges. */
const foreignPipMax = 0.68;

/** Faces that the spots of one plane and polarity form and around which an outline of a die shows. */
export function facesAround(picture: WorkingPicture, spots: readonly RoundSpot[]): readonly SeenFace[] {
  const single = spots.filter((spot) => hasBareRing(picture.measured, spot)).map(singlePip);
  const seen: SeenFace[] = [];
  for (const face of [...faceHypotheses(spots), ...single]) {
    const bodies = bodiesOf(picture.measured, face);
    let best: SeenFace | null = null;
    for (const body of bodies) {
      if (hasForeignPip(face, body, spots)) continue;
      const cells = cellContrast(picture.measured, face, body);
      if (cells.faintestPip < faintestPipMin || cells.strongestBare > strongestBareMax) continue;
      const look = layoutCorrelation(picture.measured, body.pose);
      if (best === null || look.best > best.look.best) best = { face, body, cells, look };
    }
    if (best !== null) seen.push(best);
  }
  return seen;
}

/** Outlines around the pips: of a square and of a round face. */
export function bodiesOf(planes: readonly Plane[], face: FaceHypothesis): readonly DieBody[] {
  const step = Math.max(stepMin, stepShareMin * face.contrast);
  const [least, most, unit] = face.spread === null ? [...edgePerPip, face.pipPx] : [...edgePerSpread, face.spread[0]];
  const range = [Math.max(edgeMinPx, least * unit), most * unit] as const;
  const { x, y } = face;
  const disc = discAround(planes, { x, y, angle: face.angle ?? 0 }, range, step);
  let square: DieBody | null = null;
  for (let deg = 0; deg < (face.angle === null ? 90 : 1); deg += angleStepDeg) {
    const body = bodyAround(planes, { x, y, angle: (face.angle ?? 0) + (deg * Math.PI) / 180 }, range, step);
    if (body !== null && (square === null || body.meanStep > square.meanStep)) square = body;
  }
  return [square, disc].filter((body) => body !== null);
}

/** Does a pip that is not the face's own lie on it? The face is then a part of a larger one. The nearest pip of a die that touches this one is 0.69
 *  edges from the centre. */
function hasForeignPip(face: FaceHypothesis, { pose }: DieBody, spots: readonly RoundSpot[]): boolean {
  return spots.some((spot) => {
    if (Math.abs(spot.x - pose.x) > pose.edgePx || Math.abs(spot.y - pose.y) > pose.edgePx || face.spots.includes(spot))
      return false;
    const [u, v] = toFace(pose, spot.x, spot.y);
    return Math.max(Math.abs(u), Math.abs(v)) < foreignPipMax && face.spots.every((own) => isAlike(own, spot));
  });
}

/** Is the ground around a spot even, as it is around a single pip? Spares the search for outlines around each grain of a textured ground. */
function hasBareRing(planes: readonly Plane[], spot: RoundSpot): boolean {
  return planes.every((plane) => {
    const ring = Array.from({ length: 16 }, (_, k) => {
      const angle = (k * Math.PI) / 8;
      const radius = 0.9 * spot.diameterPx;
      return valueAt(plane, spot.x + radius * Math.cos(angle), spot.y + radius * Math.sin(angle));
    });
    return Math.max(...ring) - Math.min(...ring) < 0.8 * spot.contrast;
  });
}
