import type { SeededRandom } from '../../hardware-sim/seeded-random.ts';
import type { DieReading } from '../../src/core/judging/reading.ts';
import { type PipSpread, pipLayouts } from '../../src/vision/pip-layouts.ts';
import {
  type Canvas,
  canvasOf,
  copyPip,
  emptyPlaces,
  erasePip,
  type FacePlace,
  isUnderGlare,
  type PipSizes,
  type Pixels,
} from './paint-pips.ts';

export type MutationKind = 'removed' | 'added' | 'moved';

export const mutationKinds: readonly MutationKind[] = ['removed', 'added', 'moved'];

/** A picture in which one pip of one die was changed. */
export interface MutatedPicture {
  readonly pixels: Pixels;
  /** The value that the changed face legally shows, or null when no die has such a face. */
  readonly legalValue: number | null;
}

/** Share of the spacing by which a moved pip moves. */
const movedShare = 0.25;

/** Removes, adds or moves one pip of a die by chance, in the picture. @returns null when the die has no value or no free place, or glare lies there. */
export function mutateFace(
  pixels: Pixels,
  die: DieReading,
  sizes: PipSizes,
  kind: MutationKind,
  random: SeededRandom,
): MutatedPicture | null {
  const copy: Pixels = { ...pixels, data: new Uint8Array(pixels.data) };
  const canvas = canvasOf(copy, die, sizes);
  const spread = sizes.spread[die.value ?? 0];
  if (canvas === null || spread === undefined) return null;
  const legalValue = change(canvas, pixels.data, spread, kind, random);
  return legalValue === undefined ? null : { pixels: copy, legalValue };
}

function change(
  canvas: Canvas,
  original: Uint8Array,
  spread: PipSpread,
  kind: MutationKind,
  random: SeededRandom,
): number | null | undefined {
  const index = random.index(canvas.pips.length);
  const pip = canvas.pips[index] as FacePlace;
  if (isUnderGlare(canvas, pip)) return undefined;
  switch (kind) {
    case 'removed':
      erasePip(canvas, pip);
      return legalValueOf(canvas.layout.cells.filter((_, i) => i !== index));
    case 'added': {
      const places = emptyPlaces(canvas, spread);
      // As often into the lattice, where a face may become another one, as beside it.
      const inLattice = places.filter(({ cell }) => cell !== null);
      const chosen =
        random.next() < 0.5 && inLattice.length > 0 ? random.pick(inLattice) : places.length > 0 ? random.pick(places) : null;
      if (chosen === null || isUnderGlare(canvas, chosen.place)) return undefined;
      copyPip(canvas, original, pip, chosen.place);
      return chosen.cell === null ? null : legalValueOf([...canvas.layout.cells, chosen.cell]);
    }
    case 'moved': {
      const heading = random.between(0, 2 * Math.PI);
      const reach = movedShare * spread[0];
      erasePip(canvas, pip);
      copyPip(canvas, original, pip, [pip[0] + reach * Math.cos(heading), pip[1] + reach * Math.sin(heading)]);
      return null;
    }
    default:
      return kind satisfies never;
  }
}

function legalValueOf(cells: readonly number[]): number | null {
  const wanted = [...cells].sort((a, b) => a - b).join();
  return pipLayouts.find((layout) => layout.cells.join() === wanted)?.value ?? null;
}
