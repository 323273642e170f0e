import { type CameraPlace, pinhole } from './pinhole.ts';
import type { Lighting, Rig } from './rig.ts';
import type { ForeignObject } from './scene-truth.ts';
import { seededRandom } from './seeded-random.ts';
import { addDiffuse, type TableLight, tableLight } from './table-light.ts';

/** What of the picture is covered by a thing that lies above the dice (a hand), 0 to 1 per pixel; null when nothing does. */
export type CoverMask = Float32Array | null;

/** Height of the things above the floor, mm. */
const heights: Readonly<Record<ForeignObject['kind'], number>> = { chip: 3.3, coin: 1.8, crumb: 2.6, hand: 55, cover: 24 };

/** Draws foreign objects over a picture of the empty tray, in place. @returns where they hide the dice too. */
export function drawObjects(rig: Rig, lighting: Lighting, linear: Float32Array, objects: readonly ForeignObject[]): CoverMask {
  const light = tableLight(rig, lighting);
  let mask: CoverMask = null;
  for (const object of objects) {
    if (object.kind === 'hand') {
      mask ??= new Float32Array(rig.camera.widthPx * rig.camera.heightPx);
      drawHand(rig, light, linear, object, mask);
    } else drawDisc(rig, light, linear, object);
    if (object.kind === 'cover') mask = new Float32Array(rig.camera.widthPx * rig.camera.heightPx).fill(1);
  }
  return mask;
}

/** Calls `paint` for every pixel with the point where its ray meets the level `heightMm`. */
function eachPixelAt(place: CameraPlace, heightMm: number, paint: (index: number, x: number, y: number) => void): void {
  const camera = pinhole(place);
  const { widthPx, heightPx, focalPx } = place;
  for (let py = 0; py < heightPx; py += 1)
    for (let px = 0; px < widthPx; px += 1) {
      const u = (px + 0.5 - widthPx / 2) / focalPx;
      const v = (py + 0.5 - heightPx / 2) / focalPx;
      const dz = camera.forward[2] + u * camera.right[2] + v * camera.down[2];
      const t = (heightMm - camera.eye[2]) / dz;
      const x = camera.eye[0] + t * (camera.forward[0] + u * camera.right[0] + v * camera.down[0]);
      const y = camera.eye[1] + t * (camera.forward[1] + u * camera.right[1] + v * camera.down[1]);
      paint(py * widthPx + px, x, y);
    }
}

/** Chip, coin and crumb: a flat body whose side is drawn level by level, with a contact shadow. */
function drawDisc(rig: Rig, light: TableLight, linear: Float32Array, object: ForeignObject): void {
  const top = heights[object.kind];
  const random = seededRandom(Math.round(object.xMm * 97 + object.yMm * 31));
  const waves =
    object.kind === 'crumb' ? [0.18, 0.12, 0.1].map((size) => [size * random.next(), random.between(0, 6.28)] as const) : [];
  const edgeAt = (angle: number): number =>
    object.radiusMm * (1 + waves.reduce((sum, [size, phase], i) => sum + size * Math.sin((i + 2) * angle + phase), 0));
  const pxPerMm = rig.camera.focalPx / rig.camera.heightMm;
  const lit = new Float64Array(3);
  for (const level of [0, top * 0.25, top * 0.5, top * 0.75, top])
    eachPixelAt(rig.camera, level, (index, x, y) => {
      const [ox, oy] = [x - object.xMm, y - object.yMm];
      const reach = Math.hypot(ox, oy);
      if (reach > object.radiusMm * 2.2) return;
      const angle = Math.atan2(oy, ox) - object.angleRad;
      const edge = edgeAt(angle);
      if (level === 0) {
        const shade = 1 - 0.55 * Math.exp(-Math.max(0, reach - edge) / (top * 0.7));
        for (let c = 0; c < 3; c += 1) linear[index * 3 + c] = (linear[index * 3 + c] ?? 0) * shade;
      }
      const cover = Math.max(0, Math.min(1, (edge - reach) * pxPerMm + 0.5));
      if (cover === 0) return;
      const isSide = level < top;
      const bevel = Math.max(0, Math.min(0.6, 1 - (edge - reach) / (top * 0.5)));
      addDiffuse(
        light,
        x,
        y,
        level,
        isSide ? ox / reach : (bevel * ox) / (reach + 1e-6),
        isSide ? oy / reach : (bevel * oy) / (reach + 1e-6),
        isSide ? 0.2 : 1,
        lit,
      );
      const colour = objectColour(object.kind, reach / edge, angle, isSide);
      for (let c = 0; c < 3; c += 1) {
        const at = index * 3 + c;
        linear[at] = (linear[at] ?? 0) * (1 - cover) + (colour[c] ?? 0) * (lit[c] ?? 0) * cover;
      }
    });
}

