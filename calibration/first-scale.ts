import type { Face } from '../src/core/rules/dice.ts';
import { InputError } from '../src/errors.ts';
import { type FoundFace, findFaces, type SearchRig } from '../src/vision/find-dice.ts';
import type { Mat } from '../src/vision/opencv.ts';
import { pipLayouts } from '../src/vision/pip-layouts.ts';
import { makeRigView } from '../src/vision/rig.ts';
import type { TrayCircle } from '../src/vision/tray-circle.ts';

/** A decoded sample. */
export interface DecodedSample {
  readonly file: string;
  readonly mat: Mat;
  readonly values: readonly Face[];
}

/** Pip offset assumed before it is measured, edges: western and Asian dice of the trade have 0.22 to 0.29. */
const assumedOffset = 0.26;
const assumedRadius = 0.09;
/** Die edge over tray radius, smallest and largest tried: dice of 14 to 20 mm in trays of 90 to 150 mm. */
const edgeShareMin = 0.17;
const edgeShareMax = 0.48;
const edgeStep = 1.06;
/** Pictures used to find the scale. */
const pictureCountMax = 6;

/** A rig that knows nothing but its tray and a guess of the die's edge: pips are whatever stands out from the body. */
export function guessedRig(emptyMat: Mat, tray: TrayCircle, edgePx: number): SearchRig {
  // A 1 may be the large red one of Macau dice; the wider window still finds a small one.
  const radius = {
    1: 1.45 * assumedRadius,
    2: assumedRadius,
    3: assumedRadius,
    4: assumedRadius,
    5: assumedRadius,
    6: assumedRadius,
  };
  const none = [0, 0, 0] as const;
  const spread = [assumedOffset, assumedOffset] as const;
  return {
    view: makeRigView(emptyMat, tray.centrePx, tray.radiusPx, edgePx),
    geometry: {
      centrePx: tray.centrePx,
      radiusPx: tray.radiusPx,
      edgePx,
      edgeSlope: [0, 0],
      nadirPx: tray.centrePx,
      parallax: 0.042,
      bevelEdges: 0,
    },
    faces: {
      pipOffset: assumedOffset,
      pipSpread: { 1: spread, 2: spread, 3: spread, 4: spread, 5: spread, 6: spread },
      pipRadius: radius,
      body: [0, 0, 0],
      pipColour: { 1: none, 2: none, 3: none, 4: none, 5: none, 6: none },
    },
    pipFilter: { kind: 'contrast' },
    noise: { fullStep: null },
  };
}

/** Layouts of the given values. */
export function layoutsOf(values: readonly Face[]): number[] {
  return pipLayouts.flatMap((layout, index) => (values.includes(layout.value) ? [index] : []));
}

/** Picks faces whose values are exactly those of the label; null when the picture shows anything else. */
export function matchingFaces(faces: readonly FoundFace[], values: readonly Face[]): FoundFace[] | null {
  const picked: FoundFace[] = [];
  const open = [...values];
  for (const face of faces) {
    const place = face.reading.value === null ? -1 : open.indexOf(face.reading.value);
    if (place < 0) continue;
    open.splice(place, 1);
    picked.push(face);
  }
  return open.length === 0 ? picked : null;
}

/** Values whose pips tell the size of a face. The 4 of Asian dice is tighter and their 6 narrower than the other values, which agree. */
export function tellsSize(face: FoundFace): boolean {
  const { value } = face.reading;
  return value === 2 || value === 3 || value === 5;
}

/** Finds the die's edge in px by trying sizes: at the right one the known values are found with their pips on a lattice of that size.
 *  @throws InputError `calibration.no-dice` when no size shows the labelled dice. */
export function firstScale(
  emptyMat: Mat,
  tray: TrayCircle,
  samples: readonly DecodedSample[],
  progress: (text: string) => void,
): SearchRig {
  // Faces with a spread of pips tell the size; pictures with few dice come first because nothing else can be confused with them.
  const chosen = [...samples]
    .filter((sample) => sample.values.some((value) => value >= 2))
    .sort((a, b) => a.values.length - b.values.length)
    .slice(0, pictureCountMax);
  let best: { rig: SearchRig; score: number; edgePx: number } | null = null;
  for (let edgePx = edgeShareMin * tray.radiusPx; edgePx <= edgeShareMax * tray.radiusPx; edgePx *= edgeStep) {
    const rig = guessedRig(emptyMat, tray, edgePx);
    const ratios: number[] = [];
    let score = 0;
    for (const sample of chosen) {
      const picked = matchingFaces(findFaces(rig, sample.mat, layoutsOf(sample.values)).faces, sample.values);
      if (picked === null) continue;
      for (const face of picked) {
        score += face.quality / picked.length;
        if (face.reading.fit?.scale && tellsSize(face)) ratios.push(face.reading.fit.scale);
      }
    }
    ratios.sort((a, b) => a - b);
    const ratio = ratios[ratios.length >> 1] ?? 1;
    const agreement = 1 - Math.min(1, 4 * Math.abs(ratio - 1));
    progress(`edge ${edgePx.toFixed(1)} px: ${score.toFixed(2)} of ${chosen.length}, lattice ratio ${ratio.toFixed(3)}`);
    const total = score * (0.5 + 0.5 * agreement);
    if (best === null || total > best.score) best = { rig, score: total, edgePx };
  }
  if (best === null || best.score < 0.3 * chosen.length) {
    throw new InputError('calibration.no-dice', 'the labelled dice were not found in the samples', [
      'check that the labels give the top faces, that the dice lie flat inside the tray, and that the picture is sharp and not over-exposed',
    ]);
  }
  return best.rig;
}
