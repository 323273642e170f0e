import { type DiePose, toFace } from './die-pose.ts';
import type { ReducedMaps } from './reduced-maps.ts';
import type { RigView } from './rig.ts';
import { bottomPose, type TrayGeometry } from './tray-geometry.ts';

/** Colour difference, grey levels, that floor and shadow may have: noise, and a share of the floor's brightness for texture and the light's fit. */
const explainedUpTo = 8.5;
const explainedShare = 0.072;
/** Unevenness of the light up to which every lamp burns and from which one does not, and what a failed lamp, whose shadows the empty picture does
 *  not have, adds to the difference as a share. */
const evenUpTo = 0.08;
const unevenFrom = 0.11;
const failedLampTolerance = 0.67;
/** A shadow leaves at least this share of the light; darker is an object. */
const shadowShareMin = 0.3;

/** Area inside the tray that is neither floor, nor floor in shadow, nor one of the given dice, in areas of a die's face.
 *  Thin lines (a die's own rim, scratches) do not count: a px counts when its whole 3 x 3 neighbourhood is strange. */
export function strangeAreaFaces(maps: ReducedMaps, view: RigView, geometry: TrayGeometry, dice: readonly DiePose[]): number {
  const { width, height } = maps;
  const strange = new Uint8Array(width * height);
  const tolerance =
    1 + failedLampTolerance * Math.max(0, Math.min(1, (maps.lighting.unevenness - evenUpTo) / (unevenFrom - evenUpTo)));
  const bodies = dice.flatMap((top) => {
    const bottom = bottomPose(geometry, top);
    return [0, 0.5, 1].map((share) => ({
      x: top.x + share * (bottom.x - top.x),
      y: top.y + share * (bottom.y - top.y),
      angle: top.angle,
      edgePx: top.edgePx + share * (bottom.edgePx - top.edgePx),
    }));
  });
  // Wide enough for the blurred rim of a die in the reduced picture.
  const half = 0.5 + 2 / view.tray.edgePx;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const i = y * width + x;
      if (view.tray.insideTray[i] === 0 || view.tray.glare[i] === 1 || isExplainedFloor(maps, i, tolerance)) continue;
      const px = view.rect.x + (x + 0.5) / view.scale - 0.5;
      const py = view.rect.y + (y + 0.5) / view.scale - 0.5;
      const isOnDie = bodies.some((pose) => {
        const [u, v] = toFace(pose, px, py);
        return Math.abs(u) < half && Math.abs(v) < half;
      });
      if (!isOnDie) strange[i] = 1;
    }
  }
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      let sum = 0;
      for (let dy = -1; dy <= 1; dy += 1) for (let dx = -1; dx <= 1; dx += 1) sum += strange[(y + dy) * width + x + dx] ?? 0;
      if (sum === 9) count += 1;
    }
  }
  return count / view.tray.edgePx ** 2;
}

/** True when a px looks like its floor, or like its floor under less light. */
function isExplainedFloor(maps: ReducedMaps, i: number, tolerance: number): boolean {
  const j = 3 * i;
  const { data } = maps.picture;
  const cb = data[j] as number;
  const cg = data[j + 1] as number;
  const cr = data[j + 2] as number;
  const fb = maps.floor[j] as number;
  const fg = maps.floor[j + 1] as number;
  const fr = maps.floor[j + 2] as number;
  const share = Math.max(shadowShareMin, Math.min(1, (cb * fb + cg * fg + cr * fr) / Math.max(1, fb * fb + fg * fg + fr * fr)));
  const difference = Math.max(Math.abs(cb - share * fb), Math.abs(cg - share * fg), Math.abs(cr - share * fr));
  return difference <= tolerance * (explainedUpTo + explainedShare * Math.max(fb, fg, fr));
}
