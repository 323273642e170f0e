import type { Face } from '../src/core/rules/dice.ts';
import { toFace, toPicture } from '../src/vision/die-pose.ts';
import type { FaceModel } from '../src/vision/face-model.ts';
import { patchEdgePx, patchPx, patchSidePx } from '../src/vision/face-patch.ts';
import type { FoundFace } from '../src/vision/find-dice.ts';
import type { FoundPip } from '../src/vision/lattice-fit.ts';
import { latticeCells, pipLayouts } from '../src/vision/pip-layouts.ts';
import { edgePxAt, type TrayGeometry } from '../src/vision/tray-geometry.ts';

/** A face with its labelled value. */
export interface LabelledFace {
  readonly value: Face;
  readonly face: FoundFace;
}

/** Measures body and pip colours (in the light of the reference), pip sizes and pip places of every value.
 *  @param geometry gives the edge in which lengths are told; the faces may have been cut with another one.
 *  @param pipOffset place of the pips for values that no sample shows. */
export function fitFaceModel(labelled: readonly LabelledFace[], geometry: TrayGeometry, pipOffset: number): FaceModel {
  const body = [0, 1, 2].map((c) => median(labelled.map(({ face }) => (face.patch.body[c] ?? 0) / (face.gain[c] ?? 1)))) as [
    number,
    number,
    number,
  ];
  const pips = labelled.flatMap(({ value, face }) => measurePips(face, geometry).map((pip) => ({ value, ...pip })));
  const pipsOf = (value: Face): typeof pips => {
    const own = pips.filter((pip) => pip.value === value);
    return own.length > 0 ? own : pips;
  };
  const radiusOf = (value: Face): number => median(pipsOf(value).map((pip) => pip.radius));
  const colourOf = (value: Face): [number, number, number] =>
    [0, 1, 2].map((c) => median(pipsOf(value).map((pip) => pip.colour[c] ?? 0))) as [number, number, number];
  const spreads = labelled.flatMap(({ value, face }) => measureSpread(face, geometry).map((spread) => ({ value, spread })));
  const spreadOf = (value: Face): [number, number] => {
    const own = spreads.filter((one) => one.value === value && value !== 1).map(({ spread }) => spread);
    if (own.length === 0) return [pipOffset, pipOffset];
    const [along, across] = [median(own.map(([first]) => first)), median(own.map(([, second]) => second))];
    return value === 6 ? [along, across] : [(along + across) / 2, (along + across) / 2];
  };
  return { pipOffset, body, pipSpread: perFace(spreadOf), pipRadius: perFace(radiusOf), pipColour: perFace(colourOf) };
}

function perFace<T>(of: (value: Face) => T): Record<Face, T> {
  return { 1: of(1), 2: of(2), 3: of(3), 4: of(4), 5: of(5), 6: of(6) };
}

interface PipMeasure {
  readonly radius: number;
  readonly colour: readonly number[];
}

/** Area and median colour of every pip of a face that glare leaves free. */
function measurePips(face: FoundFace, geometry: TrayGeometry): PipMeasure[] {
  const window = face.reading.value === 1 ? 0.24 : 0.13;
  const unit = face.pose.edgePx / edgePxAt(geometry, face.pose.x, face.pose.y);
  return face.reading.found.flatMap(({ at }) => {
    const [cx, cy, reach] = [patchPx(at[0]), patchPx(at[1]), window * patchEdgePx];
    let area = 0;
    let hiddenCount = 0;
    const colours: number[][] = [[], [], []];
    for (let y = Math.ceil(cy - reach); y <= cy + reach; y += 1) {
      for (let x = Math.ceil(cx - reach); x <= cx + reach; x += 1) {
        const distance = Math.hypot(x - cx, y - cy);
        if (distance > reach) continue;
        const index = y * patchSidePx + x;
        if (face.patch.hidden[index] === 1) hiddenCount += 1;
        const weight = face.map[index] ?? 0;
        if (weight > 0.45) area += 1;
        if (weight <= 0.45 || distance >= 4) continue;
        for (let c = 0; c < 3; c += 1) colours[c]?.push((face.patch.picture.data[3 * index + c] ?? 0) / (face.gain[c] ?? 1));
      }
    }
    if (hiddenCount > 0 || area < 6 || (colours[0]?.length ?? 0) < 4) return [];
    return [{ radius: (Math.sqrt(area / Math.PI) / patchEdgePx) * unit, colour: colours.map(median) }];
  });
}

/** Distances of a face's pips from its centre lines, along a row of three and across; empty when too few pips were found. */
function measureSpread(face: FoundFace, geometry: TrayGeometry): [number, number][] {
  const { fit, found, layoutIndex } = face.reading;
  const layout = pipLayouts[layoutIndex];
  if (fit === null || layout === undefined || found.length < 2) return [];
  const unit = face.pose.edgePx / edgePxAt(geometry, face.pose.x, face.pose.y);
  if (layout.value !== 6) {
    // Distances between pips need no centre, so a pip under glare does no harm.
    const ratios = found.flatMap((one, index) => found.slice(index + 1).map((other) => pairRatio(one, other)));
    const spread = median(ratios) * unit;
    return [[spread, spread]];
  }
  if (found.length < layout.cells.length) return [];
  let [sumU, sumV, countU, countV] = [0, 0, 0, 0];
  for (const { cell, at } of found) {
    const [i, j] = latticeCells[cell] ?? [0, 0];
    const [u, v] = toFace(fit.pose, ...toPicture(face.patch.pose, ...at));
    sumU += i * u;
    sumV += j * v;
    countU += i * i;
    countV += j * j;
  }
  const [spreadU, spreadV] = [(sumU / Math.max(1, countU)) * unit, (sumV / Math.max(1, countV)) * unit];
  return [layout.cells.includes(3) ? [spreadV, spreadU] : [spreadU, spreadV]];
}

/** Distance of two pips over their distance on the lattice, edges. */
function pairRatio(one: FoundPip, other: FoundPip): number {
  const [i, j] = latticeCells[one.cell] ?? [0, 0];
  const [k, l] = latticeCells[other.cell] ?? [0, 0];
  return Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) / Math.max(1, Math.hypot(i - k, j - l));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
