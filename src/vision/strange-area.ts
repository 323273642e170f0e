import type { DiePose } from './die-pose.ts';
import { type LitFloor, markFloorSpots } from './floor-spots.ts';
import { fitLighting, litFloor } from './lighting.ts';
import type { ReducedMaps } from './reduced-maps.ts';
import type { RigView } from './rig.ts';
import { bottomPose, type TrayGeometry } from './tray-geometry.ts';

/** Colour difference, grey levels, that floor and shadow may have: noise, and a share of the floor's brightness for texture and the light's fit. */
const explainedUpTo = 8.5;
const explainedShare = 0.072;
/** Unevenness of the light up to which every lamp burns and from which one does not. The empty picture has the shadows of a failed lamp, and not those
 *  that the others now cast: floor may be brighter than expected by a share, and of another tint as far as lamps differ. */
const evenUpTo = 0.08;
const unevenFrom = 0.11;
const failedLampBrightening = 0.4;
const failedLampTint = 0.3;
/** Radius around a die, edges, of what it and its shadow may spoil for the light: its corners reach 0.7. */
const spoiltEdges = 1.1;
/** Where shadows of the other lamps fall that the empty picture does not have: within this many edges of the wall, which casts them. Dice cast shadows too and make the
 *  light uneven while every lamp burns, so the middle of the floor gets no such allowance. */
const wallShadowEdges = 1;
/** A shadow leaves at least this share of the light; darker is an object. */
const shadowShareMin = 0.3;

/** Area inside the tray that is neither floor, nor floor in shadow, nor one of the given dice, in areas of a die's face.
 *  Thin lines (a die's own rim, scratches) do not count: a px counts when its whole 3 x 3 neighbourhood is strange. */
export function strangeAreaFaces(maps: ReducedMaps, view: RigView, geometry: TrayGeometry, dice: readonly DiePose[]): number {
  const { width, height } = maps;
  const { insideTray, glare, edgePx } = view.tray;
  const strange = new Uint8Array(width * height);
  const bodies = new Uint8Array(width * height);
  // Dice on one side of a small tray, beside something as large as they are, pass for a slope of the light: where the light looks uneven it is looked at
  // again without the dice, before an object is explained by a failed lamp.
  const lit = maps.lighting.unevenness <= evenUpTo ? maps : litBeside(maps, view, dice);
  const failed = Math.max(0, Math.min(1, (lit.lighting.unevenness - evenUpTo) / (unevenFrom - evenUpTo)));
  for (let i = 0; i < strange.length; i += 1)
    if (insideTray[i] === 1 && glare[i] === 0 && !isExplainedFloor(lit, i, 0))
      if (failed === 0 || !isNearWall(i, width, view, geometry) || !isExplainedFloor(lit, i, failed)) strange[i] = 1;
  for (const top of dice) {
    const bottom = bottomPose(geometry, top);
    for (const share of [0, 0.5, 1]) {
      const body = {
        x: top.x + share * (bottom.x - top.x),
        y: top.y + share * (bottom.y - top.y),
        angle: top.angle,
        edgePx: top.edgePx + share * (bottom.edgePx - top.edgePx),
      };
      eraseBody(strange, bodies, width, height, view, body);
    }
  }
  markFloorSpots(lit, view.tray, bodies, strange);
  return blockCount(strange, width, height) / edgePx ** 2;
}

/** The light by the floor away from the dice. */
function litBeside({ picture, width, height }: ReducedMaps, { rect, scale, tray }: RigView, dice: readonly DiePose[]): LitFloor {
  const centres = dice.map(({ x, y }) => [(x + 0.5 - rect.x) * scale - 0.5, (y + 0.5 - rect.y) * scale - 0.5] as const);
  const reach = (spoiltEdges * tray.edgePx) ** 2;
  const usable = tray.insideTray.map((inside, i) => {
    if (inside === 0 || tray.glare[i] === 1) return 0;
    const [x, y] = [i % width, Math.floor(i / width)];
    return centres.some(([cx, cy]) => (x - cx) ** 2 + (y - cy) ** 2 < reach) ? 0 : 1;
  });
  const lighting = fitLighting(tray.reference, picture, usable);
  return { width, height, picture, lighting, floor: litFloor(tray.reference, lighting, new Float32Array(picture.data.length)) };
}

