import { type CoarseCandidate, coarseCandidates } from './coarse-search.ts';
import { type DiePose, overlapShare } from './die-pose.ts';
import { turnBySides } from './edge-profile.ts';
import { cutView, type FacePatch, type FaceView, patchSidePx, withReference } from './face-patch.ts';
import { bestTurn, type GeometricReading, matchPips, readMatch } from './geometric-reader.ts';
import type { LatticeFit } from './lattice-fit.ts';
import { gainAt } from './lighting.ts';
import type { Mat } from './opencv.ts';
import { copyPart } from './picture.ts';
import { pipLayouts } from './pip-layouts.ts';
import { type PipMap, pipMapByColour, pipMapByContrast } from './pip-map.ts';
import { type ReducedMaps, reducedMaps } from './reduced-maps.ts';
import type { Rig } from './rig.ts';
import { edgePxAt } from './tray-geometry.ts';

/** A top face that was found, with what the geometric reader made of it. */
export interface FoundFace {
  readonly pose: DiePose;
  readonly patch: FacePatch;
  readonly map: PipMap;
  readonly reading: GeometricReading;
  /** Strength of the square's four sides, 0 to 1. */
  readonly edgeScore: number;
  /** Mean step along them, grey levels per px of the reduced picture. */
  readonly edgeStep: number;
  /** Factor of the light at this die for blue, green, red. */
  readonly gain: readonly [number, number, number];
  /** 0 to 1; the better of two faces that exclude each other wins. */
  readonly quality: number;
}

/** A found face before it is known to be kept. */
type SeenFace = Omit<FoundFace, 'patch'> & { readonly patch: FaceView };

/** Faces with more than this share in common cannot both be top faces: touching dice share nothing, a die on another covers more. */
const overlapShareMax = 0.06;
/** Below this quality a place is not taken for a face. */
const qualityMin = 0.42;
/** What one more pip counts between faces that exclude each other, in units of quality. */
const rankOfPip = 0.03;
/** Distance from a sure face, edges, below which a candidate cannot be another top face: the centres of two dice are at least one edge apart.
 *  The rest is left for candidates that still move. */
const sureReach = 0.8;
/** Move of a pose, px of the picture and radians (0.1 degrees), below which it has settled: a sixth of what its measurement is good for. */
const settledPx = 0.1;
const settledAngle = 0.00175;
/** Candidates refined at most, and dice kept at most: one more than a throw has, so that a fourth is noticed. */
const candidateCountMax = 18;
const faceCountMax = 5;

/** What the search for faces needs of a rig; calibration has no more than this at its start. */
export type SearchRig = Pick<Rig, 'view' | 'geometry' | 'faces' | 'pipFilter'> & {
  readonly noise: { readonly fullStep: number | null };
};

const allLayouts: readonly number[] = pipLayouts.map((_, index) => index);

/** Finds top faces in a decoded picture: a coarse search over the reduced tray, then each candidate is laid upright and aligned by its pips.
 *  @param layoutIndexes arrangements looked for; fewer than all only in calibration, where the values are known. */
export function findFaces(
  rig: SearchRig,
  mat: Mat,
  layoutIndexes: readonly number[] = allLayouts,
): { readonly maps: ReducedMaps; readonly faces: readonly FoundFace[] } {
  const { view } = rig;
  const picture = copyPart(mat, view.rect, view.tray.reference.width, view.tray.reference.height);
  const maps = reducedMaps(view.tray, picture, rig.pipFilter, rig.noise.fullStep === null);
  const candidates = coarseCandidates(maps, {
    edgePx: view.tray.edgePx,
    pipOffset: rig.faces.pipOffset,
    fullStep: rig.noise.fullStep,
    layoutIndexes,
    angleStepDeg: 7.5,
    candidateCountMax,
  });
  const faces: SeenFace[] = [];
  for (const candidate of candidates) {
    const [x, y] = pictureOf(rig, candidate);
    const isOnSureFace = faces.some(
      (face) => isSure(face, candidate) && Math.hypot(face.pose.x - x, face.pose.y - y) < sureReach * face.pose.edgePx,
    );
    if (isOnSureFace) continue;
    const face = refineCandidate(rig, mat, maps, candidate, layoutIndexes);
    if (face !== null && face.quality >= qualityMin) faces.push(face);
  }
  faces.sort((a, b) => rankOf(b) - rankOf(a));
  const kept: SeenFace[] = [];
  for (const face of faces) {
    if (kept.length < faceCountMax && kept.every((other) => overlapShare(face.pose, other.pose) <= overlapShareMax))
      kept.push(face);
  }
  return { maps, faces: kept.map((face) => ({ ...face, patch: withReference(face.patch, view.referenceMat) })) };
}

