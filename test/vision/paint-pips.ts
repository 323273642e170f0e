import sharp from 'sharp';
import type { DieReading } from '../../src/core/judging/reading.ts';
import { latticeCells, type PipLayout, type PipSpread, pipLayouts, pipPlace } from '../../src/vision/pip-layouts.ts';

/** A decoded picture: red, green, blue bytes. */
export interface Pixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly data: Uint8Array;
}

/** Place on a face, edges from its centre along its first and second direction. */
export type FacePlace = readonly [number, number];

/** A top face to paint on. */
export interface Canvas {
  readonly pixels: Pixels;
  readonly centrePx: FacePlace;
  /** Px of one edge along the face's two directions. */
  readonly alongPx: FacePlace;
  readonly acrossPx: FacePlace;
  readonly layout: PipLayout;
  readonly pips: readonly FacePlace[];
  /** Radius of a pip, edges. */
  readonly radius: number;
}

/** What a die's pips measure, from the calibration. */
export interface PipSizes {
  readonly spread: Readonly<Record<number, PipSpread>>;
  readonly radius: Readonly<Record<number, number>>;
}

/** A patch reaches this far beyond a pip's border, radii, because the lens blurs it; its own border fades over `softEdges`. */
const patchRadii = 1.45;
const softEdges = 0.035;

export async function decodePixels(jpeg: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { widthPx: info.width, heightPx: info.height, data: new Uint8Array(data) };
}

