import { integralOf } from './box-sums.ts';
import { placesToSearch, type SearchMaps, searchMarginPx } from './coarse-search.ts';
import { fitLighting, gainAt, type Lighting, litFloor } from './lighting.ts';
import type { Picture, PixelRect } from './picture.ts';

/** The tray of one rig, reduced so that a die's edge is about 28 px: large enough for pips (5 px), small enough to search in 3 ms. */
export interface ReducedTray {
  readonly reference: Picture;
  /** Inside the tray's circle. */
  readonly insideTray: Uint8Array;
  /** Glare of the empty tray, widened by one px. */
  readonly glare: Uint8Array;
  /** Edge of a die, px of the reduced picture. */
  readonly edgePx: number;
}

/** How pips are recognised in the reduced picture: by the calibrated colours, or by local contrast alone in calibration's first pass. */
export type PipFilter =
  | { readonly kind: 'contrast' }
  | {
      readonly kind: 'colour';
      readonly body: readonly number[];
      readonly pips: readonly { readonly colour: readonly number[]; readonly radius: number }[];
    };

/** Reduced maps with what was learned on the way. */
export interface ReducedMaps extends SearchMaps {
  readonly picture: Picture;
  readonly lighting: Lighting;
  /** The empty floor in this picture's light, three floats a pixel. */
  readonly floor: Float32Array;
}

/** Brightness difference, grey levels, from which a pixel counts as changed: three times the noise of the noisiest shared rig, and a share
 *  of the floor's own brightness because the light's fit is good to a few per cent. */
const changedLevels = 6;
const changedShare = 0.07;

/** Memory in which the maps of one tray are made, again for every picture: allocating some 3 MB a picture costs more than filling it. */
interface MapMemory {
  readonly usable: Uint8Array;
  /** Indexes of the px under glare. */
  readonly glarePlaces: Int32Array;
  readonly floor: Float32Array;
  readonly changed: Uint8Array;
  readonly steps: Int16Array;
  readonly strengths: Float32Array;
  readonly pips: Float32Array;
  readonly share: Float32Array;
  readonly sums: Float64Array;
}

const memories = new WeakMap<ReducedTray, MapMemory>();

function memoryOf(tray: ReducedTray): MapMemory {
  const known = memories.get(tray);
  if (known !== undefined) return known;
  const { width, height } = tray.reference;
  const pixelCount = width * height;
  const made = {
    usable: tray.insideTray.map((inside, i) => (inside === 1 && tray.glare[i] === 0 ? 1 : 0)),
    glarePlaces: Int32Array.from(tray.glare.keys()).filter((i) => tray.glare[i] === 1),
    floor: new Float32Array(3 * pixelCount),
    changed: new Uint8Array(pixelCount),
    steps: new Int16Array(6 * pixelCount),
    strengths: new Float32Array(pixelCount),
    pips: new Float32Array(pixelCount),
    share: new Float32Array(pixelCount),
    sums: new Float64Array((width + 1) * (height + 1)),
  };
  memories.set(tray, made);
  return made;
}

/** Makes all maps of one picture of the tray's reduced size. They share the memory of their tray: valid until the next picture is given.
 *  @param isWhole steps and pips are wanted everywhere; else only where `places` are searched, which is a third of the tray. */
export function reducedMaps(tray: ReducedTray, picture: Picture, filter: PipFilter, isWhole: boolean): ReducedMaps {
  const { width, height } = picture;
  const memory = memoryOf(tray);
  const { changed, steps, strengths, pips } = memory;
  const lighting = fitLighting(tray.reference, picture, memory.usable);
  const floor = litFloor(tray.reference, lighting, memory.floor);
  markChanged(tray, picture, floor, changed);
  const places = placesToSearch(changed, width, height, tray.edgePx, memory.sums);
  const blocks = isWhole ? everyBlock(width, height) : blocksAround(places, width, height, searchMarginPx(tray.edgePx));
  stepsOf(picture, blocks, memory);
  if (filter.kind === 'contrast') contrastPips(picture, tray.edgePx, memory);
  else colourPips(picture, tray.edgePx, lighting, filter, blocks, memory);
  for (const i of memory.glarePlaces) pips[i] = -1;
  return { width, height, picture, lighting, floor, changed, steps, strengths, pips, glare: tray.glare, places };
}

/** Side of the blocks in which maps are made, px. */
const blockPx = 8;

function everyBlock(width: number, height: number): PixelRect[] {
  return [{ x: 0, y: 0, width, height }];
}