function objectColour(
  kind: ForeignObject['kind'],
  share: number,
  angle: number,
  isSide: boolean,
): readonly [number, number, number] {
  if (kind === 'cover') return share > 0.94 ? [0.09, 0.09, 0.1] : [0.05, 0.05, 0.055];
  if (kind === 'crumb') return [0.42, 0.27, 0.12];
  if (kind === 'coin') {
    const relief = share > 0.86 ? 1.15 : 0.9 + 0.18 * Math.sin(angle * 3 + share * 14);
    return [0.5 * relief, 0.42 * relief, 0.24 * relief];
  }
  const insert = Math.cos(angle * 6) > 0.55;
  if (insert && (share > 0.72 || isSide)) return [0.7, 0.69, 0.66];
  return share > 0.68 && share < 0.72 ? [0.03, 0.035, 0.2] : [0.055, 0.07, 0.42];
}

/** A flat hand that reaches in: palm and five fingers as capsules with round shading. */
function drawHand(rig: Rig, light: TableLight, linear: Float32Array, hand: ForeignObject, mask: Float32Array): void {
  const size = hand.radiusMm / 45;
  const [s, c] = [Math.sin(hand.angleRad), Math.cos(hand.angleRad)];
  const capsules: readonly (readonly [number, number, number, number, number])[] = [
    [0, 60, 0, 220, 36],
    [-10, 0, 12, 40, 38],
    [-34, -10, -42, -88, 10],
    [-13, -14, -15, -106, 11],
    [9, -14, 13, -100, 11],
    [29, -8, 38, -78, 9.5],
    [40, 40, 78, -4, 11],
  ];
  const lit = new Float64Array(3);
  const depthAt = (hx: number, hy: number): number => {
    let depth = Number.NEGATIVE_INFINITY;
    for (const [ax, ay, bx, by, r] of capsules) {
      const [vx, vy] = [bx - ax, by - ay];
      const along = Math.max(0, Math.min(1, ((hx - ax) * vx + (hy - ay) * vy) / (vx * vx + vy * vy)));
      depth = Math.max(depth, (r - Math.hypot(hx - ax - along * vx, hy - ay - along * vy)) / Math.min(r, 14));
    }
    return depth;
  };
  eachPixelAt(rig.camera, heights.hand, (index, x, y) => {
    const [ox, oy] = [(x - hand.xMm) / size, (y - hand.yMm) / size];
    const [hx, hy] = [c * ox + s * oy, -s * ox + c * oy];
    const depth = depthAt(hx, hy);
    if (depth < -1.5) return;
    if (depth <= 0) {
      const shade = 1 - 0.5 * (1 + depth / 1.5);
      for (let channel = 0; channel < 3; channel += 1) linear[index * 3 + channel] = (linear[index * 3 + channel] ?? 0) * shade;
      return;
    }
    const cover = Math.min(1, depth * 12);
    const round = Math.min(1, depth);
    const up = 0.35 + 0.65 * Math.sqrt(1 - (1 - round) ** 2);
    addDiffuse(light, x, y, heights.hand, 0, 0, up, lit);
    const crease = 1 - 0.06 * Math.max(0, Math.sin(hy * 0.35 + Math.sin(hx * 0.1) * 2));
    const skin = [0.42, 0.24, 0.16];
    for (let channel = 0; channel < 3; channel += 1) {
      const at = index * 3 + channel;
      linear[at] = (linear[at] ?? 0) * (1 - cover) + (skin[channel] ?? 0) * (lit[channel] ?? 0) * crease * cover;
    }
    mask[index] = Math.max(mask[index] ?? 0, cover);
  });
}
