import { DiceTracer } from './dice-tracer.ts';
import { cubeCorners } from './die-body.ts';
import { glareLayer } from './glare.ts';
import { type Pinhole, pinhole } from './pinhole.ts';
import { type CoverMask, drawObjects } from './render-objects.ts';
import { renderTable, type TablePicture } from './render-table.ts';
import type { Lighting, Rig } from './rig.ts';
import type { DiePose } from './rotation.ts';
import type { ForeignObject } from './scene-truth.ts';
import { levelSteps } from './sensor-noise.ts';
import { floorColour } from './surface-texture.ts';
import { tableLight } from './table-light.ts';

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Linear light is looked up by its root: fine steps in the dark, white at 4 for exposures up to fourfold. */
const curveLength = 4096;
const curveScale = 2047;

/** Draws the noise-free picture of one rig. The table is drawn once; each new placing of the dice costs only the pixels around them. */
export class PictureCanvas {
  /** The clean picture, `levelSteps` per grey level, red green blue. */
  readonly clean: Int16Array;
  /** Light of the lamps' reflections, per pixel. */
  private readonly rig: Rig;
  private readonly camera: Pinhole;
  private lighting: Lighting;
  private table: TablePicture;
  private tracer: DiceTracer;
  private glare: Float32Array;
  private readonly vignette: Float32Array;
  /** The scene without dice: sharp, and as encoded levels. */
  private base: Float32Array;
  private readonly baseClean: Int16Array;
  private mask: CoverMask = null;
  private objects: readonly ForeignObject[] = [];
  private drawn: readonly Box[] = [];
  private readonly curves: readonly Int16Array[] = [0, 1, 2].map(() => new Int16Array(curveLength));

  constructor(rig: Rig, lighting: Lighting) {
    const { widthPx, heightPx } = rig.camera;
    this.rig = rig;
    this.camera = pinhole(rig.camera);
    this.clean = new Int16Array(widthPx * heightPx * 3);
    this.baseClean = new Int16Array(widthPx * heightPx * 3);
    this.vignette = vignetteOf(rig);
    this.lighting = lighting;
    this.table = renderTable(rig, lighting);
    this.tracer = tracerOf(rig, lighting);
    this.glare = glareLayer(rig, lighting);
    this.base = this.table.linear;
    this.fillCurves(lighting.gain);
    this.encodeBase();
  }

  /** Changes the light. A lamp that fails or comes back draws the table anew (about a second); gain and tint cost one pass over the picture. */
  relight(lighting: Lighting): void {
    const isRedrawn = lighting.failedLamp !== this.lighting.failedLamp;
    this.lighting = lighting;
    if (isRedrawn) {
      this.table = renderTable(this.rig, lighting);
      this.tracer = tracerOf(this.rig, lighting);
      this.glare = glareLayer(this.rig, lighting);
      this.layObjects();
    }
    this.fillCurves(lighting.gain);
    this.encodeBase();
  }

  /** Puts other foreign objects into the picture. */
  setObjects(objects: readonly ForeignObject[]): void {
    this.objects = objects;
    this.layObjects();
    this.encodeBase();
  }

  /** Draws the dice. `moments` are the places of all dice at moments spread over the exposure: one for dice at rest, more give motion blur. */
  drawDice(moments: readonly (readonly DiePose[])[]): void {
    this.erase();
    const boxes = mergedBoxes(moments.flatMap((dice) => dice.map((pose) => this.boxOf(pose))));
    for (const box of boxes) this.drawBox(box, moments);
    this.drawn = boxes;
  }

  /** Glare in linear light at a place of the picture, 0 outside it. */
  glareAt(x: number, y: number): number {
    const { widthPx, heightPx } = this.rig.camera;
    const [px, py] = [Math.floor(x), Math.floor(y)];
    return px < 0 || py < 0 || px >= widthPx || py >= heightPx ? 0 : (this.glare[py * widthPx + px] ?? 0);
  }

  private layObjects(): void {
    this.base = this.objects.length === 0 ? this.table.linear : Float32Array.from(this.table.linear);
    this.mask = drawObjects(this.rig, this.lighting, this.base, this.objects);
  }

  private encodeBase(): void {
    const { widthPx, heightPx } = this.rig.camera;
    this.encode({ left: 0, top: 0, right: widthPx, bottom: heightPx }, this.base, widthPx, 0, 0, this.baseClean);
    this.clean.set(this.baseClean);
    this.drawn = [];
  }

  private erase(): void {
    const { widthPx } = this.rig.camera;
    for (const box of this.drawn)
      for (let y = box.top; y < box.bottom; y += 1) {
        const [from, to] = [(y * widthPx + box.left) * 3, (y * widthPx + box.right) * 3];
        this.clean.set(this.baseClean.subarray(from, to), from);
      }
  }

