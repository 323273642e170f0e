import { DiceTracer } from './dice-tracer.ts';
import { cubeCorners } from './die-body.ts';
import { glareLayer } from './glare.ts';
import { LightCurve } from './light-curve.ts';
import { type Pinhole, pinhole } from './pinhole.ts';
import { boxAround, clippedTo, mergedBoxes, overlaps, type PixelBox } from './pixel-box.ts';
import { type CoverMask, drawObjects } from './render-objects.ts';
import { renderTable, type TablePicture } from './render-table.ts';
import type { Lighting, Rig } from './rig.ts';
import type { DiePose } from './rotation.ts';
import type { ForeignObject } from './scene-truth.ts';
import { floorColour } from './surface-texture.ts';
import { tableLight } from './table-light.ts';

/** Shadows are soft: they are looked at on a grid of this many px and mixed between. */
const shadowGridPx = 3;
/** Places within a pixel that are looked at in turn. */
const stillSamples = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const;
const movingSamples = [
  [0.3, 0.3],
  [0.7, 0.45],
  [0.4, 0.75],
] as const;

/** Draws the noise-free picture of one rig. The table is drawn once; each new placing of the dice costs only the pixels around them. */
export class PictureCanvas {
  /** The clean picture, `levelSteps` per grey level, red green blue. */
  readonly clean: Int16Array;
  readonly #rig: Rig;
  readonly #camera: Pinhole;
  readonly #whole: PixelBox;
  readonly #curve: LightCurve;
  #lighting: Lighting;
  #table: TablePicture;
  #tracer: DiceTracer;
  #glare: Float32Array;
  /** The scene without dice: light, and as encoded levels. */
  #base: Float32Array;
  readonly #baseClean: Int16Array;
  #mask: CoverMask = null;
  #objects: readonly ForeignObject[] = [];
  #drawn: readonly PixelBox[] = [];

  constructor(rig: Rig, lighting: Lighting) {
    const { widthPx, heightPx } = rig.camera;
    this.#rig = rig;
    this.#camera = pinhole(rig.camera);
    this.#whole = { left: 0, top: 0, right: widthPx, bottom: heightPx };
    this.clean = new Int16Array(widthPx * heightPx * 3);
    this.#baseClean = new Int16Array(widthPx * heightPx * 3);
    this.#lighting = lighting;
    this.#curve = new LightCurve(rig, lighting);
    this.#table = renderTable(rig, lighting);
    this.#tracer = tracerOf(rig, lighting);
    this.#glare = glareLayer(rig, lighting);
    this.#base = this.#table.linear;
    this.#encodeBase();
  }

  /** Changes the light. A lamp that fails or comes back draws the table anew (about a second); gain and tint cost one pass over the picture. */
  relight(lighting: Lighting): void {
    const isRedrawn = lighting.failedLamp !== this.#lighting.failedLamp;
    this.#lighting = lighting;
    if (isRedrawn) {
      this.#table = renderTable(this.#rig, lighting);
      this.#tracer = tracerOf(this.#rig, lighting);
      this.#glare = glareLayer(this.#rig, lighting);
      this.#layObjects();
    }
    this.#curve.set(lighting);
    this.#encodeBase();
  }

  /** Puts other foreign objects into the picture. */
  setObjects(objects: readonly ForeignObject[]): void {
    this.#objects = objects;
    this.#layObjects();
    this.#encodeBase();
  }