function isNearWall(i: number, width: number, { rect, scale }: RigView, { centrePx, radiusPx, edgePx }: TrayGeometry): boolean {
  const x = rect.x + ((i % width) + 0.5) / scale;
  const y = rect.y + (Math.floor(i / width) + 0.5) / scale;
  return Math.hypot(x - centrePx[0], y - centrePx[1]) > radiusPx - wallShadowEdges * edgePx;
}

/** Takes what a die's body covers out of the map and into `bodies`, and as much around it as its rim is blurred in the reduced picture. */
function eraseBody(
  map: Uint8Array,
  bodies: Uint8Array,
  width: number,
  height: number,
  { rect, scale, tray }: RigView,
  body: DiePose,
): void {
  const half = 0.5 + 2 / tray.edgePx;
  const reach = Math.SQRT2 * half * body.edgePx;
  // As `toFace`.
  const [cos, sin] = [Math.cos(body.angle) / body.edgePx, Math.sin(body.angle) / body.edgePx];
  const column = (x: number): number => (x + 0.5 - rect.x) * scale - 0.5;
  const row = (y: number): number => (y + 0.5 - rect.y) * scale - 0.5;
  const right = Math.min(width - 1, Math.ceil(column(body.x + reach)));
  const bottom = Math.min(height - 1, Math.ceil(row(body.y + reach)));
  for (let y = Math.max(0, Math.floor(row(body.y - reach))); y <= bottom; y += 1) {
    for (let x = Math.max(0, Math.floor(column(body.x - reach))); x <= right; x += 1) {
      const i = y * width + x;
      const dx = rect.x + (x + 0.5) / scale - 0.5 - body.x;
      const dy = rect.y + (y + 0.5) / scale - 0.5 - body.y;
      if (Math.abs(cos * dx + sin * dy) >= half || Math.abs(cos * dy - sin * dx) >= half) continue;
      map[i] = 0;
      bodies[i] = 1;
    }
  }
}

/** How many px have nothing but marked px around them. */
function blockCount(map: Uint8Array, width: number, height: number): number {
  let count = 0;
  for (let y = 1; y < height - 1; y += 1) {
    const end = (y + 1) * width - 1;
    for (let i = y * width + 1; i < end; i += 1) {
      if (map[i] === 0 || map[i - 1] === 0 || map[i + 1] === 0) continue;
      const above = i - width;
      const below = i + width;
      if (map[above] === 0 || map[above - 1] === 0 || map[above + 1] === 0) continue;
      if (map[below] === 0 || map[below - 1] === 0 || map[below + 1] === 0) continue;
      count += 1;
    }
  }
  return count;
}

/** True when a px looks like its floor, or like its floor under less light. @param failed 0 when every lamp burns, 1 when one does not. */
function isExplainedFloor(maps: LitFloor, i: number, failed: number): boolean {
  const j = 3 * i;
  const { data } = maps.picture;
  const cb = data[j] as number;
  const cg = data[j + 1] as number;
  const cr = data[j + 2] as number;
  const fb = maps.floor[j] as number;
  const fg = maps.floor[j + 1] as number;
  const fr = maps.floor[j + 2] as number;
  // What is this near to its floor without any shadow is nearer still under the best one: no division for most of the tray.
  if ((cb - fb) ** 2 + (cg - fg) ** 2 + (cr - fr) ** 2 <= explainedUpTo ** 2) return true;
  const shareMax = 1 + failedLampBrightening * failed;
  const share = Math.max(
    shadowShareMin,
    Math.min(shareMax, (cb * fb + cg * fg + cr * fr) / Math.max(1, fb * fb + fg * fg + fr * fr)),
  );
  const difference = Math.max(Math.abs(cb - share * fb), Math.abs(cg - share * fg), Math.abs(cr - share * fr));
  return difference <= (1 + failedLampTint * failed) * (explainedUpTo + explainedShare * Math.max(fb, fg, fr));
}
