import { type DieEvidence, judgePicture, type PictureEvidence, usualMotionLimits } from '../core/judging/judge-picture.ts';
import type { DieReading, PictureReading } from '../core/judging/reading.ts';
import type { SceneMeasures } from '../core/judging/scene-measures.ts';
import { type AppearanceReading, readByAppearance } from './appearance-reader.ts';
import { cameraRollDeg, rollDegMax } from './camera-roll.ts';
import { angleDegOf, corners, overlapShare } from './die-pose.ts';
import { type FoundFace, findFaces, hasSquare } from './find-dice.ts';
import { estimateLean } from './lean-evidence.ts';
import type { Mat } from './opencv.ts';
import { type DecodedJpeg, decodeJpeg } from './picture.ts';
import { pipsBeyondFace } from './pips-beyond.ts';
import type { ReducedMaps } from './reduced-maps.ts';
import type { Rig } from './rig.ts';
import { bodyRatioOf, sceneMeasuresOf } from './scene-measures.ts';
import { isSceneChanged, type SceneShift, sceneShiftOf } from './scene-shift.ts';
import { sideEvenness } from './side-evenness.ts';
import { viewSides } from './side-view.ts';
import { strangeAreaFaces } from './strange-area.ts';
import { bottomPose, sideWidths } from './tray-geometry.ts';

/** A picture's reading with the measurements behind it, for overlays, calibration and benches. */
export interface ExplainedReading {
  readonly reading: PictureReading;
  readonly evidence: PictureEvidence;
  /** Why the picture is unusable, in words; null when it is usable. */
  readonly detail: string | null;
  /** Light, camera and dice against the calibration; null for a picture that is not looked into. */
  readonly scene: SceneMeasures | null;
}

/** Reads one JPEG of the rig's camera. Never throws for what a picture contains. */
export function readJpeg(rig: Rig, jpeg: Buffer): ExplainedReading {
  const decoded = decodeJpeg(jpeg);
  try {
    return readDecoded(rig, decoded);
  } finally {
    if (decoded.kind === 'picture') decoded.mat.release();
  }
}

/** The same for a JPEG that is decoded already; it stays the caller's. */
export function readDecoded(rig: Rig, decoded: DecodedJpeg): ExplainedReading {
  if (decoded.kind === 'unusable') return unusable('bad-frame', decoded.detail);
  const { cols, rows } = decoded.mat;
  const [width, height] = rig.resolution;
  if (cols !== width || rows !== height)
    return unusable('scene-changed', `the picture is ${cols} x ${rows}, the calibration is for ${width} x ${height}`);
  return readMat(rig, decoded.mat);
}

/** Reads a decoded picture of the right size. */
export function readMat(rig: Rig, mat: Mat): ExplainedReading {
  const { maps, faces } = findFaces(rig, mat);
  const shift = sceneShiftOf(rig.scene, maps.picture);
  const looks = faces.map((face) => readByAppearance(face.patch, rig.appearance));
  const evidence: PictureEvidence = {
    defect: defectOf(maps, shift) ?? (rig.isReliable ? null : 'low-contrast'),
    dice: faces.map((_, index) => evidenceOf(rig, maps, faces, index, looks[index] as AppearanceReading)),
    motionLimits: rig.motionLimits,
    strangeAreaFaces: strangeAreaFaces(
      maps,
      rig.view,
      rig.geometry,
      faces.map((face) => face.pose),
    ),
  };
  const dice = faces.map((face, index) =>
    dieReading(face, looks[index] as AppearanceReading, evidence.dice[index] as DieEvidence),
  );
  const verdict = judgePicture(evidence);
  const scene = sceneMeasuresOf(rig, maps, faces, shift);
  // A hand hides the rim too, and is named as what it is; what would be taken as a result must show the calibrated scene.
  if (verdict.verdict === 'accepted' && shift.kind === 'lost') {
    const lost: PictureEvidence = { ...evidence, defect: 'scene-changed' };
    return { reading: { ...judgePicture(lost), dice }, evidence: lost, detail: 'the rim of the tray is not found again', scene };
  }
  // A round rim stands where it stood when the camera turns about its axis. Looked for where something refuses anyway: what is accepted is right.
  const rollDeg = verdict.verdict === 'refused' && evidence.defect === null ? cameraRollDeg(rig.scene.roll, maps.picture) : null;
  if (rollDeg !== null && Math.abs(rollDeg) > rollDegMax) {
    const rolled: PictureEvidence = { ...evidence, defect: 'scene-changed' };
    const detail = `the camera has turned about its axis by ${rollDeg.toFixed(1)} degrees`;
    return { reading: { ...judgePicture(rolled), dice }, evidence: rolled, detail, scene };
  }
  return {
    reading: { ...verdict, dice },
    evidence,
    detail: evidence.defect === 'scene-changed' ? shiftText(shift) : null,
    scene,
  };
}