  /** Draws the dice. `moments` are the places of all dice at moments spread over the exposure: one for dice at rest, more give motion blur. */
  drawDice(moments: readonly (readonly DiePose[])[]): void {
    this.#erase();
    const boxes = mergedBoxes(moments.flatMap((dice) => dice.map((pose) => this.#reachOf(pose))));
    for (const box of boxes) this.#drawBox(box, moments);
    this.#drawn = boxes;
  }

  /** Glare in linear light at a place of the picture, 0 outside it. */
  glareAt(x: number, y: number): number {
    const { widthPx, heightPx } = this.#rig.camera;
    const [px, py] = [Math.floor(x), Math.floor(y)];
    return px < 0 || py < 0 || px >= widthPx || py >= heightPx ? 0 : (this.#glare[py * widthPx + px] ?? 0);
  }

  #layObjects(): void {
    this.#base = this.#objects.length === 0 ? this.#table.linear : Float32Array.from(this.#table.linear);
    this.#mask = drawObjects(this.#rig, this.#lighting, this.#base, this.#objects);
  }

  #encodeBase(): void {
    this.#curve.encode(
      this.#whole,
      { light: this.#base, width: this.#rig.camera.widthPx, left: 0, top: 0 },
      this.#glare,
      this.#baseClean,
    );
    this.clean.set(this.#baseClean);
    this.#drawn = [];
  }

  #erase(): void {
    const { widthPx } = this.#rig.camera;
    for (const box of this.#drawn)
      for (let y = box.top; y < box.bottom; y += 1) {
        const from = (y * widthPx + box.left) * 3;
        this.clean.set(this.#baseClean.subarray(from, (y * widthPx + box.right) * 3), from);
      }
  }

  #drawBox(box: PixelBox, moments: readonly (readonly DiePose[])[]): void {
    // Two pixels more than is shown, so that the lens blur has its neighbours.
    const wide = clippedTo({ left: box.left - 2, top: box.top - 2, right: box.right + 2, bottom: box.bottom + 2 }, this.#whole);
    const near = moments.map((dice) => dice.filter((pose) => overlaps(this.#reachOf(pose), wide)));
    const keep = this.#keptLight(wide, near[near.length >> 1] ?? []);
    const light = this.#shadowedBase(wide, keep);
    const samples = moments.length === 1 ? stillSamples : movingSamples.slice(0, moments.length);
    for (const [run, sample] of samples.entries()) {
      const dice = near[moments.length === 1 ? 0 : run] ?? [];
      this.#tracer.place(dice, this.#camera.eye);
      for (const body of mergedBoxes(dice.map((pose) => this.#bodyOf(pose)))) {
        this.#addDice(clippedTo(body, wide), wide, keep, light, sample[0], sample[1], 1 / samples.length);
      }
    }
    this.#curve.encode(box, { light, width: wide.right - wide.left, left: wide.left, top: wide.top }, this.#glare, this.clean);
  }

  /** Share of its light that the table keeps at each pixel of a box, under the dice's shadows. */
  #keptLight(box: PixelBox, dice: readonly DiePose[]): Float32Array {
    const { widthPx, heightPx, focalPx } = this.#rig.camera;
    const { eye, forward, right, down } = this.#camera;
    const tracer = this.#tracer;
    tracer.place(dice, eye);
    const columns = Math.ceil((box.right - box.left) / shadowGridPx) + 1;
    const lines = Math.ceil((box.bottom - box.top) / shadowGridPx) + 1;
    const grid = new Float32Array(columns * lines);
    for (let line = 0; line < lines; line += 1)
      for (let column = 0; column < columns; column += 1) {
        const px = Math.min(widthPx - 1, box.left + column * shadowGridPx);
        const py = Math.min(heightPx - 1, box.top + line * shadowGridPx);
        const u = (px + 0.5 - widthPx / 2) / focalPx;
        const v = (py + 0.5 - heightPx / 2) / focalPx;
        const level = this.#table.heightAtMm[py * widthPx + px] as number;
        const t = (level - eye[2]) / (forward[2] + u * right[2] + v * down[2]);
        const x = eye[0] + t * (forward[0] + u * right[0] + v * down[0]);
        const y = eye[1] + t * (forward[1] + u * right[1] + v * down[1]);
        grid[line * columns + column] = tracer.remainingLight(x, y, level);
      }
    const width = box.right - box.left;
    const keep = new Float32Array(width * (box.bottom - box.top));
    for (let y = 0; y < box.bottom - box.top; y += 1) {
      const line = Math.floor(y / shadowGridPx);
      const fy = y / shadowGridPx - line;
      for (let x = 0; x < width; x += 1) {
        const column = Math.floor(x / shadowGridPx);
        const fx = x / shadowGridPx - column;
        const at = line * columns + column;
        const upper = (grid[at] as number) * (1 - fx) + (grid[at + 1] as number) * fx;
        const lower = (grid[at + columns] as number) * (1 - fx) + (grid[at + columns + 1] as number) * fx;
        keep[y * width + x] = upper * (1 - fy) + lower * fy;
      }
    }
    return keep;
  }

  /** The scene without dice, darkened by their shadows; what covers the dice is in no shadow of theirs, so `keep` becomes 1 there. */
  #shadowedBase(box: PixelBox, keep: Float32Array): Float32Array {
    const { widthPx } = this.#rig.camera;
    const base = this.#base;
    const mask = this.#mask;
    const light = new Float32Array(keep.length * 3);
    let at = 0;
    for (let y = box.top; y < box.bottom; y += 1)
      for (let x = box.left; x < box.right; x += 1, at += 1) {
        const index = y * widthPx + x;
        if (mask !== null) keep[at] = (keep[at] as number) + (1 - (keep[at] as number)) * (mask[index] as number);
        const share = keep[at] as number;
        light[at * 3] = (base[index * 3] as number) * share;
        light[at * 3 + 1] = (base[index * 3 + 1] as number) * share;
        light[at * 3 + 2] = (base[index * 3 + 2] as number) * share;
      }
    return light;
  }

  /** Lays one sample of the dice over the light of a box. */
  #addDice(body: PixelBox, box: PixelBox, keep: Float32Array, light: Float32Array, sx: number, sy: number, weight: number): void {
    const { widthPx, heightPx, focalPx } = this.#rig.camera;
    const { eye, forward, right, down } = this.#camera;
    const base = this.#base;
    const mask = this.#mask;
    const tracer = this.#tracer;
    const heightAt = this.#table.heightAtMm;
    const colour = new Float64Array(3);
    const width = box.right - box.left;
    for (let py = body.top; py < body.bottom; py += 1) {
      const v = (py + sy - heightPx / 2) / focalPx;
      for (let px = body.left; px < body.right; px += 1) {
        const u = (px + sx - widthPx / 2) / focalPx;
        const dz = forward[2] + u * right[2] + v * down[2];
        const index = py * widthPx + px;
        const t = tracer.trace(forward[0] + u * right[0] + v * down[0], forward[1] + u * right[1] + v * down[1], dz, colour);
        // The rim may stand between the camera and a die.
        if (t >= ((heightAt[index] as number) - eye[2]) / dz) continue;
        const at = (py - box.top) * width + px - box.left;
        const cover = mask === null ? 0 : (mask[index] as number);
        const show = (1 - cover) * weight;
        const swap = (cover - (keep[at] as number)) * weight;
        for (let c = 0; c < 3; c += 1) {
          light[at * 3 + c] =
            (light[at * 3 + c] as number) + (colour[c] as number) * show + (base[index * 3 + c] as number) * swap;
        }
      }
    }
  }

  /** Where a die itself shows. */
  #bodyOf(pose: DiePose): PixelBox {
    return clippedTo(
      boxAround(
        cubeCorners(pose, this.#rig.die.edgeMm).map((corner) => this.#camera.project(corner)),
        1,
      ),
      this.#whole,
    );
  }

  /** Everything in the picture that a die can change: itself, its contact shadow, its shadows from all lamps. */
  #reachOf(pose: DiePose): PixelBox {
    const edge = this.#rig.die.edgeMm;
    const points = cubeCorners(pose, edge).flatMap((corner) => {
      const shadows = this.#rig.lamps.map(({ positionMm: [x, y, z] }): readonly [number, number, number] => {
        const share = Math.min(0.9, Math.max(0, corner[2] / z));
        return [corner[0] + ((corner[0] - x) * share) / (1 - share), corner[1] + ((corner[1] - y) * share) / (1 - share), 0];
      });
      return [corner, ...shadows].map((point) => this.#camera.project(point));
    });
    return clippedTo(boxAround(points, (edge * 0.55 * this.#rig.camera.focalPx) / this.#rig.camera.heightMm), this.#whole);
  }
}

function tracerOf(rig: Rig, lighting: Lighting): DiceTracer {
  return new DiceTracer(rig, tableLight(rig, lighting), floorColour(rig.floor));
}
