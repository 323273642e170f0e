import type { Face } from '../src/core/rules/dice.ts';
import {
  type AppearanceModel,
  appearanceGrid,
  evenWeights,
  type FaceLook,
  type FaceTemplate,
  faceLook,
  normalisedLook,
} from '../src/vision/appearance-reader.ts';
import { pipLayouts } from '../src/vision/pip-layouts.ts';
import type { LabelledFace } from './fit-faces.ts';

const allFaces: readonly Face[] = [1, 2, 3, 4, 5, 6];
/** Rounds of learning the faces under the weights of the round before: lights on the rim spoil the scale of a look until their cells count little. */
const roundCount = 3;

/** Share of the largest difference of a ring from which a ring tells values apart. */
const tellingShareMin = 0.1;

/** One sample in one of the four ways in which it could lie. */
interface TurnedLook {
  readonly value: Face;
  /** Way of lying: an index into `pipLayouts`. */
  readonly layoutIndex: number;
  readonly look: FaceLook;
}

/** Learns the faces: the mean normalised look of each value in each way it can lie, every sample turned by all four quarter turns, and how much each cell
 *  can be trusted. */
export function fitAppearance(labelled: readonly LabelledFace[]): AppearanceModel {
  const looks = labelled.flatMap(({ value, face }) => turnedLooks(value, face.reading.layoutIndex, faceLook(face.patch)));
  let cellWeights = evenWeights();
  let templates = meanLooks(looks, cellWeights);
  for (let round = 1; round < roundCount; round += 1) {
    cellWeights = weightsOf(looks, templates, cellWeights, firstTellingRing(templates));
    templates = meanLooks(looks, cellWeights);
  }
  return { templates, cellWeights };
}

/** Values that no template shows. */
export function missingValues(templates: readonly FaceTemplate[]): Face[] {
  return allFaces.filter((value) => !templates.some((template) => template.value === value));
}

function turnedLooks(value: Face, layoutIndex: number, first: FaceLook): TurnedLook[] {
  let look = first;
  return [0, 1, 2, 3].map((turn) => {
    const turned = { value, layoutIndex: turnedLayout(layoutIndex, turn), look };
    look = quarterTurn(look);
    return turned;
  });
}

interface LearnedLook extends FaceTemplate {
  readonly layoutIndex: number;
}

function meanLooks(looks: readonly TurnedLook[], weights: Float32Array): LearnedLook[] {
  const size = 3 * appearanceGrid * appearanceGrid;
  const groups = new Map<number, { value: Face; sum: Float32Array; count: Float32Array }>();
  for (const { value, layoutIndex, look } of looks) {
    const group = groups.get(layoutIndex) ?? { value, sum: new Float32Array(size), count: new Float32Array(size) };
    const normalised = normalisedLook(look, weights);
    for (let k = 0; k < size; k += 1) {
      if (look.visible[Math.floor(k / 3)] === 0) continue;
      group.sum[k] = (group.sum[k] ?? 0) + (normalised[k] ?? 0);
      group.count[k] = (group.count[k] ?? 0) + 1;
    }
    groups.set(layoutIndex, group);
  }
  return [...groups.entries()].map(([layoutIndex, { value, sum, count }]) => ({
    value,
    layoutIndex,
    cells: sum.map((total, k) => total / Math.max(1, count[k] ?? 0)),
  }));
}

/** Weight of a cell: the inverse of its scatter around the learned looks, in units of the pips' own contrast (a single pip makes a look of few large
 *  numbers, six pips one of many small ones), over a typical cell's. A face may lie in four ways and its mirror image is as likely,
 *  so eight cells share their scatter. */
function weightsOf(
  looks: readonly TurnedLook[],
  templates: readonly LearnedLook[],
  weights: Float32Array,
  firstRing: number,
): Float32Array {
  const n = appearanceGrid;
  const scatter = new Float64Array(n * n);
  const count = new Float64Array(n * n);
  for (const { layoutIndex, look } of looks) {
    const template = templates.find((one) => one.layoutIndex === layoutIndex);
    if (template === undefined) continue;
    const normalised = normalisedLook(look, weights);
    const contrast = template.cells.reduce((largest, value) => Math.max(largest, Math.abs(value)), 1e-6);
    for (let y = 0; y < n; y += 1) {
      for (let x = 0; x < n; x += 1) {
        const cell = y * n + x;
        if (look.visible[cell] === 0) continue;
        let square = 0;
        for (let c = 0; c < 3; c += 1)
          square += (((normalised[3 * cell + c] ?? 0) - (template.cells[3 * cell + c] ?? 0)) / contrast) ** 2;
        for (const like of [cell, y * n + (n - 1 - x)]) {
          scatter[like] = (scatter[like] ?? 0) + square;
          count[like] = (count[like] ?? 0) + 1;
        }
      }
    }
  }
  const variance = scatter.map((sum, k) => sum / Math.max(1, count[k] ?? 0));
  const typical = [...variance].sort((a, b) => a - b)[variance.length >> 1] ?? 0;
  const raw = Float32Array.from(variance, (value, cell) => (ringOf(cell) < firstRing ? 0 : 1 / (value + typical + 1e-6)));
  const mean = raw.reduce((sum, weight) => sum + weight, 0) / raw.length;
  return raw.map((weight) => weight / mean);
}

/** Ring of a cell, from 0 at the border of the grid to 9 at its centre. */
function ringOf(cell: number): number {
  const [x, y] = [cell % appearanceGrid, Math.floor(cell / appearanceGrid)];
  return Math.min(x, y, appearanceGrid - 1 - x, appearanceGrid - 1 - y);
}

/** Outermost ring in which the values differ: what lies beyond is the rounded rim, whose lights would drown the pips of a face. */
function firstTellingRing(templates: readonly LearnedLook[]): number {
  const differences = new Float64Array(appearanceGrid / 2);
  for (let k = 0; k < 3 * appearanceGrid * appearanceGrid; k += 1) {
    const values = templates.map(({ cells }) => cells[k] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const ring = ringOf(Math.floor(k / 3));
    const cellCount = 4 * (appearanceGrid - 1 - 2 * ring);
    for (const value of values) differences[ring] = (differences[ring] ?? 0) + (value - mean) ** 2 / cellCount;
  }
  return differences.findIndex((difference) => difference >= tellingShareMin * Math.max(...differences));
}

/** Layout that shows after `turn` quarter turns: 2, 3 and 6 change to their other arrangement after odd ones. */
function turnedLayout(layoutIndex: number, turn: number): number {
  if (turn % 2 === 0) return layoutIndex;
  const value = pipLayouts[layoutIndex]?.value;
  const other = pipLayouts.findIndex((layout, index) => layout.value === value && index !== layoutIndex);
  return other < 0 ? layoutIndex : other;
}

function quarterTurn(look: FaceLook): FaceLook {
  const n = appearanceGrid;
  const cells = new Float32Array(look.cells.length);
  const visible = new Uint8Array(look.visible.length);
  for (let y = 0; y < n; y += 1) {
    for (let x = 0; x < n; x += 1) {
      const from = y * n + x;
      const to = x * n + (n - 1 - y);
      visible[to] = look.visible[from] ?? 0;
      for (let c = 0; c < 3; c += 1) cells[3 * to + c] = look.cells[3 * from + c] ?? 0;
    }
  }
  return { cells, visible };
}
