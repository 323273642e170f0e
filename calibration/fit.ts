import { randomUUID } from 'node:crypto';
import {
  type DieEvidence,
  judgePicture,
  type MotionLimits,
  type PictureEvidence,
  usualMotionLimits,
} from '../src/core/judging/judge-picture.ts';
import { InputError } from '../src/errors.ts';
import { pipKinds } from '../src/vision/face-model.ts';
import { type FoundFace, findFaces, type SearchRig } from '../src/vision/find-dice.ts';
import { type Mat, releaseAll } from '../src/vision/opencv.ts';
import { decodeJpeg } from '../src/vision/picture.ts';
import { readMat } from '../src/vision/read-picture.ts';
import { encodeTemplate, makeRigView, type Rig } from '../src/vision/rig.ts';
import { sceneRaysOf } from '../src/vision/scene-shift.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';
import { findTray } from './find-tray.ts';
import { type DecodedSample, firstScale, layoutsOf, matchingFaces } from './first-scale.ts';
import { fitAppearance, missingValues } from './fit-appearance.ts';
import { fitFaceModel, type LabelledFace } from './fit-faces.ts';
import { fitGeometryBySteps } from './fit-geometry.ts';
import { fitMotionLimits } from './fit-motion-limits.ts';
import { fitOutlines } from './fit-outlines.ts';
import type { CalibrationProfile } from './profile.ts';
import { readSamples, type SampleSet } from './samples.ts';

/** Who makes a calibration, and why; kept in the file. `createdAt` is an ISO date and time. */
export interface FitPerson {
  readonly createdBy: string;
  readonly why: string;
  readonly createdAt: string;
}

/** One step of a fit, for the technician's screen. */
export type FitProgress = (text: string) => void;

/** Rounds of finding the dice with what is known and measuring again. */
const roundCount = 2;

/** Fits a calibration from a labelled folder. Takes 10 to 40 s on one core.
 *  @throws InputError `calibration.samples` (labels or pictures unusable), `calibration.no-tray`, `calibration.no-dice`,
 *  `calibration.values-missing` (a value was never found in the samples). */
export function fitProfile(folder: string, person: FitPerson, progress: FitProgress): CalibrationProfile {
  const samples = readSamples(folder);
  const opened: Mat[] = [];
  try {
    return fitSamples(samples, person, progress, opened);
  } finally {
    releaseAll(opened);
  }
}

function fitSamples(samples: SampleSet, person: FitPerson, progress: FitProgress, opened: Mat[]): CalibrationProfile {
  const emptyMat = decode(samples.empty.file, samples.empty.jpeg, samples.resolution, opened);
  const decoded: DecodedSample[] = samples.dice.map(({ file, jpeg, values }) => ({
    file,
    values,
    mat: decode(file, jpeg, samples.resolution, opened),
  }));
  const tray = trayOf(emptyMat);
  progress(`tray: centre ${tray.centrePx.map((v) => v.toFixed(1)).join(', ')} px, radius ${tray.radiusPx.toFixed(1)} px`);
  let search: SearchRig = firstScale(emptyMat, tray, decoded, progress);
  let groups = findLabelled(search, decoded);
  progress(`first pass: ${groups.length} of ${decoded.length} pictures show exactly their labelled dice`);
  let geometryFit = fitGeometryBySteps(flatten(groups), search.geometry, search.faces.pipOffset, samples.resolution);
  let labelled = toLabelled(groups);
  for (let round = 0; round < roundCount; round += 1) {
    const { geometry, pipOffset } = geometryFit;
    const faces = fitFaceModel(labelled, geometry, pipOffset);
    const view = makeRigView(emptyMat, tray.centrePx, tray.radiusPx, geometry.edgePx);
    search = {
      view,
      geometry,
      faces,
      pipFilter: { kind: 'colour', body: faces.body, pips: pipKinds(faces) },
      noise: { fullStep: search.noise.fullStep },
    };
    groups = findLabelled(search, decoded);
    labelled = toLabelled(groups);
    progress(
      `round ${round + 1}: ${groups.length} of ${decoded.length} pictures; edge ${geometry.edgePx.toFixed(2)} px, pips at ${pipOffset.toFixed(4)} edges, parallax ${geometry.parallax.toFixed(3)}, foot of the camera ${geometry.nadirPx.map((v) => v.toFixed(0)).join(', ')}`,
    );
    if (labelled.length === 0) break;
    geometryFit = fitGeometryBySteps(flatten(groups), geometry, pipOffset, samples.resolution);
  }
  if (labelled.length < 6)
    throw new InputError('calibration.no-dice', `only ${labelled.length} of the labelled dice were found, at least 6 are needed`);
  return finish(
    samples,
    person,
    progress,
    emptyMat,
    decoded,
    tray,
    {
      ...search,
      geometry: geometryFit.geometry,
      faces: fitFaceModel(labelled, geometryFit.geometry, geometryFit.pipOffset),
    },
    geometryFit.scaleResidual,
  );
}