/** Nearly without loss, so that only the paint differs from the picture that was read before. */
export async function encodePixels({ widthPx, heightPx, data }: Pixels): Promise<Buffer> {
  return sharp(data, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .jpeg({ quality: 97, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Finds out how the pips of a read die lie, as 2, 3 and 6 have two ways. @returns null for a die without a value. */
export function canvasOf(pixels: Pixels, die: DieReading, sizes: PipSizes): Canvas | null {
  const [first, second, third, fourth] = die.quadPx;
  const radius = sizes.radius[die.value ?? 0];
  const spread = sizes.spread[die.value ?? 0];
  if (!first || !second || !third || !fourth || radius === undefined || spread === undefined) return null;
  const blank = {
    pixels,
    centrePx: [(first[0] + third[0]) / 2, (first[1] + third[1]) / 2] as const,
    alongPx: [second[0] - first[0], second[1] - first[1]] as const,
    acrossPx: [fourth[0] - first[0], fourth[1] - first[1]] as const,
    radius,
  };
  const candidates = pipLayouts
    .filter((layout) => layout.value === die.value)
    .map((layout): Canvas => ({ ...blank, layout, pips: layout.cells.map((cell) => pipPlace(layout, cell, spread)) }));
  return candidates.sort((a, b) => contrast(b) - contrast(a))[0] ?? null;
}

/** How much the places of the pips differ in colour from the places that would be pips the other way round. */
function contrast(canvas: Canvas): number {
  const body = meanColour(canvas, ringAround([0, 0], 0.42));
  return canvas.pips.reduce((sum, pip) => sum + distance(meanColour(canvas, [pip]), body), 0) / canvas.pips.length;
}

/** Covers a pip with the body: texture from the nearest clean place of the same face, matched to the light around the pip. */
export function erasePip(canvas: Canvas, pip: FacePlace): void {
  const reach = canvas.radius * patchRadii;
  const source = cleanPlace(canvas, pip, reach);
  if (source === null) fill(canvas, pip, reach);
  else copyPatch(canvas, new Uint8Array(canvas.pixels.data), source, pip, reach);
}

/** Copies a pip to another place. @param original the picture before anything was erased. */
export function copyPip(canvas: Canvas, original: Uint8Array, pip: FacePlace, to: FacePlace): void {
  copyPatch(canvas, original, pip, to, canvas.radius * patchRadii);
}

/** Whether a pip's surroundings are washed out: paint there would copy the glare, and what it covers cannot be told anyway. */
export function isUnderGlare(canvas: Canvas, place: FacePlace): boolean {
  const { data } = canvas.pixels;
  let isWhite = false;
  eachPixel(canvas, place, canvas.radius * patchRadii + 3 * softEdges, (index) => {
    if (Math.min(data[3 * index] ?? 0, data[3 * index + 1] ?? 0, data[3 * index + 2] ?? 0) >= 248) isWhite = true;
  });
  return isWhite;
}

/** Places of the nine that hold no pip, and others well clear of every pip and of the edge. */
export function emptyPlaces(
  canvas: Canvas,
  spread: PipSpread,
): readonly { readonly place: FacePlace; readonly cell: number | null }[] {
  const inLattice = latticeCells.flatMap(([i, j], cell) =>
    canvas.layout.cells.includes(cell) ? [] : [{ place: [i * spread[0], j * spread[0]] as FacePlace, cell }],
  );
  const between = [-0.28, -0.14, 0.14, 0.28].flatMap((u) =>
    [-0.28, -0.14, 0.14, 0.28].map((v) => ({ place: [u, v] as FacePlace, cell: null })),
  );
  return [...inLattice, ...between].filter(({ place }) => canvas.pips.every((pip) => gap(pip, place) > 2.3 * canvas.radius));
}

function gap(a: FacePlace, b: FacePlace): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function cleanPlace(canvas: Canvas, wanted: FacePlace, reach: number): FacePlace | null {
  const limit = 0.47 - reach;
  let best: FacePlace | null = null;
  for (let u = -limit; u <= limit; u += 0.02)
    for (let v = -limit; v <= limit; v += 0.02) {
      const place: FacePlace = [u, v];
      if (canvas.pips.some((pip) => gap(pip, place) < reach + 1.3 * canvas.radius)) continue;
      if (best === null || gap(place, wanted) < gap(best, wanted)) best = place;
    }
  return best;
}

/** Lays a round patch of `from` over `to` with a soft border, shifted in colour by how the light around them differs. */
function copyPatch(canvas: Canvas, source: Uint8Array, from: FacePlace, to: FacePlace, reach: number): void {
  const ringReach = reach + softEdges / 2;
  const there = meanColour({ ...canvas, pixels: { ...canvas.pixels, data: source } }, ringAround(from, ringReach));
  const here = meanColour(canvas, ringAround(to, ringReach));
  const shift = [0, 1, 2].map((c) => (here[c] ?? 0) - (there[c] ?? 0));
  eachPixel(canvas, to, reach + softEdges, (index, place) => {
    const weight = Math.max(0, Math.min(1, (reach + softEdges - gap(place, to)) / (2 * softEdges)));
    const [x, y] = toPicture(canvas, [place[0] - to[0] + from[0], place[1] - to[1] + from[1]]);
    for (let c = 0; c < 3; c += 1)
      blend(canvas.pixels.data, 3 * index + c, interpolated(canvas, source, x, y, c) + (shift[c] ?? 0), weight);
  });
}

/** Where no clean place is large enough: every px takes the colours of the ring around, the nearest most. */
function fill(canvas: Canvas, at: FacePlace, reach: number): void {
  const ring = ringAround(at, reach + softEdges);
  const colours = ring.map((place) => meanColour(canvas, [place]));
  eachPixel(canvas, at, reach + softEdges, (index, place) => {
    const weights = ring.map((point) => 1 / (0.01 + gap(point, place)) ** 2);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const weight = Math.max(0, Math.min(1, (reach + softEdges - gap(place, at)) / (2 * softEdges)));
    for (let c = 0; c < 3; c += 1) {
      const colour = colours.reduce((sum, each, i) => sum + ((each[c] ?? 0) * (weights[i] ?? 0)) / total, 0);
      blend(canvas.pixels.data, 3 * index + c, colour, weight);
    }
  });
}

function ringAround([u, v]: FacePlace, reach: number): readonly FacePlace[] {
  return Array.from({ length: 24 }, (_, i): FacePlace => {
    const angle = (i * Math.PI) / 12;
    return [u + reach * Math.cos(angle), v + reach * Math.sin(angle)];
  });
}

function meanColour(canvas: Canvas, places: readonly FacePlace[]): readonly number[] {
  return [0, 1, 2].map((c) => {
    const sum = places.reduce((total, place) => {
      const [x, y] = toPicture(canvas, place);
      return total + interpolated(canvas, canvas.pixels.data, x, y, c);
    }, 0);
    return sum / places.length;
  });
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(...a.map((value, c) => value - (b[c] ?? 0)));
}

function toPicture({ centrePx, alongPx, acrossPx }: Canvas, [u, v]: FacePlace): readonly [number, number] {
  return [centrePx[0] + u * alongPx[0] + v * acrossPx[0], centrePx[1] + u * alongPx[1] + v * acrossPx[1]];
}

function eachPixel(canvas: Canvas, at: FacePlace, reach: number, paint: (index: number, place: FacePlace) => void): void {
  const { alongPx, acrossPx, centrePx } = canvas;
  const { widthPx, heightPx } = canvas.pixels;
  const [cx, cy] = toPicture(canvas, at);
  const reachPx = Math.ceil(reach * Math.hypot(alongPx[0], alongPx[1])) + 1;
  const scale = alongPx[0] * acrossPx[1] - alongPx[1] * acrossPx[0];
  for (let y = Math.max(0, Math.floor(cy) - reachPx); y <= Math.min(heightPx - 1, cy + reachPx); y += 1)
    for (let x = Math.max(0, Math.floor(cx) - reachPx); x <= Math.min(widthPx - 1, cx + reachPx); x += 1) {
      const [dx, dy] = [x - centrePx[0], y - centrePx[1]];
      const place: FacePlace = [(dx * acrossPx[1] - dy * acrossPx[0]) / scale, (dy * alongPx[0] - dx * alongPx[1]) / scale];
      if (gap(place, at) < reach) paint(y * widthPx + x, place);
    }
}

function interpolated({ pixels }: Canvas, data: Uint8Array, x: number, y: number, channel: number): number {
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - x0, y - y0];
  const at = (px: number, py: number): number => data[3 * (py * pixels.widthPx + px) + channel] ?? 0;
  return (at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx) * (1 - fy) + (at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx) * fy;
}

function blend(data: Uint8Array, index: number, value: number, weight: number): void {
  data[index] = Math.max(0, Math.min(255, Math.round((data[index] ?? 0) * (1 - weight) + value * weight)));
}
