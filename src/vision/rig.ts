import { type CalibrationProfile, isReliable } from '../../calibration/profile.ts';
import { type MotionLimits, usualMotionLimits } from '../core/judging/judge-picture.ts';
import type { Face } from '../core/rules/dice.ts';
import { InputError } from '../errors.ts';
import { type AppearanceModel, appearanceGrid, evenWeights, type FaceTemplate } from './appearance-reader.ts';
import { type FaceModel, pipKinds } from './face-model.ts';
import type { Mat } from './opencv.ts';
import type { OutlineSteps } from './outline-steps.ts';
import { copyPart, decodeJpeg, type PixelRect } from './picture.ts';
import type { PipFilter, ReducedTray } from './reduced-maps.ts';
import { type SceneRays, sceneRaysOf } from './scene-shift.ts';
import type { BodyModel } from './side-faces.ts';
import type { TrayGeometry } from './tray-geometry.ts';

/** Edge of a die in the reduced picture, px. At 28 a pip is 5 px wide, enough to be told, and the search over the tray takes about 3 ms. */
export const reducedEdgePx = 28;
/** The reduced picture shows the tray and a fifth of its radius around it, so that a die on the rim is in view. */
const viewShare = 1.18;

/** A calibration made ready for reading: everything that does not change from picture to picture. Holds native memory. */
export interface Rig {
  readonly resolution: readonly [number, number];
  readonly geometry: TrayGeometry;
  readonly view: RigView;
  readonly faces: FaceModel;
  readonly pipFilter: PipFilter;
  readonly appearance: AppearanceModel;
  readonly bodyModel: BodyModel;
  /** What the silhouettes of flat dice look like; null in calibrations of earlier versions. */
  readonly outlineSteps: OutlineSteps | null;
  readonly noise: CalibrationProfile['noise'];
  readonly motionLimits: MotionLimits;
  /** What stands fixed around the tray, to notice a moved camera. */
  readonly scene: SceneRays;
  /** False for a calibration that could not read its own samples: its dice and floor are too alike, and it must not judge. */
  readonly isReliable: boolean;
}

/** The empty tray in its two resolutions. */
export interface RigView {
  readonly referenceMat: Mat;
  /** Part of the picture that is reduced, px. */
  readonly rect: PixelRect;
  /** Px of the reduced picture per px of the picture. */
  readonly scale: number;
  readonly tray: ReducedTray;
  /** Value of the brightest channel from which a px of the empty tray counts as glare. */
  readonly glareFrom: number;
}

/** A length that can be halved, which `copyPart` does quickest: one px more when it is odd, one less when that does not fit. */
function evenLength(lengthPx: number, lengthPxMax: number): number {
  const even = lengthPx + (lengthPx % 2);
  return even <= lengthPxMax ? even : lengthPxMax - (lengthPxMax % 2);
}

/** Prepares the view of an empty tray. @param edgePx edge of a die in the picture, px. */
export function makeRigView(referenceMat: Mat, centrePx: readonly [number, number], radiusPx: number, edgePx: number): RigView {
  const half = radiusPx * viewShare;
  const left = Math.max(0, Math.floor(centrePx[0] - half));
  const top = Math.max(0, Math.floor(centrePx[1] - half));
  const width = evenLength(Math.ceil(centrePx[0] + half) - left, referenceMat.cols - left);
  const height = evenLength(Math.ceil(centrePx[1] + half) - top, referenceMat.rows - top);
  const rect = { x: left, y: top, width, height };
  const scale = Math.min(1, reducedEdgePx / edgePx);
  const reference = copyPart(referenceMat, rect, Math.round(width * scale), Math.round(height * scale));
  const insideTray = new Uint8Array(reference.width * reference.height);
  const values: number[] = [];
  for (let y = 0; y < reference.height; y += 1) {
    for (let x = 0; x < reference.width; x += 1) {
      const distance = Math.hypot(left + (x + 0.5) / scale - centrePx[0], top + (y + 0.5) / scale - centrePx[1]);
      if (distance > radiusPx * 0.98) continue;
      const i = y * reference.width + x;
      insideTray[i] = 1;
      values.push(brightest(reference.data, i));
    }
  }
  const glareFrom = glareLevel(values);
  const glare = new Uint8Array(insideTray.length);
  for (let y = 1; y < reference.height - 1; y += 1) {
    for (let x = 1; x < reference.width - 1; x += 1) {
      const i = y * reference.width + x;
      if (insideTray[i] === 0 || brightest(reference.data, i) < glareFrom) continue;
      for (const dy of [-1, 0, 1]) for (const dx of [-1, 0, 1]) glare[i + dy * reference.width + dx] = 1;
    }
  }
  return { referenceMat, rect, scale, tray: { reference, insideTray, glare, edgePx: edgePx * scale }, glareFrom };
}