/** Last step: learned faces, die-or-floor decision, noise of flat dice, and how the result reads its own samples. */
function finish(
  samples: SampleSet,
  person: FitPerson,
  progress: FitProgress,
  emptyMat: Mat,
  decoded: readonly DecodedSample[],
  tray: TrayCircle,
  known: SearchRig,
  scaleResidual: number,
): CalibrationProfile {
  const view = makeRigView(emptyMat, tray.centrePx, tray.radiusPx, known.geometry.edgePx);
  const search = { ...known, view };
  const groups = findLabelled(search, decoded);
  const labelled = toLabelled(groups);
  const appearance = fitAppearance(labelled);
  const missing = missingValues(appearance.templates);
  if (missing.length > 0) {
    throw new InputError(
      'calibration.values-missing',
      `no sample shows ${missing.join(', ')} clearly; add a picture of each without glare on it`,
      missing.map((value) => `value ${value}`),
    );
  }
  const { geometry, bodyModel, outlineSteps, floorNoise } = fitOutlines(groups, search.geometry, samples.resolution);
  progress(
    `camera by the outlines of dice: parallax ${geometry.parallax.toFixed(3)}, foot ${geometry.nadirPx.map((v) => v.toFixed(0)).join(', ')} px, rim ${geometry.bevelEdges.toFixed(3)} edges`,
  );
  const noise = {
    floorNoise,
    fullStep: typicalStep(groups),
    pipSharpness: typicalSharpness(groups),
    strangeAreaFaces: 0,
  };
  const rig: Rig = {
    resolution: samples.resolution,
    view,
    scene: sceneRaysOf(view, geometry),
    geometry,
    faces: search.faces,
    pipFilter: search.pipFilter,
    appearance,
    bodyModel,
    outlineSteps,
    noise,
    motionLimits: usualMotionLimits,
    isReliable: true,
  };
  const readings = readSamplesAgain(rig, decoded);
  const motionLimits = fitMotionLimits(rightDice(readings));
  const measured = judgeSamples(readings, motionLimits, progress);
  const { faces } = search;
  return {
    schemaVersion: 1,
    id: `cal-${person.createdAt.slice(0, 10)}-${randomUUID().slice(0, 8)}`,
    ...person,
    resolution: [samples.resolution[0], samples.resolution[1]],
    dieEdgeMm: samples.dieEdgeMm,
    tray: {
      centrePx: [...geometry.centrePx],
      radiusPx: geometry.radiusPx,
      mmPerPx: samples.dieEdgeMm / (geometry.edgePx * (1 - geometry.parallax)),
    },
    geometry: {
      edgePx: geometry.edgePx,
      edgeSlope: [...geometry.edgeSlope],
      nadirPx: [...geometry.nadirPx],
      parallax: geometry.parallax,
      bevelEdges: geometry.bevelEdges,
    },
    faces: {
      pipOffsetEdges: faces.pipOffset,
      pipSpreadEdges: {
        1: [...faces.pipSpread[1]],
        2: [...faces.pipSpread[2]],
        3: [...faces.pipSpread[3]],
        4: [...faces.pipSpread[4]],
        5: [...faces.pipSpread[5]],
        6: [...faces.pipSpread[6]],
      },
      pipRadiusEdges: { ...faces.pipRadius },
      body: [...faces.body],
      pipColour: {
        1: [...faces.pipColour[1]],
        2: [...faces.pipColour[2]],
        3: [...faces.pipColour[3]],
        4: [...faces.pipColour[4]],
        5: [...faces.pipColour[5]],
        6: [...faces.pipColour[6]],
      },
    },
    bodyModel: [...bodyModel.weights],
    bodyTrust: bodyModel.trust,
    outlineSteps,
    templates: appearance.templates.map(encodeTemplate),
    cellWeights: [...appearance.cellWeights].map((weight) => Math.round(weight * 1000) / 1000),
    noise: { ...noise, strangeAreaFaces: measured.strangeAreaFaces },
    motionLimits,
    measured: {
      pictureCount: decoded.length,
      dieCount: labelled.length,
      threeDiceCount: decoded.filter(({ values }) => values.length === 3).length,
      acceptedCount: measured.accepted,
      wrongCount: measured.wrong,
      scaleResidual,
      leanDegMax: measured.leanDegMax,
    },
    sampleSha256: [samples.empty, ...samples.dice].map(({ sha256 }) => sha256),
    emptyPicture: { sha256: samples.empty.sha256, jpegBase64: samples.empty.jpeg.toString('base64') },
  };
}

