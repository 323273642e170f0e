import type { RefusalCause } from '../../core/judging/reading.ts';
import { sortedDice } from '../../core/rules/dice.ts';
import { angleDegOf, corners } from '../die-pose.ts';
import type { Mat } from '../opencv.ts';
import { decodeJpeg } from '../picture.ts';
import { facesAround, type SeenFace } from './found-faces.ts';
import { judgeFaces } from './judge-faces.ts';
import { workingPicture } from './plane.ts';
import { bodyLimits, findRoundSpots, pipLimits } from './round-spots.ts';
import type { UncalibratedDie, UncalibratedReading } from './uncalibrated-reading.ts';

/** Most round spots of one channel and polarity. Three sixes with their sides have 60, grained wood adds 100; carpet and cloth have 500 to 1,500. */
const spotCountMax = 300;

/** Reads three dice from above on a plain surface, with nothing known of camera, scale, dice and light. Refuses what it is not sure of. Never throws
 *  for what a picture contains; takes about a second. */
export function readUncalibrated(jpeg: Buffer): UncalibratedReading {
  const decoded = decodeJpeg(jpeg);
  if (decoded.kind === 'unusable') return refused('bad-frame', [], 1, decoded.detail);
  try {
    return readMat(decoded.mat);
  } finally {
    decoded.mat.release();
  }
}

function readMat(mat: Mat): UncalibratedReading {
  const picture = workingPicture(mat);
  const found = picture.searched.flatMap((plane) =>
    [false, true].map((isDark) => findRoundSpots(plane, isDark, [pipLimits, bodyLimits])),
  );
  const [spots, bodies] = [found.map(([pips = []]) => pips), found.flatMap(([, each = []]) => each)];
  const spotCount = Math.max(...spots.map((each) => each.length));
  if (spotCount > spotCountMax) return refused('foreign-object', [], 1, `no plain surface: ${spotCount} round spots`);
  const faces = spots.flatMap((each) => facesAround(picture, each));
  const judged = judgeFaces(picture, faces, spots.flat(), bodies);
  if (judged.cause !== null) return refused(judged.cause, judged.dice, picture.pxPerPx, judged.detail);
  const [a, b, c] = judged.dice.map(({ face }) => face.value);
  if (a === undefined || b === undefined || c === undefined) return refused('too-few-dice', judged.dice, picture.pxPerPx, null);
  return {
    isCalibrated: false,
    seenValues: sortedDice(a, b, c),
    refusedFor: null,
    seenDice: judged.dice.map((die) => dieOf(die, picture.pxPerPx)),
    detail: null,
  };
}

function refused(cause: RefusalCause, dice: readonly SeenFace[], pxPerPx: number, detail: string | null): UncalibratedReading {
  return { isCalibrated: false, seenValues: null, refusedFor: cause, seenDice: dice.map((die) => dieOf(die, pxPerPx)), detail };
}

/** Margin between the best and the next best drawn face of a clean 4 or 5, which differ by one pip. */
const cleanMargin = 0.12;

function dieOf({ face, body, look }: SeenFace, pxPerPx: number): UncalibratedDie {
  const round = (value: number): number => Math.round(value * 100) / 100;
  return {
    value: face.value,
    centrePx: [round(face.x * pxPerPx), round(face.y * pxPerPx)],
    quadPx: corners(body.pose).map(([x, y]) => [round(x * pxPerPx), round(y * pxPerPx)] as const),
    angleDeg: round(angleDegOf(body.pose)),
    confidence: round(Math.max(0, Math.min(1, (look.best - look.otherBest) / cleanMargin))),
  };
}
