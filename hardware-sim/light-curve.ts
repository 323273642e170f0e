import type { PixelBox } from './pixel-box.ts';
import type { Lighting, Rig } from './rig.ts';
import { levelSteps } from './sensor-noise.ts';

/** Linear light is looked up by its root: fine steps in the dark, white at 4 for exposures up to fourfold. */
const curveLength = 4096;
const curveScale = 2047;

/** Light of a part of the picture: three channels a pixel, `width` pixels a line, starting at `left`, `top` of the picture. */
export interface LightPatch {
  readonly light: Float32Array;
  readonly width: number;
  readonly left: number;
  readonly top: number;
}

/** The last steps from light to grey levels: lens blur, loss in the corners, the dome's reflections, exposure and the sRGB curve. */
export class LightCurve {
  readonly #rig: Rig;
  readonly #vignette: Float32Array;
  readonly #reds = new Int16Array(curveLength);
  readonly #greens = new Int16Array(curveLength);
  readonly #blues = new Int16Array(curveLength);

  constructor(rig: Rig, lighting: Lighting) {
    this.#rig = rig;
    this.#vignette = vignetteOf(rig);
    this.set(lighting);
  }

  /** Takes gain and tint of another light. */
  set(lighting: Lighting): void {
    for (const [channel, curve] of [this.#reds, this.#greens, this.#blues].entries())
      for (let i = 0; i < curveLength; i += 1) {
        const light = ((i + 0.5) / curveScale) ** 2 * lighting.gain * (lighting.tint[channel] ?? 1);
        const level = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
        curve[i] = Math.round(Math.min(1, level) * 255 * levelSteps);
      }
  }

  /** Writes the levels of `box` into a whole picture. The patch holds at least `box`; one more pixel around it keeps the blur true at its border. */
  encode(box: PixelBox, patch: LightPatch, glare: Float32Array, out: Int16Array): void {
    const { light, width, left, top } = patch;
    const { widthPx } = this.#rig.camera;
    const height = light.length / 3 / width;
    const vignette = this.#vignette;
    const reds = this.#reds;
    const greens = this.#greens;
    const blues = this.#blues;
    const side = blurSide(this.#rig.picture.blurPx);
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
}

/** Side weight of a three-point blur with the wished deviation, px. */
function blurSide(sigmaPx: number): number {
  return Math.min(1 / 3, (sigmaPx * sigmaPx) / 2);
}

function curveIndex(light: number): number {
  const index = (Math.sqrt(light) * curveScale) | 0;
  return index < curveLength ? index : curveLength - 1;
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