interface SampleReading {
  readonly file: string;
  /** Ascending. */
  readonly values: readonly number[];
  readonly evidence: PictureEvidence;
}

function readSamplesAgain(rig: Rig, decoded: readonly DecodedSample[]): SampleReading[] {
  return decoded.map(({ file, mat, values }) => ({ file, values: values.toSorted(), evidence: readMat(rig, mat).evidence }));
}

/** Dice of the pictures that show the labelled values. */
function rightDice(samples: readonly SampleReading[]): DieEvidence[] {
  return samples.flatMap(({ values, evidence: { dice } }) => {
    const seen = dice.map(({ geometric }) => geometric).sort();
    return seen.join() === values.join() ? dice : [];
  });
}

/** How the samples are judged under the limits that were fitted to them. */
function judgeSamples(
  samples: readonly SampleReading[],
  motionLimits: MotionLimits,
  progress: FitProgress,
): { accepted: number; wrong: number; leanDegMax: number; strangeAreaFaces: number } {
  const result = { accepted: 0, wrong: 0, leanDegMax: 0, strangeAreaFaces: 0 };
  for (const { file, values, evidence } of samples) {
    result.leanDegMax = Math.max(result.leanDegMax, ...evidence.dice.map((die) => die.leanDeg));
    if (evidence.dice.length === values.length)
      result.strangeAreaFaces = Math.max(result.strangeAreaFaces, evidence.strangeAreaFaces);
    if (values.length !== 3) continue;
    const verdict = judgePicture({ ...evidence, motionLimits });
    const isRight = verdict.values?.join() === values.join();
    if (verdict.verdict === 'accepted') {
      result.accepted += 1;
      if (!isRight) result.wrong += 1;
    }
    progress(
      `${file}: ${verdict.verdict === 'accepted' ? `${verdict.values.join()}${isRight ? '' : ' WRONG'}` : `refused, ${verdict.cause}`}`,
    );
  }
  return result;
}

function decode(file: string, jpeg: Buffer, [width, height]: readonly [number, number], opened: Mat[]): Mat {
  const decoded = decodeJpeg(jpeg);
  if (decoded.kind === 'unusable')
    throw new InputError('calibration.samples', `${file}: ${decoded.detail}`, [`${file}: ${decoded.detail}`]);
  opened.push(decoded.mat);
  if (decoded.mat.cols === width && decoded.mat.rows === height) return decoded.mat;
  throw new InputError(
    'calibration.samples',
    `${file} is ${decoded.mat.cols} x ${decoded.mat.rows}, the label says ${width} x ${height}`,
  );
}

function trayOf(emptyMat: Mat): TrayCircle {
  const tray = findTray(emptyMat);
  if (tray !== null) return tray;
  throw new InputError(
    'calibration.no-tray',
    'no round tray was found in the empty picture; it must fill 56 to 100 % of the picture height',
  );
}

/** Step, grey levels per px of the reduced picture, that half of the samples' squares reach; a little less counts as fully seen. */
function typicalStep(groups: readonly FaceGroup[]): number {
  const steps = flatten(groups)
    .map((face) => face.edgeStep)
    .sort((a, b) => a - b);
  return Math.max(3, 0.7 * (steps[steps.length >> 1] ?? 10));
}

/** Median sharpness of the samples' pips. */
function typicalSharpness(groups: readonly FaceGroup[]): number {
  const values = flatten(groups)
    .flatMap((face) => (face.reading.sharpness === null ? [] : [face.reading.sharpness]))
    .sort((a, b) => a - b);
  return Math.max(0.05, values[values.length >> 1] ?? 0.4);
}

interface FaceGroup {
  readonly values: DecodedSample['values'];
  readonly faces: readonly FoundFace[];
}

/** Pictures in which exactly the labelled dice were found; only layouts of the labelled values are looked for. */
function findLabelled(search: SearchRig, decoded: readonly DecodedSample[]): FaceGroup[] {
  return decoded.flatMap(({ mat, values }) => {
    const picked = matchingFaces(findFaces(search, mat, layoutsOf(values)).faces, values);
    return picked === null ? [] : [{ values, faces: picked }];
  });
}

function flatten(groups: readonly FaceGroup[]): FoundFace[] {
  return groups.flatMap((group) => group.faces);
}

function toLabelled(groups: readonly FaceGroup[]): LabelledFace[] {
  return flatten(groups).flatMap((face) => (face.reading.value === null ? [] : [{ value: face.reading.value, face }]));
}
