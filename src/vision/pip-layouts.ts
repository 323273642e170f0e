import type { Face } from '../core/rules/dice.ts';

/** The nine places of a face where pips can be, row by row in the die's own frame: column -1, 0, 1 and row -1, 0, 1. */
export const latticeCells: readonly (readonly [number, number])[] = [
  [-1, -1],
  [0, -1],
  [1, -1],
  [-1, 0],
  [0, 0],
  [1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
];

/** One way in which a legal face can lie within a quarter turn: which of the nine places carry a pip. */
export interface PipLayout {
  readonly value: Face;
  readonly cells: readonly number[];
}

/** Distance of a value's outer pips from the centre lines of the face, edges: along a row of three (only a 6 has one) and across it. */
export type PipSpread = readonly [along: number, across: number];

/** Where a pip of a layout lies on the face, edges from its centre. The tight 4 and the narrow 6 of Asian dice have spreads of their own. */
export function pipPlace(layout: PipLayout, cell: number, [along, across]: PipSpread): [number, number] {
  const [i, j] = latticeCells[cell] ?? [0, 0];
  const hasRowsUp = layout.value === 6 && layout.cells.includes(3);
  return hasRowsUp ? [i * across, j * along] : [i * along, j * across];
}

/** Every legal arrangement of pips. 2, 3 and 6 look different after a quarter turn, so they appear twice. A place in the middle of a side
 *  carries a pip only on a 6; no face has a pip in the middle of the side and in the centre. */
export const pipLayouts: readonly PipLayout[] = [
  { value: 1, cells: [4] },
  { value: 2, cells: [0, 8] },
  { value: 2, cells: [2, 6] },
  { value: 3, cells: [0, 4, 8] },
  { value: 3, cells: [2, 4, 6] },
  { value: 4, cells: [0, 2, 6, 8] },
  { value: 5, cells: [0, 2, 4, 6, 8] },
  { value: 6, cells: [0, 2, 3, 5, 6, 8] },
  { value: 6, cells: [0, 1, 2, 6, 7, 8] },
];
