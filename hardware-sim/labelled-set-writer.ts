import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Face } from '../src/core/rules/dice.ts';
import { DiceCamera } from './dice-camera.ts';
import type { TraySettings } from './dice-physics.ts';
import { rotationWithTop } from './die-body.ts';
import { trayOf } from './machine.ts';
import { labelOf } from './picture-label.ts';
import type { Rig } from './rig.ts';
import type { DiePose } from './rotation.ts';
import type { Scene } from './scene-truth.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { stageScene } from './stage-scene.ts';

/** Pictures for `calibrate fit`: each face twice alone, then three dice together. */
const singleCount = 12;
const tripleCount = 6;

/** What only the maker of a picture knows about it; see `labels.jsonl` in the README of this folder. */
export interface PictureNote {
  readonly kind: 'empty_ref' | 'calib' | 'test';
  /** Name of the light; the camera's own lighting is set by `camera`. */
  readonly lighting: string;
  /** Dice at moments spread over the exposure, for moving ones; null takes the scene's own. */
  readonly moments?: readonly (readonly DiePose[])[] | null;
  /** What is special about the scene; without it, the kind of the first foreign object. */
  readonly detail?: string;
}

/** Writes pictures of one rig and their `labels.jsonl` into a folder. */
export class LabelledSetWriter {
  readonly rig: Rig;
  readonly tray: TraySettings;
  readonly camera: DiceCamera;
  /** Pictures of each class so far. */
  readonly counts: Record<string, number> = {};
  readonly #folder: string;
  readonly #lines: string[] = [];

  private constructor(rig: Rig, folder: string, noiseSeed: number) {
    this.rig = rig;
    this.tray = trayOf(rig);
    this.camera = new DiceCamera(rig, noiseSeed);
    this.#folder = folder;
  }

  /** Makes the folder. `loadPhysics` must have resolved before scenes are staged. */
  static async open(rig: Rig, folder: string, noiseSeed: number): Promise<LabelledSetWriter> {
    await mkdir(folder, { recursive: true });
    return new LabelledSetWriter(rig, folder, noiseSeed);
  }

  async write(scene: Scene, note: PictureNote): Promise<void> {
    const { rig, camera } = this;
    camera.show(scene, note.moments ?? null);
    const file = `${rig.name}_${String(this.#lines.length).padStart(4, '0')}.jpg`;
    await writeFile(join(this.#folder, file), await camera.jpeg());
    const label = labelOf(rig, scene, (x, y) => camera.glareAt(x, y));
    // A single die for calibration is no throw; three of them could be one, and are marked as valid.
    const shown = note.kind === 'calib' ? { ...label, class: 'calib', valid: scene.dice.length === 3 } : label;
    this.counts[shown.class] = (this.counts[shown.class] ?? 0) + 1;
    const fixed = {
      file,
      rig: rig.name,
      kind: note.kind,
      style: rig.die.style,
      floor: rig.floor,
      resolution: [rig.camera.widthPx, rig.camera.heightPx],
      lighting: note.lighting,
    };
    const detail = note.detail ?? scene.objects[0]?.kind;
    this.#lines.push(JSON.stringify({ ...fixed, ...shown, ...(detail === undefined ? {} : { detail }) }));
  }

  /** The empty tray, each face twice alone and free of glare, three dice together: what a fit needs. */
  async writeCalibration(random: SeededRandom, seed: number): Promise<void> {
    await this.write(stageScene('empty', 0, this.tray), { kind: 'empty_ref', lighting: 'base' });
    for (let i = 0; i < singleCount; i += 1)
      await this.write(this.#singleInTheClear(((i % 6) + 1) as Face, random, seed * 1000 + i), {
        kind: 'calib',
        lighting: 'base',
      });
    for (let i = 0; i < tripleCount; i += 1)
      await this.write(stageScene('flat', seed * 1000 + i, this.tray), { kind: 'calib', lighting: 'base' });
  }

  /** A single die where no reflection lies on it, as a technician would lay it. */
  #singleInTheClear(value: Face, random: SeededRandom, seed: number): Scene {
    let scene = single(value, random, this.tray);
    // A stream of its own, so that the first place stays what it was.
    const again = seededRandom(seed + 9);
    for (let turn = 0; turn < 40; turn += 1) {
      const label = labelOf(this.rig, scene, (x, y) => this.camera.glareAt(x, y));
      if (!label.glare_on_pip && !label.glare_fake_pattern) break;
      scene = single(value, again, this.tray);
    }
    return scene;
  }

  /** Writes the labels; a folder without them is no set. @returns how many pictures of each class were written. */
  async close(): Promise<Readonly<Record<string, number>>> {
    await writeFile(join(this.#folder, 'labels.jsonl'), `${this.#lines.join('\n')}\n`);
    return this.counts;
  }
}

function single(value: Face, random: SeededRandom, tray: TraySettings): Scene {
  const reach = (tray.trayRadiusMm - tray.edgeMm * 0.8) * Math.sqrt(random.next());
  const angle = random.between(0, 2 * Math.PI);
  const rotation = rotationWithTop(value, random.between(0, 2 * Math.PI));
  const die: DiePose = { position: [reach * Math.cos(angle), reach * Math.sin(angle), tray.edgeMm / 2], rotation };
  return { dice: [die], objects: [], isMoving: false };
}
