import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { InputError } from '../src/errors.ts';
import { writeWholeFile } from './whole-file.ts';

const colour = z.tuple([z.number(), z.number(), z.number()]);
const perFace = <T extends z.ZodType>(item: T) => z.strictObject({ 1: item, 2: item, 3: item, 4: item, 5: item, 6: item });

/** The calibration of one rig, as it lies on disk (JSON). Lengths in px of the picture, in edges of a die where the key says so, colours as
 *  blue, green, red from 0 to 255 in the light of the empty picture. Written by `sicbo calibrate fit`, never by hand. */
export const profileSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** Names this calibration in the journal; new for every fit. */
  id: z.string().min(8).max(80),
  createdAt: z.iso.datetime(),
  createdBy: z.string().min(1).max(80),
  why: z.string().min(1).max(400),
  /** Width and height of every picture of this camera, px. */
  resolution: z.tuple([z.number().int().min(64).max(4096), z.number().int().min(64).max(4096)]),
  dieEdgeMm: z.number().min(8).max(40),
  tray: z.strictObject({
    centrePx: z.tuple([z.number(), z.number()]),
    radiusPx: z.number().positive(),
    /** Millimetres on the floor per px at the tray's centre. */
    mmPerPx: z.number().positive(),
  }),
  geometry: z.strictObject({
    edgePx: z.number().min(20).max(400),
    edgeSlope: z.tuple([z.number(), z.number()]),
    nadirPx: z.tuple([z.number(), z.number()]),
    /** Height of a die over the height of the camera. */
    parallax: z.number().min(0).max(0.4),
    /** Rounded rim between the visible edge of a top face and the die's outline, edges. */
    bevelEdges: z.number().min(0).max(0.1),
  }),
  faces: z.strictObject({
    pipOffsetEdges: z.number().min(0.15).max(0.36),
    /** Distance of the outer pips of each value, along a row of three and across. */
    pipSpreadEdges: perFace(z.tuple([z.number().min(0.1).max(0.4), z.number().min(0.1).max(0.4)])),
    pipRadiusEdges: perFace(z.number().min(0.03).max(0.3)),
    body: colour,
    pipColour: perFace(colour),
  }),
  /** Weights of "this px belongs to a die"; see side-faces. */
  bodyModel: z.array(z.number()).length(28),
  /** How far colour alone tells die from floor; see side-faces. Absent in files of earlier versions: not at all. */
  bodyTrust: z.number().min(0).max(1).exactOptional(),
  /** Steps of colour at the ends of side faces and elsewhere; see outline-steps. Null when too few side faces were in view, absent in files of
   *  earlier versions. */
  outlineSteps: z
    .strictObject({
      endMean: z.number(),
      endScatter: z.number().positive(),
      restMean: z.number(),
      restScatter: z.number().positive(),
    })
    .nullable()
    .exactOptional(),
  /** Learned faces of the appearance reader: value, and base64 of its cells as signed bytes times `unit`. */
  templates: z
    .array(z.strictObject({ value: z.number().int().min(1).max(6), unit: z.number().positive(), cells: z.string() }))
    .min(6)
    .max(64),
  /** How much each cell of a learned face counts, rows first, mean 1. Absent in files of earlier versions: all count the same. */
  cellWeights: z.array(z.number().min(0).max(100)).length(400).exactOptional(),
  /** What flat dice of the samples measured; the reader's limits follow from these. */
  noise: z.strictObject({
    /** Variance of (picture - empty picture) on bare floor, squared grey levels. */
    floorNoise: z.number().positive(),
    /** Largest step of brightness that a typical side shows, grey levels per px of the reduced picture. */
    fullStep: z.number().positive(),
    /** Median sharpness of pips; see `pipSharpness`. */
    pipSharpness: z.number().positive(),
    /** Largest unexplained area in a sample, in areas of a die's face. */
    strangeAreaFaces: z.number().min(0),
  }),
  /** Limits below which a die moves, from how sharp the flat dice of the samples are. Absent in files of earlier versions. */
  motionLimits: z
    .strictObject({
      sharpnessRatioMin: z.number().positive(),
      sharpnessEvennessMin: z.number().positive(),
      sideEvennessMin: z.number().positive(),
      sideEvennessOfOneMin: z.number().positive(),
    })
    .exactOptional(),
  /** How the fitted calibration reads its own samples. */
  measured: z.strictObject({
    pictureCount: z.number().int(),
    dieCount: z.number().int(),
    /** Samples of three dice; a calibration that reads fewer than half of them refuses every picture as `low-contrast`. Missing in older files. */
    threeDiceCount: z.number().int().min(0).optional(),
    acceptedCount: z.number().int(),
    wrongCount: z.number().int(),
    scaleResidual: z.number(),
    leanDegMax: z.number(),
  }),
  /** SHA-256 of every picture the fit has seen; a validation must show others. Absent in files of earlier versions. */
  sampleSha256: z.array(z.string().length(64)).exactOptional(),
  /** The very JPEG of the empty tray. */
  emptyPicture: z.strictObject({ sha256: z.string().length(64), jpegBase64: z.string() }),
});