  private drawBox(box: Box, moments: readonly (readonly DiePose[])[]): void {
    // Two pixels more than is shown, so that the lens blur has its neighbours.
    const wide = this.clipped({ left: box.left - 2, top: box.top - 2, right: box.right + 2, bottom: box.bottom + 2 });
    const width = wide.right - wide.left;
    const sum = new Float32Array(width * (wide.bottom - wide.top) * 3);
    // Shadows are soft and need no finer sampling than one look a pixel; -1 is not looked at yet.
    const remaining = new Float32Array(width * (wide.bottom - wide.top)).fill(-1);
    const isStill = moments.length === 1;
    const samples = isStill
      ? [
          [0.25, 0.25],
          [0.75, 0.25],
          [0.25, 0.75],
          [0.75, 0.75],
        ]
      : [
          [0.3, 0.3],
          [0.7, 0.45],
          [0.4, 0.75],
          [0.6, 0.6],
        ];
    const runs = isStill ? samples.length : moments.length;
    for (let run = 0; run < runs; run += 1) {
      const dice = moments[isStill ? 0 : run] ?? [];
      // A die far from this box neither shows nor throws a shadow here.
      this.tracer.place(
        dice.filter((pose) => overlaps(this.boxOf(pose), wide)),
        this.camera.eye,
      );
      const [sx, sy] = samples[run % samples.length] ?? [0.5, 0.5];
      this.addSample(wide, sum, remaining, sx ?? 0.5, sy ?? 0.5, 1 / runs);
    }
    this.encode(box, sum, width, wide.left, wide.top, this.clean);
  }

  private addSample(box: Box, sum: Float32Array, remaining: Float32Array, sx: number, sy: number, weight: number): void {
    const { widthPx, heightPx, focalPx } = this.rig.camera;
    const { eye, forward, right, down } = this.camera;
    const { base, mask, tracer } = this;
    const heightAt = this.table.heightAtMm;
    const colour = new Float64Array(3);
    let at = 0;
    for (let py = box.top; py < box.bottom; py += 1) {
      const v = (py + sy - heightPx / 2) / focalPx;
      for (let px = box.left; px < box.right; px += 1, at += 3) {
        const u = (px + sx - widthPx / 2) / focalPx;
        const dx = forward[0] + u * right[0] + v * down[0];
        const dy = forward[1] + u * right[1] + v * down[1];
        const dz = forward[2] + u * right[2] + v * down[2];
        const index = py * widthPx + px;
        const level = heightAt[index] as number;
        const toTable = (level - eye[2]) / dz;
        const toDie = tracer.trace(dx, dy, dz, colour);
        const cover = mask === null ? 0 : (mask[index] as number);
        let keep = 1;
        if (toDie < toTable) keep = cover;
        else {
          let lit = remaining[at / 3] as number;
          if (lit < 0) {
            lit = tracer.remainingLight(eye[0] + toTable * dx, eye[1] + toTable * dy, level);
            remaining[at / 3] = lit;
          }
          keep = cover + (1 - cover) * lit;
          colour[0] = colour[1] = colour[2] = 0;
        }
        const show = (1 - cover) * weight;
        const from = index * 3;
        sum[at] = (sum[at] as number) + (base[from] as number) * keep * weight + (colour[0] as number) * show;
        sum[at + 1] = (sum[at + 1] as number) + (base[from + 1] as number) * keep * weight + (colour[1] as number) * show;
        sum[at + 2] = (sum[at + 2] as number) + (base[from + 2] as number) * keep * weight + (colour[2] as number) * show;
      }
    }
  }

