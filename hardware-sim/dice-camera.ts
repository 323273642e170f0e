import sharp from 'sharp';
import { PictureCanvas } from './picture-canvas.ts';
import { baseLighting, type Lighting, type Rig } from './rig.ts';
import { type DiePose, product, turnAbout } from './rotation.ts';
import type { Scene } from './scene-truth.ts';
import { seededRandom } from './seeded-random.ts';
import { sensorNoise } from './sensor-noise.ts';
import { softFocus } from './soft-focus.ts';

/** A camera over the simulated tray. It sees the scene it is shown and nothing else: no truth gets into the picture. */
export class DiceCamera {
  readonly rig: Rig;
  private readonly canvas: PictureCanvas;
  private readonly noise: ReturnType<typeof sensorNoise>;
  private readonly flicker: ReturnType<typeof seededRandom>;
  private readonly bytes: Uint8ClampedArray;
  private readonly soft: Int16Array;
  private lighting: Lighting = baseLighting;
  private shown: Scene | null = null;
  private isStale = true;

  /** @param noiseSeed Seed of the sensor's noise; pictures of two cameras with the same seed are equal, pictures of one camera never are. */
  constructor(rig: Rig, noiseSeed: number) {
    this.rig = rig;
    this.canvas = new PictureCanvas(rig, baseLighting);
    this.noise = sensorNoise(rig.picture.noiseSigma, noiseSeed);
    this.flicker = seededRandom(noiseSeed + 1);
    this.bytes = new Uint8ClampedArray(rig.camera.widthPx * rig.camera.heightPx * 3);
    this.soft = new Int16Array(rig.picture.softPx > 0 ? this.bytes.length : 0);
  }

  /** Draws a scene with its dice moved, which nobody sees. The code for moving dice compiles while it first runs; without some such drawings the
   *  pictures of the first throw come seconds apart. @param turn Another number moves the dice otherwise. */
  warmUp(scene: Scene, turn: number): void {
    const moved = scene.dice.map(({ position: [x, y, z], rotation }): DiePose => {
      return { position: [x + turn, y - turn, z + turn], rotation: product(turnAbout([0.6, 0, 0.8], turn), rotation) };
    });
    this.show({ ...scene, dice: moved, isMoving: true }, [moved, scene.dice, moved]);
  }

  setLighting(lighting: Lighting): void {
    this.lighting = lighting;
    this.canvas.relight(lighting);
    this.isStale = true;
  }

  /** Looks at a scene. Cheap when nothing changed since the last call.
   *  @param moments For moving dice: their places at moments spread over the exposure; null takes the scene's own. */
  show(scene: Scene, moments: readonly (readonly DiePose[])[] | null = null): void {
    const { shown } = this;
    const before = shown?.objects ?? [];
    const hasSameObjects = before === scene.objects || before.length + scene.objects.length === 0;
    if (!hasSameObjects) this.canvas.setObjects(scene.objects);
    else if (moments === null && shown?.dice === scene.dice && !this.isStale) return;
    this.shown = scene;
    this.canvas.drawDice(moments ?? [scene.dice]);
    // Blurred dice are not those of a later look at the same scene.
    this.isStale = moments !== null;
  }

  /** The picture of the shown scene as raw bytes, red green blue, with fresh noise. The same buffer is used again by the next call. */
  pixels(): Uint8ClampedArray {
    if (this.lighting.flickerShare > 0 && this.shown !== null) {
      const gain = this.lighting.gain * (1 + this.lighting.flickerShare * (2 * this.flicker.next() - 1));
      this.canvas.relight({ ...this.lighting, gain });
      this.canvas.drawDice([this.shown.dice]);
    }
    const { widthPx } = this.rig.camera;
    const { softPx } = this.rig.picture;
    if (softPx > 0) softFocus(this.canvas.clean, widthPx, softPx, this.soft);
    this.noise.apply(softPx > 0 ? this.soft : this.canvas.clean, this.bytes, widthPx);
    return this.bytes;
  }

  /** The picture as a camera would deliver it. */
  async jpeg(): Promise<Buffer> {
    const { widthPx, heightPx } = this.rig.camera;
    return sharp(this.pixels(), { raw: { width: widthPx, height: heightPx, channels: 3 } })
      .jpeg({ quality: this.rig.picture.jpegQuality, optimiseCoding: false })
      .toBuffer();
  }

  /** Glare over a place of the picture, 1 is white; for truth only. */
  glareAt(x: number, y: number): number {
    return this.canvas.glareAt(x, y);
  }
}