/** A calibration; see `profileSchema`. */
export type CalibrationProfile = z.infer<typeof profileSchema>;

/** Share of a calibration's own three-dice samples that it must read. Dice that stand out from the floor give 0.8 and more; of black dice on a black
 *  or dark grey floor, where wrong places were found, none to a third were read. */
const ownShareMin = 0.5;

/** False for a calibration that reads fewer than half of its own three-dice samples: its dice and floor are too alike, and it must not judge. Older
 *  files do not tell, and count as reliable. */
export function isReliable({ measured }: Pick<CalibrationProfile, 'measured'>): boolean {
  return measured.acceptedCount >= ownShareMin * (measured.threeDiceCount ?? 0);
}

/** Reads a calibration file. @throws InputError `calibration.unreadable` when there is none or it is no JSON, `calibration.invalid` with
 *  every problem found, `calibration.edited` when it is not what was written. */
export function readProfile(path: string): CalibrationProfile {
  return profileOf(readProfileBytes(path), path);
}

/** The bytes of a calibration file, unchecked. @throws InputError `calibration.unreadable`. */
export function readProfileBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The calibration in the bytes of a file. @param path for the words of errors only. @throws as `readProfile`. */
export function profileOf(bytes: Uint8Array, path: string): CalibrationProfile {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw unreadable(path, error);
  }
  const { contentSha256, ...content } = typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  if (contentSha256 !== undefined && contentSha256 !== sha256Of(content)) {
    throw new InputError(
      'calibration.edited',
      `the calibration file ${path} was changed after it was written; activate a kept one again, or make a new one`,
    );
  }
  const parsed = profileSchema.safeParse(content);
  if (parsed.success && isTrayInPicture(parsed.data)) return parsed.data;
  const problems = parsed.success
    ? ['tray: it does not lie in the picture']
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new InputError(
    'calibration.invalid',
    `the calibration file ${path} has ${problems.length} problem(s); make it again with sicbo calibrate fit`,
    problems,
  );
}

function unreadable(path: string, error: unknown): InputError {
  const detail = error instanceof Error ? error.message : 'unknown';
  return new InputError('calibration.unreadable', `the calibration file ${path} cannot be read: ${detail}`, [], { cause: error });
}

/** Writes a calibration file so that a power cut leaves either the old or the new one. @throws InputError `calibration.unwritable`. */
export function writeProfile(path: string, profile: CalibrationProfile): void {
  writeWholeFile(path, profileText(profile));
}

/** The very text of a calibration file. It ends with the SHA-256 of all that stands before: a file that a hand has edited may switch checks off without a
 *  word, and is refused. Files of earlier versions have none. */
export function profileText(profile: CalibrationProfile): string {
  const content = profileSchema.parse(profile);
  return `${JSON.stringify({ ...content, contentSha256: sha256Of(content) }, null, 1)}\n`;
}

function sha256Of(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** A camera may cut off a part of the rim, never the middle. */
function isTrayInPicture({ tray: { centrePx, radiusPx }, resolution }: CalibrationProfile): boolean {
  const isInside = ([0, 1] as const).every((axis) => centrePx[axis] > 0 && centrePx[axis] < resolution[axis]);
  return isInside && 2 * radiusPx <= 1.2 * Math.max(...resolution);
}