  /** Lens blur, vignette, glare and the curve to grey levels, for a part of the picture whose light starts at `left`, `top`. */
  private encode(box: Box, light: Float32Array, width: number, left: number, top: number, out: Int16Array): void {
    const { widthPx } = this.rig.camera;
    const height = light.length / 3 / width;
    const { vignette, glare } = this;
    const [reds, greens, blues] = this.curves as readonly [Int16Array, Int16Array, Int16Array];
    const side = blurSide(this.rig.picture.blurPx);
    const middle = 1 - 2 * side;
    const line = width * 3;
    // Three lines of the sideways blur in turn: above, here, below.
    const rows = [new Float32Array(line), new Float32Array(line), new Float32Array(line)] as const;
    const blurLine = (y: number, row: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer> => {
      const from = Math.max(0, Math.min(height - 1, y)) * line;
      for (let i = 3; i < line - 3; i += 1)
        row[i] =
          middle * (light[from + i] as number) + side * ((light[from + i - 3] as number) + (light[from + i + 3] as number));
      for (let i = 0; i < 3; i += 1) {
        row[i] = light[from + i] as number;
        row[line - 1 - i] = light[from + line - 1 - i] as number;
      }
      return row;
    };
    let [above, here, below] = [rows[0], blurLine(box.top - top - 1, rows[1]), blurLine(box.top - top, rows[2])];
    for (let y = box.top; y < box.bottom; y += 1) {
      [above, here, below] = [here, below, blurLine(y - top + 1, above)];
      for (
        let x = box.left, i = (box.left - left) * 3, index = y * widthPx + box.left;
        x < box.right;
        x += 1, i += 3, index += 1
      ) {
        const shade = vignette[index] as number;
        const extra = glare[index] as number;
        const red = middle * (here[i] as number) + side * ((above[i] as number) + (below[i] as number));
        const green = middle * (here[i + 1] as number) + side * ((above[i + 1] as number) + (below[i + 1] as number));
        const blue = middle * (here[i + 2] as number) + side * ((above[i + 2] as number) + (below[i + 2] as number));
        const at = index * 3;
        out[at] = reds[curveIndex(red * shade + extra)] as number;
        out[at + 1] = greens[curveIndex(green * shade + extra)] as number;
        out[at + 2] = blues[curveIndex(blue * shade + extra)] as number;
      }
    }
  }

  private fillCurves(gain: number): void {
    for (const [channel, curve] of this.curves.entries())
      for (let i = 0; i < curveLength; i += 1) {
        const light = ((i + 0.5) / curveScale) ** 2 * gain * (this.lighting.tint[channel] ?? 1);
        const level = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
        curve[i] = Math.round(Math.min(1, level) * 255 * levelSteps);
      }
  }

  /** Everything in the picture that a die can change: itself, its contact shadow, its shadows from all lamps. */
  private boxOf(pose: DiePose): Box {
    const edge = this.rig.die.edgeMm;
    const points = cubeCorners(pose, edge).flatMap((corner) => {
      const shadows = this.rig.lamps.map(({ positionMm: [x, y, z] }): readonly [number, number, number] => {
        const share = Math.min(0.9, Math.max(0, corner[2] / z));
        return [corner[0] + ((corner[0] - x) * share) / (1 - share), corner[1] + ((corner[1] - y) * share) / (1 - share), 0];
      });
      return [corner, ...shadows].map((point) => this.camera.project(point));
    });
    const margin = (edge * 0.55 * this.rig.camera.focalPx) / this.rig.camera.heightMm;
    return this.clipped({
      left: Math.floor(Math.min(...points.map((p) => p[0])) - margin),
      top: Math.floor(Math.min(...points.map((p) => p[1])) - margin),
      right: Math.ceil(Math.max(...points.map((p) => p[0])) + margin),
      bottom: Math.ceil(Math.max(...points.map((p) => p[1])) + margin),
    });
  }

  private clipped(box: Box): Box {
    const { widthPx, heightPx } = this.rig.camera;
    const x = (value: number): number => Math.max(0, Math.min(widthPx, value));
    const y = (value: number): number => Math.max(0, Math.min(heightPx, value));
    return { left: x(box.left), top: y(box.top), right: x(box.right), bottom: y(box.bottom) };
  }
}

function curveIndex(light: number): number {
  const index = (Math.sqrt(light) * curveScale) | 0;
  return index < curveLength ? index : curveLength - 1;
}

function tracerOf(rig: Rig, lighting: Lighting): DiceTracer {
  return new DiceTracer(rig, tableLight(rig, lighting), floorColour(rig.floor));
}

/** Side weight of a three-point blur with the wished deviation, px. */
function blurSide(sigmaPx: number): number {
  return Math.min(1 / 3, (sigmaPx * sigmaPx) / 2);
}

function vignetteOf(rig: Rig): Float32Array {
  const { widthPx, heightPx } = rig.camera;
  const shade = new Float32Array(widthPx * heightPx);
  const corner = (widthPx * widthPx + heightPx * heightPx) / 4;
  for (let y = 0; y < heightPx; y += 1)
    for (let x = 0; x < widthPx; x += 1) {
      const square = ((x - widthPx / 2) ** 2 + (y - heightPx / 2) ** 2) / corner;
      shade[y * widthPx + x] = 1 - rig.picture.vignette * square;
    }
  return shade;
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Joins boxes that overlap, so that no pixel is drawn twice. */
function mergedBoxes(boxes: readonly Box[]): readonly Box[] {
  const merged: Box[] = [];
  for (const box of boxes) {
    let grown = box;
    for (let i = merged.length - 1; i >= 0; i -= 1) {
      const other = merged[i];
      if (other === undefined || !overlaps(grown, other)) continue;
      grown = {
        left: Math.min(grown.left, other.left),
        top: Math.min(grown.top, other.top),
        right: Math.max(grown.right, other.right),
        bottom: Math.max(grown.bottom, other.bottom),
      };
      merged.splice(i, 1);
      i = merged.length;
    }
    if (grown.right > grown.left && grown.bottom > grown.top) merged.push(grown);
  }
  return merged;
}
