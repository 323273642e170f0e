import type { Face } from '../../core/rules/dice.ts';
import { type DiePose, toPicture } from '../die-pose.ts';
import { pipLayouts, pipPlace } from '../pip-layouts.ts';
import { type Plane, valueAt } from './plane.ts';

/** What the whole face looks like, by correlation with drawn faces. Uses the outline alone, none of the spots. */
export interface LayoutCorrelation {
  readonly value: Face;
  /** Correlation with the best drawn face, 0 to 1, and with the best one of another value. */
  readonly best: number;
  readonly otherBest: number;
}

/** Side of the compared patch, samples, and the part of the face that it covers, edges: up to where rounded edges and rings around the pips begin. */
const side = 27;
const windowEdges = 0.76;
/** Distances of the outer pips from the centre lines, edges of the outline: 0.19 to 0.3 of the face, which the outline exceeds by up to a sixth. */
const spreads = [0.17, 0.195, 0.22, 0.245, 0.27, 0.295];
/** A narrow 6 has its rows at 0.7 of the usual distance. */
const narrowings = [1, 0.75];
const diameters = [0.15, 0.2, 0.25, 0.32];
const shifts = [-0.12, -0.08, -0.04, 0, 0.04, 0.08, 0.12];

interface DrawnFace {
  readonly value: Face;
  readonly values: Float32Array;
}

/** Compares the face inside an outline with drawn faces of every value, pip size and spread, shifted by up to an eighth of the edge, in the colour
 *  channel in which the face varies most. */
export function layoutCorrelation(planes: readonly Plane[], pose: DiePose): LayoutCorrelation {
  const best = new Map<Face, number>();
  const plane = mostVaried(planes, pose);
  for (const du of shifts) {
    for (const dv of shifts) {
      const patch = normalized(patchOf(plane, pose, du, dv), 1);
      if (patch === null) continue;
      for (const face of drawnFaces) {
        let product = 0;
        for (let k = 0; k < patch.length; k += 1) product += (patch[k] as number) * (face.values[k] as number);
        const correlation = Math.abs(product);
        if (correlation > (best.get(face.value) ?? 0)) best.set(face.value, correlation);
      }
    }
  }
  const ranked = [...best].sort(([, a], [, b]) => b - a);
  return { value: ranked[0]?.[0] ?? 1, best: ranked[0]?.[1] ?? 0, otherBest: ranked[1]?.[1] ?? 0 };
}

function mostVaried(planes: readonly Plane[], pose: DiePose): Plane {
  const spreadOf = (plane: Plane): number => lengthOf(patchOf(plane, pose, 0, 0));
  return planes.reduce((most, plane) => (spreadOf(plane) > spreadOf(most) ? plane : most));
}

/** Samples of one plane inside the shifted window. */
function patchOf(plane: Plane, pose: DiePose, du: number, dv: number): Float32Array {
  const patch = new Float32Array(side * side);
  for (let j = 0; j < side; j += 1) {
    for (let i = 0; i < side; i += 1) {
      const [x, y] = toPicture(pose, du + ((i + 0.5) / side - 0.5) * windowEdges, dv + ((j + 0.5) / side - 0.5) * windowEdges);
      patch[j * side + i] = valueAt(plane, x, y);
    }
  }
  return patch;
}

/** The values with mean 0 and length 1; null where nothing varies. */
function normalized(values: Float32Array, lengthMin: number): Float32Array | null {
  const [mean, length] = [meanOf(values), lengthOf(values)];
  return length < lengthMin ? null : values.map((value) => (value - mean) / length);
}

function meanOf(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function lengthOf(values: Float32Array): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0));
}

const drawnFaces: readonly DrawnFace[] = drawAll();

function drawAll(): readonly DrawnFace[] {
  const faces: DrawnFace[] = [];
  for (const layout of pipLayouts) {
    for (const spread of layout.value === 1 ? [0.25] : spreads) {
      for (const narrowing of layout.value === 6 ? narrowings : [1]) {
        for (const diameter of diameters) {
          if (layout.value !== 1 && diameter > 1.2 * spread) continue;
          const places = layout.cells.map((cell) => pipPlace(layout, cell, [spread, spread * narrowing]));
          const values = new Float32Array(side * side);
          for (let k = 0; k < values.length; k += 1) {
            const [u, v] = [
              (((k % side) + 0.5) / side - 0.5) * windowEdges,
              ((Math.floor(k / side) + 0.5) / side - 0.5) * windowEdges,
            ];
            const gap = Math.min(...places.map(([x, y]) => Math.hypot(u - x, v - y))) - diameter / 2;
            // The rim of a pip is as soft as two samples.
            values[k] = Math.min(1, Math.max(0, 0.5 - (gap * side) / windowEdges / 2));
          }
          const unit = normalized(values, 1e-6);
          if (unit !== null) faces.push({ value: layout.value, values: unit });
        }
      }
    }
  }
  return faces;
}