function evidenceOf(
  rig: Rig,
  maps: ReducedMaps,
  faces: readonly FoundFace[],
  index: number,
  look: AppearanceReading,
): DieEvidence {
  const face = faces[index] as FoundFace;
  const others = faces.filter((_, i) => i !== index).map((other) => other.pose);
  const views = viewSides(face.patch, rig.geometry, rig.bodyModel, others, face.gain, rig.noise.floorNoise);
  const lean = estimateLean(
    views,
    sideWidths(rig.geometry, face.pose),
    rig.geometry.bevelEdges,
    Math.max(0.97, Math.min(1.03, face.reading.fit?.scale ?? 1)),
    rig.outlineSteps,
  );
  const bottom = bottomPose(rig.geometry, face.pose);
  const [cx, cy] = rig.geometry.centrePx;
  const outermost = Math.max(...corners(bottom).map(([x, y]) => Math.hypot(x - cx, y - cy)));
  return {
    geometric: face.reading.value,
    geometricReason: face.reading.reason,
    appearance: look.value,
    spacingRatio: face.reading.fit?.scale ?? null,
    latticeResidual: face.reading.fit?.residual ?? 0,
    squeeze: face.reading.fit?.squeeze ?? null,
    strayPips: face.reading.strayPips,
    // Where a square is clearly seen the die ends at it, whatever lies beside.
    pipsBeyondFace: hasSquare(face)
      ? 0
      : pipsBeyondFace(
          maps,
          rig.view,
          faces.map((other) => other.pose),
          index,
        ),
    sharpnessRatio: face.reading.sharpness === null ? null : face.reading.sharpness / rig.noise.pipSharpness,
    sharpnessEvenness: face.reading.sharpnessEvenness,
    sideEvenness: sideEvenness(face.patch),
    leanDeg: lean.leanDeg,
    flatOddsSupported: lean.supported,
    flatOddsAnywhere: lean.anywhere,
    seenSides: views.filter((view) => view.isSeen).length,
    overlapShare: Math.max(0, ...others.map((other) => overlapShare(face.pose, other))),
    bodyChange: Math.max(...bodyRatioOf(rig, face).map((ratio) => Math.abs(Math.log(ratio)))),
    wallGap: (rig.geometry.radiusPx - outermost) / face.pose.edgePx,
  };
}

function dieReading(face: FoundFace, look: AppearanceReading, evidence: DieEvidence): DieReading {
  const value = face.reading.value !== null && face.reading.value === look.value ? face.reading.value : null;
  return {
    value,
    centrePx: [round(face.pose.x), round(face.pose.y)],
    quadPx: corners(face.pose).map(([x, y]) => [round(x), round(y)] as const),
    angleDeg: round(angleDegOf(face.pose)),
    confidence: value === null ? 0 : round(Math.min(face.reading.confidence, look.confidence)),
    votes: { geometric: face.reading.value, appearance: look.value },
    tiltDeg: round(evidence.leanDeg),
  };
}

/** Light so weak or so strong that colours are lost: less than a sixth or more than three times that of the calibration; or a moved camera. */
function defectOf(maps: ReducedMaps, shift: SceneShift): PictureEvidence['defect'] {
  const [b, g, r] = maps.lighting.meanGain;
  if (Math.max(b, g, r) < 1 / 6 || Math.min(b, g, r) > 3) return 'bad-frame';
  return shift.kind === 'found' && isSceneChanged(shift) ? 'scene-changed' : null;
}

function shiftText(shift: SceneShift): string | null {
  if (shift.kind !== 'found') return null;
  const [x, y] = shift.shiftPx.map((value) => value.toFixed(1));
  return `camera or tray moved: the tray stands ${x}, ${y} px off, the rim ${shift.growthPx.toFixed(1)} px farther out`;
}

function unusable(defect: 'bad-frame' | 'scene-changed', detail: string): ExplainedReading {
  const evidence = { defect, dice: [], motionLimits: usualMotionLimits, strangeAreaFaces: 0 };
  return { reading: { ...judgePicture(evidence), dice: [] }, evidence, detail, scene: null };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
