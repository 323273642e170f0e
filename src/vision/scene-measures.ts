import type { SceneMeasures } from '../core/judging/scene-measures.ts';
import type { FoundFace } from './find-dice.ts';
import type { ReducedMaps } from './reduced-maps.ts';
import type { Rig } from './rig.ts';
import type { SceneShift } from './scene-shift.ts';

/** Added to both colours before they are compared, grey levels: dark dice are noise below it. */
const darkLevel = 12;

/** What a reading shows of light, camera and dice against the calibration; from measurements that were made for the reading anyway. */
export function sceneMeasuresOf(
  rig: Rig,
  { lighting }: ReducedMaps,
  faces: readonly FoundFace[],
  shift: SceneShift,
): SceneMeasures {
  const read = faces.filter(({ reading }) => reading.value !== null);
  return {
    gain: lighting.meanGain,
    unevenness: lighting.unevenness,
    displacementEdges: shift.kind === 'found' ? shift.displacementEdges : null,
    dice: read.map((face) => ({
      sharpnessRatio: face.reading.sharpness === null ? null : face.reading.sharpness / rig.noise.pipSharpness,
      spacingRatio: face.reading.fit?.scale ?? null,
      bodyRatio: bodyRatioOf(rig, face),
    })),
  };
}

/** Body colour of a die in the light of the calibration over the calibrated one, blue, green, red. */
export function bodyRatioOf({ faces }: Rig, { patch, gain }: FoundFace): readonly [number, number, number] {
  const ratio = (c: 0 | 1 | 2): number => (patch.body[c] / gain[c] + darkLevel) / (faces.body[c] + darkLevel);
  return [ratio(0), ratio(1), ratio(2)];
}