/** Blocks that a search around the given px looks at. */
function blocksAround(places: readonly number[], width: number, height: number, margin: number): PixelRect[] {
  const columns = Math.ceil(width / blockPx);
  const marks = new Uint8Array(columns * Math.ceil(height / blockPx));
  for (const place of places) {
    const x = place % width;
    const y = (place - x) / width;
    const right = Math.floor((x + margin) / blockPx);
    const bottom = Math.floor((y + margin) / blockPx);
    for (let row = Math.floor((y - margin) / blockPx); row <= bottom; row += 1) {
      for (let column = Math.floor((x - margin) / blockPx); column <= right; column += 1) marks[row * columns + column] = 1;
    }
  }
  const blocks: PixelRect[] = [];
  for (let k = 0; k < marks.length; k += 1) {
    const column = k % columns;
    if (marks[k] === 1)
      blocks.push({ x: blockPx * column, y: (blockPx * (k - column)) / columns, width: blockPx, height: blockPx });
  }
  return blocks;
}

/** 1 where a picture differs from the empty tray in its own light; 0 under glare, where nothing is known. Shares memory like `reducedMaps`. */
export function changedPixels(tray: ReducedTray, picture: Picture): Uint8Array {
  const { usable, floor, changed } = memoryOf(tray);
  litFloor(tray.reference, fitLighting(tray.reference, picture, usable), floor);
  markChanged(tray, picture, floor, changed);
  for (let i = 0; i < changed.length; i += 1) if (tray.glare[i] === 1) changed[i] = 0;
  return changed;
}

/** As `changedPixels`, but glare counts as changed: a die may lie under it. */
function markChanged(tray: ReducedTray, picture: Picture, floor: Float32Array, changed: Uint8Array): void {
  const { glare } = tray;
  const { data } = picture;
  for (let i = 0, j = 0; i < changed.length; i += 1, j += 3) {
    if (glare[i] === 1) {
      changed[i] = 1;
      continue;
    }
    const fb = floor[j] as number;
    const fg = floor[j + 1] as number;
    const fr = floor[j + 2] as number;
    const limit = changedLevels + changedShare * Math.max(fb, fg, fr);
    const isChanged =
      Math.abs((data[j] as number) - fb) > limit ||
      Math.abs((data[j + 1] as number) - fg) > limit ||
      Math.abs((data[j + 2] as number) - fr) > limit;
    changed[i] = isChanged ? 1 : 0;
  }
}

/** Sobel steps of all three channels, eighths of a grey level per px, and their length; the outermost px have none. */
function stepsOf(picture: Picture, blocks: readonly PixelRect[], { steps, strengths, glarePlaces }: MapMemory): void {
  const { width, height, data } = picture;
  const row = 3 * width;
  for (const block of blocks) {
    const bottom = Math.min(height - 1, block.y + block.height);
    const left = Math.max(1, block.x);
    const right = Math.min(width - 1, block.x + block.width);
    for (let y = Math.max(1, block.y); y < bottom; y += 1) {
      for (let i = y * width + left; i < y * width + right; i += 1) {
        let square = 0;
        for (let j = 3 * i; j < 3 * i + 3; j += 1) {
          const nw = data[j - row - 3] as number;
          const ne = data[j - row + 3] as number;
          const sw = data[j + row - 3] as number;
          const se = data[j + row + 3] as number;
          const right = ne + se - nw - sw + 2 * ((data[j + 3] as number) - (data[j - 3] as number));
          const down = sw + se - nw - ne + 2 * ((data[j + row] as number) - (data[j - row] as number));
          steps[2 * j] = right;
          steps[2 * j + 1] = down;
          square += right * right + down * down;
        }
        strengths[i] = Math.sqrt(square) / 8;
      }
    }
  }
  for (const i of glarePlaces) strengths[i] = Number.POSITIVE_INFINITY;
}

/** Pip filter without colours: how much a disc of pip size differs from the ring around it, 1 at 60 grey levels. */
function contrastPips(picture: Picture, edgePx: number, memory: MapMemory): void {
  const { width, height, data } = picture;
  const { pips, share, sums } = memory;
  const size = discAndRing(edgePx, 0.095, width);
  pips.fill(0);
  for (let c = 0; c < 3; c += 1) {
    for (let i = 0; i < share.length; i += 1) share[i] = data[3 * i + c] as number;
    integralOf(share, width, height, sums);
    for (let y = size.outer; y < height - size.outer - 1; y += 1) {
      for (let x = size.outer; x < width - size.outer - 1; x += 1) {
        const i = y * width + x;
        pips[i] = (pips[i] as number) + discLessRing(sums, y * (width + 1) + x, size) ** 2;
      }
    }
  }
  for (let i = 0; i < pips.length; i += 1) pips[i] = Math.min(1, Math.sqrt(pips[i] as number) / 60);
}

