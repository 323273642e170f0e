import { coloursAndLight } from './colours-and-light.ts';
import { driftingLight } from './drifting-light.ts';
import { highlights } from './highlights.ts';
import { notThreeFlat } from './not-three-flat.ts';
import { scaleBandsShadows } from './scale-bands-shadows.ts';
import { shakingCamera } from './shaking-camera.ts';
import { sideFaces } from './side-faces.ts';
import { touchingDice } from './touching-dice.ts';
import type { Trigger } from './trigger.ts';
import { wrongSplit } from './wrong-split.ts';

/** All triggers, in the order of their ids. */
export const triggers: readonly Trigger[] = [
  driftingLight,
  highlights,
  touchingDice,
  wrongSplit,
  sideFaces,
  notThreeFlat,
  shakingCamera,
  coloursAndLight,
  scaleBandsShadows,
];
