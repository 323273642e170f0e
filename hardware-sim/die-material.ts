import type { Face } from '../src/core/rules/dice.ts';
import { faceAxes, pipGrid } from './die-body.ts';
import type { Colour, DieStyle } from './rig.ts';
import type { Vec3 } from './rotation.ts';

/** How a die looks; colours are shares of the light given back. */
export interface DieMaterial {
  readonly body: Colour;
  readonly pip: Colour;
  /** Colour of the pips on 1 and 4. */
  readonly redPip: Colour;
  /** Pip radius of face 1, as a factor on the others. */
  readonly onePipFactor: number;
  readonly shine: number;
  /** Depth of the pips: 0 flat paint, 1 a deep bowl. */
  readonly bowl: number;
  /** Light that passes through the body, 0 to 1. */
  readonly clear: number;
}

const dark: Colour = [0.012, 0.012, 0.014];
const pale: Colour = [0.74, 0.73, 0.7];
const crimson: Colour = [0.5, 0.012, 0.02];
const scarlet: Colour = [0.62, 0.04, 0.03];
/** The materials by name. */
export const dieMaterials: Readonly<Record<DieStyle, DieMaterial>> = {
  white: { body: [0.72, 0.71, 0.69], pip: dark, redPip: dark, onePipFactor: 1, shine: 0.3, bowl: 0.8, clear: 0 },
  macau: { body: [0.74, 0.73, 0.7], pip: dark, redPip: crimson, onePipFactor: 1.75, shine: 0.3, bowl: 0.8, clear: 0 },
  ivory: { body: [0.58, 0.47, 0.29], pip: dark, redPip: dark, onePipFactor: 1, shine: 0.22, bowl: 0.9, clear: 0 },
  black: { body: [0.02, 0.02, 0.022], pip: pale, redPip: pale, onePipFactor: 1, shine: 0.18, bowl: 0.25, clear: 0 },
  'white-red': { body: [0.72, 0.71, 0.69], pip: crimson, redPip: crimson, onePipFactor: 1, shine: 0.3, bowl: 0.7, clear: 0 },
  'ivory-red': { body: [0.58, 0.47, 0.29], pip: crimson, redPip: crimson, onePipFactor: 1.4, shine: 0.22, bowl: 0.7, clear: 0 },
  'black-red': { body: [0.02, 0.02, 0.022], pip: scarlet, redPip: scarlet, onePipFactor: 1, shine: 0.18, bowl: 0.2, clear: 0 },
  'red-black': { body: [0.42, 0.014, 0.02], pip: dark, redPip: dark, onePipFactor: 1, shine: 0.3, bowl: 0.6, clear: 0 },
  red: { body: [0.42, 0.014, 0.02], pip: pale, redPip: pale, onePipFactor: 1, shine: 0.3, bowl: 0.1, clear: 0 },
  'translucent-red': { body: [0.26, 0.01, 0.016], pip: pale, redPip: pale, onePipFactor: 1, shine: 0.45, bowl: 0, clear: 0.8 },
};

/** Face, the two body axes its layout is drawn in, and its pips as bits of a 3 x 3 grid; index = axis * 2 + (1 when the normal is negative). */
export const faceTable = [2, 5, 3, 4, 1, 6].map((value) => {
  const face = value as Face;
  const axisIndex = (axis: Vec3): number => axis.findIndex((x) => x !== 0);
  return {
    face,
    uAxis: axisIndex(faceAxes[face][0]),
    vAxis: axisIndex(faceAxes[face][1]),
    bits: pipGrid[face].reduce((bits, [u, v]) => bits | (1 << ((v + 1) * 3 + u + 1)), 0),
  };
});