/** Pip filter by colour: share of the way from body to pip in a disc less that in the ring around it; the best pip kind counts. */
function colourPips(
  picture: Picture,
  edgePx: number,
  lighting: Lighting,
  filter: Extract<PipFilter, { kind: 'colour' }>,
  blocks: readonly PixelRect[],
  memory: MapMemory,
): void {
  const { width, height, data } = picture;
  const { pips, sums } = memory;
  const gain = gainAt(lighting, 0, 0);
  const body = filter.body.map((value, c) => value * (gain[c] ?? 1));
  pips.fill(0);
  for (const pip of filter.pips) {
    const way = pip.colour.map((value, c) => value * (gain[c] ?? 1) - (body[c] ?? 0));
    const square = Math.max(
      100,
      way.reduce((sum, part) => sum + part * part, 0),
    );
    const [wb = 0, wg = 0, wr = 0] = way.map((part) => part / square);
    const shift = -((body[0] ?? 0) * wb + (body[1] ?? 0) * wg + (body[2] ?? 0) * wr);
    shareSums(data, width, height, [wb, wg, wr, shift], sums);
    const size = discAndRing(edgePx, pip.radius, width);
    for (const block of blocks) {
      const bottom = Math.min(height - size.outer - 1, block.y + block.height);
      const right = Math.min(width - size.outer - 1, block.x + block.width);
      for (let y = Math.max(size.outer, block.y); y < bottom; y += 1) {
        for (let x = Math.max(size.outer, block.x); x < right; x += 1) {
          const value = Math.min(1, 1.3 * discLessRing(sums, y * (width + 1) + x, size));
          const i = y * width + x;
          if (value > (pips[i] as number)) pips[i] = value;
        }
      }
    }
  }
}

/** Running sums, as `integralOf` makes them, of a share that is linear in the colour and cut to 0 to 1. @param weights of blue, green, red and 1. */
function shareSums(
  data: Uint8Array,
  width: number,
  height: number,
  [wb, wg, wr, shift]: readonly [number, number, number, number],
  sums: Float64Array,
): void {
  const w = width + 1;
  for (let y = 0, j = 0; y < height; y += 1) {
    let row = 0;
    const end = (y + 2) * w;
    for (let i = (y + 1) * w + 1; i < end; i += 1, j += 3) {
      const value = (data[j] as number) * wb + (data[j + 1] as number) * wg + (data[j + 2] as number) * wr + shift;
      row += value <= 0 ? 0 : value >= 1 ? 1 : Math.fround(value);
      sums[i] = (sums[i - w] as number) + row;
    }
  }
}

/** Boxes that stand in for disc and ring of a pip. */
interface DiscAndRing {
  /** Half side of the outermost box, px. */
  readonly outer: number;
  readonly discArea: number;
  readonly ringArea: number;
  /** Places of the corners of the three boxes, smallest first, from the centre's own place in running sums: upper left, upper right, lower
   *  left, lower right. */
  readonly corners: Int32Array;
}

function discAndRing(edgePx: number, radius: number, width: number): DiscAndRing {
  const r = radius * edgePx;
  const inner = Math.max(1, Math.round(0.75 * r - 0.2));
  const gap = Math.max(inner + 1, Math.round(1.25 * r));
  const outer = Math.max(gap + 1, Math.round(1.75 * r));
  const w = width + 1;
  const corners = [inner, gap, outer].flatMap((h) => [-h * w - h, -h * w + h + 1, (h + 1) * w - h, (h + 1) * w + h + 1]);
  const area = (half: number): number => (2 * half + 1) ** 2;
  return { outer, discArea: area(inner), ringArea: area(outer) - area(gap), corners: Int32Array.from(corners) };
}

/** Mean in the disc less mean in the ring around a px. @param at its place in running sums. */
function discLessRing(sums: Float64Array, at: number, { discArea, ringArea, corners }: DiscAndRing): number {
  return boxAt(sums, at, corners, 0) / discArea - (boxAt(sums, at, corners, 8) - boxAt(sums, at, corners, 4)) / ringArea;
}

function boxAt(sums: Float64Array, at: number, corners: Int32Array, first: number): number {
  return (
    (sums[at + (corners[first + 3] as number)] as number) -
    (sums[at + (corners[first + 1] as number)] as number) -
    (sums[at + (corners[first + 2] as number)] as number) +
    (sums[at + (corners[first] as number)] as number)
  );
}