/** Order in which faces that exclude each other are taken: the more pips a face explains, the less can it be chance. A pip of any die looks like a 1. */
function rankOf({ quality, reading }: SeenFace): number {
  return quality + (reading.value === null ? 0 : rankOfPip * (reading.value - 1));
}

/** Whether what lies around the centre of a face can be nothing but that face. Around a single pip of another value there is no square. */
function isSure(face: SeenFace, candidate: CoarseCandidate): boolean {
  if (face.reading.value === 1 && pipLayouts[candidate.layoutIndex]?.value !== 1) return false;
  return face.quality > 0.75 && face.edgeScore > (face.reading.value === 1 ? 0.85 : 0.6);
}

function pictureOf(rig: SearchRig, candidate: CoarseCandidate): [number, number] {
  const { rect, scale } = rig.view;
  return [rect.x + (candidate.x + 0.5) / scale - 0.5, rect.y + (candidate.y + 0.5) / scale - 0.5];
}

/** Memory for the map of a pose that is looked at on the way. */
const passingMap = new Float32Array(patchSidePx * patchSidePx);

/** Lays a candidate upright, finds its pips, moves the pose onto them and looks again. */
function refineCandidate(
  rig: SearchRig,
  mat: Mat,
  maps: ReducedMaps,
  candidate: CoarseCandidate,
  layoutIndexes: readonly number[],
): SeenFace | null {
  const [x, y] = pictureOf(rig, candidate);
  const gain = gainAt(maps.lighting, (2 * candidate.x) / (maps.width - 1) - 1, (2 * candidate.y) / (maps.height - 1) - 1);
  const colours =
    rig.pipFilter.kind === 'colour'
      ? rig.pipFilter.pips.map((pip) => pip.colour.map((value, c) => Math.min(255, value * (gain[c] ?? 1))))
      : [];
  const saturatedFrom = Math.min(253, Math.max(235, ...colours.map((colour) => Math.min(...colour) + 15)));
  let pose: DiePose = { x, y, angle: candidate.angle, edgePx: edgePxAt(rig.geometry, x, y) };
  for (let pass = 0; ; pass += 1) {
    const patch = cutView(mat, rig.view.referenceMat, pose, rig.view.glareFrom, saturatedFrom);
    const map = rig.pipFilter.kind === 'contrast' ? pipMapByContrast(patch) : pipMapByColour(patch, colours, passingMap);
    if (pass === 0) {
      const turn = bestTurn(patch, map, rig.faces, layoutIndexes);
      if (turn !== 0) {
        pose = { ...pose, angle: pose.angle + turn };
        continue;
      }
    }
    const match = matchPips(patch, map, rig.faces, layoutIndexes);
    if (match.fit === null || pass >= 3 || isSettled(pose, match.fit)) {
      const reading = readMatch(patch, map, rig.faces, match, hasSquare(candidate));
      const quality = qualityOf(reading, candidate);
      return {
        pose,
        patch,
        map: map.slice(),
        reading,
        edgeScore: candidate.edgeScore,
        edgeStep: candidate.edgeStep,
        gain,
        quality,
      };
    }
    const turn = match.fit.scale === null ? turnBySides(patch) : 0;
    const next = match.fit.pose;
    pose = { x: next.x, y: next.y, angle: next.angle + turn, edgePx: edgePxAt(rig.geometry, next.x, next.y) };
    if (Math.hypot(pose.x - x, pose.y - y) > 0.4 * pose.edgePx) return null;
  }
}

/** Score and mean step of the sides, grey levels per px of the reduced picture, from which a square is clearly seen. Dice that stand out from their floor
 *  have steps of 11 to 67, black dice on black rubber 4 to 7. */
const squareScoreMin = 0.85;
const squareStepMin = 10;

/** Whether the sides of a face are clearly seen. */
export function hasSquare({ edgeScore, edgeStep }: Pick<CoarseCandidate, 'edgeScore' | 'edgeStep'>): boolean {
  return edgeScore >= squareScoreMin && edgeStep >= squareStepMin;
}

/** Whether another look would see the same: the pips lie where the pose has them. A single pip does not tell the angle. */
function isSettled(pose: DiePose, fit: LatticeFit): boolean {
  if (fit.scale === null) return false;
  const next = fit.pose;
  return Math.hypot(next.x - pose.x, next.y - pose.y) < settledPx && Math.abs(next.angle - pose.angle) < settledAngle;
}

function qualityOf(reading: GeometricReading, candidate: CoarseCandidate): number {
  const told = reading.value === null ? 0.35 * Math.max(0, candidate.layoutScore) : 0.6 + 0.4 * reading.confidence;
  const clean = Math.max(0, 1 - reading.strayPips);
  const straight = Math.max(0, 1 - (reading.fit?.residual ?? 0.05) / 0.08);
  return 0.3 * candidate.edgeScore + 0.7 * told * clean * straight;
}