/** Value of the brightest channel from which a px of the empty tray is glare: what stands far above the floor, half of the way from the floor's
 *  bright end to white. @param floorValues brightest channel of every px of the floor. */
export function glareLevel(floorValues: readonly number[]): number {
  const floorBright = [...floorValues].sort((a, b) => a - b)[Math.floor(floorValues.length * 0.8)] ?? 128;
  return Math.min(250, floorBright + 0.5 * (255 - floorBright));
}

/** Opens a calibration. The caller releases `view.referenceMat` when done.
 *  @throws InputError `calibration.damaged` when its empty picture cannot be decoded or has another size than the calibration says. */
export function openRig(profile: CalibrationProfile): Rig {
  const decoded = decodeJpeg(Buffer.from(profile.emptyPicture.jpegBase64, 'base64'));
  if (decoded.kind === 'unusable')
    throw new InputError('calibration.damaged', `the empty picture of calibration ${profile.id}: ${decoded.detail}`);
  const [width, height] = profile.resolution;
  if (decoded.mat.cols !== width || decoded.mat.rows !== height) {
    throw new InputError(
      'calibration.damaged',
      `the empty picture of calibration ${profile.id} is ${decoded.mat.cols} x ${decoded.mat.rows}, it says ${width} x ${height}`,
    );
  }
  const { tray, geometry } = profile;
  const faces: FaceModel = {
    pipOffset: profile.faces.pipOffsetEdges,
    pipSpread: profile.faces.pipSpreadEdges,
    pipRadius: profile.faces.pipRadiusEdges,
    body: profile.faces.body,
    pipColour: profile.faces.pipColour,
  };
  const place = { centrePx: tray.centrePx, radiusPx: tray.radiusPx, ...geometry };
  const view = makeRigView(decoded.mat, tray.centrePx, tray.radiusPx, geometry.edgePx);
  return {
    resolution: profile.resolution,
    geometry: place,
    view,
    scene: sceneRaysOf(view, place),
    faces,
    pipFilter: { kind: 'colour', body: faces.body, pips: pipKinds(faces) },
    appearance: {
      templates: profile.templates.map(decodeTemplate),
      cellWeights: profile.cellWeights === undefined ? evenWeights() : Float32Array.from(profile.cellWeights),
    },
    bodyModel: { weights: profile.bodyModel, trust: profile.bodyTrust ?? 0 },
    outlineSteps: profile.outlineSteps ?? null,
    noise: profile.noise,
    motionLimits: profile.motionLimits ?? usualMotionLimits,
    isReliable: isReliable(profile),
  };
}

/** Packs a learned face for the calibration file. */
export function encodeTemplate(template: FaceTemplate): CalibrationProfile['templates'][number] {
  const unit = Math.max(1e-6, ...template.cells.map(Math.abs)) / 127;
  const bytes = Int8Array.from(template.cells, (value) => Math.round(value / unit));
  return { value: template.value, unit, cells: Buffer.from(bytes.buffer).toString('base64') };
}

function decodeTemplate(packed: CalibrationProfile['templates'][number]): FaceTemplate {
  const bytes = new Int8Array(Buffer.from(packed.cells, 'base64'));
  if (bytes.length !== 3 * appearanceGrid * appearanceGrid) {
    throw new InputError(
      'calibration.damaged',
      `a learned face has ${bytes.length} numbers instead of ${3 * appearanceGrid * appearanceGrid}`,
    );
  }
  return { value: packed.value as Face, cells: Float32Array.from(bytes, (value) => value * packed.unit) };
}

function brightest(data: Uint8Array, pixel: number): number {
  return Math.max(data[3 * pixel] ?? 0, data[3 * pixel + 1] ?? 0, data[3 * pixel + 2] ?? 0);
}
