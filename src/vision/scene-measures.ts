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
    dice: read.map(({ reading, patch, gain }) => {
      const ratio = (c: 0 | 1 | 2): number => (patch.body[c] / gain[c] + darkLevel) / (rig.faces.body[c] + darkLevel);
      return {
        sharpnessRatio: reading.sharpness === null ? null : reading.sharpness / rig.noise.pipSharpness,
        spacingRatio: reading.fit?.scale ?? null,
        bodyRatio: [ratio(0), ratio(1), ratio(2)],
      };
    }),
  };
}
