import { pinhole } from './pinhole.ts';
import type { Colour, Lighting, Rig, RimKind } from './rig.ts';
import { clothTexture, floorColour, floorTexture, type SurfaceTexture } from './surface-texture.ts';
import { addDiffuse, tableLight } from './table-light.ts';

/** The empty tray as the camera sees it, before lens blur and glare. */
export interface TablePicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Linear light, red green blue per pixel, 1 is white; the vignette is not in it yet. */
  readonly linear: Float32Array;
  /** Height above the floor of what is seen at each pixel, mm. */
  readonly heightAtMm: Float32Array;
}

const rimColours: Readonly<Record<RimKind, { readonly colour: Colour; readonly shine: number }>> = {
  brass: { colour: [0.55, 0.34, 0.09], shine: 0.9 },
  black: { colour: [0.03, 0.03, 0.032], shine: 0.25 },
  steel: { colour: [0.36, 0.37, 0.39], shine: 0.9 },
  wood: { colour: [0.14, 0.06, 0.025], shine: 0.2 },
};

/** Draws floor, wall, rim and table once; the dice are laid over it frame by frame. About a second for 1920 x 1080. */
export function renderTable(rig: Rig, lighting: Lighting): TablePicture {
  const { widthPx, heightPx, focalPx } = rig.camera;
  const camera = pinhole(rig.camera);
  const painter = tablePainter(rig, lighting);
  const linear = new Float32Array(widthPx * heightPx * 3);
  const heightAtMm = new Float32Array(widthPx * heightPx);
  const colour = new Float64Array(3);
  const [ex, ey, ez] = camera.eye;
  for (let py = 0; py < heightPx; py += 1)
    for (let px = 0; px < widthPx; px += 1) {
      const index = py * widthPx + px;
      // Four samples a pixel: the rim has thin bright lines.
      for (let sample = 0; sample < 4; sample += 1) {
        const u = (px + 0.25 + 0.5 * (sample & 1) - widthPx / 2) / focalPx;
        const v = (py + 0.25 + 0.5 * (sample >> 1) - heightPx / 2) / focalPx;
        const dx = camera.forward[0] + u * camera.right[0] + v * camera.down[0];
        const dy = camera.forward[1] + u * camera.right[1] + v * camera.down[1];
        const dz = camera.forward[2] + u * camera.right[2] + v * camera.down[2];
        heightAtMm[index] = painter(ex, ey, ez, dx, dy, dz, colour);
        for (let c = 0; c < 3; c += 1) linear[index * 3 + c] = (linear[index * 3 + c] ?? 0) + (colour[c] ?? 0) / 4;
      }
    }
  return { widthPx, heightPx, linear, heightAtMm };
}

type RayPainter = (ex: number, ey: number, ez: number, dx: number, dy: number, dz: number, out: Float64Array) => number;

/** Colour along one ray, and the height of the point it meets. */
function tablePainter(rig: Rig, lighting: Lighting): RayPainter {
  const light = tableLight(rig, lighting);
  const radius = rig.trayRadiusMm;
  const { heightMm, widthMm, kind } = rig.rim;
  const rim = rimColours[kind];
  const floor = floorColour(rig.floor);
  const floorGrain = floorTexture(rig.floor, rig.seed + 1);
  const cloth = clothTexture(rig.seed + 2);
  const lit = new Float64Array(3);
  const paint = (base: Colour, factor: number, white: number, out: Float64Array): void => {
    for (let c = 0; c < 3; c += 1) out[c] = ((base[c] ?? 0) * factor + white) * (lit[c] ?? 0);
  };
  return (ex, ey, ez, dx, dy, dz, out) => {
    const toRim = (heightMm - ez) / dz;
    const [rx, ry] = [ex + dx * toRim, ey + dy * toRim];
    const atRim = Math.hypot(rx, ry);
    if (atRim >= radius && atRim <= radius + widthMm) {
      const across = ((atRim - radius) / widthMm) * 2 - 1;
      const [ox, oy] = [rx / atRim, ry / atRim];
      const lean = across * 0.8;
      const up = Math.sqrt(1 - lean * lean);
      addDiffuse(light, rx, ry, heightMm, ox * lean, oy * lean, up, lit);
      const groove = Math.abs(across - 0.25) < 0.07 ? 0.25 : Math.abs(across + 0.82) < 0.1 ? 0.5 : 1;
      // Polished metal mirrors the room: brighter towards the lamps' side and along the crest.
      const mirror =
        1 + rim.shine * (0.9 * Math.exp(-(((across + 0.35) / 0.18) ** 2)) + 0.35 * (ox * 0.5 - oy * 0.85) * lean * 2);
      paint(rim.colour, groove * mirror * (1 - 0.35 * Math.max(0, across) ** 2), 0, out);
      return heightMm;
    }
    const toFloor = -ez / dz;
    const [fx, fy] = [ex + dx * toFloor, ey + dy * toFloor];
    const atFloor = Math.hypot(fx, fy);
    if (atRim < radius && atFloor >= radius) {
      // The inside of the wall: between the rim's edge and the floor.
      const share = Math.min(1, (atFloor - radius) / Math.max(1e-6, atFloor - atRim));
      addDiffuse(light, rx, ry, heightMm * share, -fx / atFloor, -fy / atFloor, 0, lit);
      paint(rim.colour, 0.35 + 0.35 * share, 0, out);
      return heightMm * share;
    }
    addDiffuse(light, fx, fy, 0, 0, 0, 1, lit);
    if (atFloor < radius) {
      const nearWall = 1 - 0.62 * Math.exp(-(radius - atFloor) / (heightMm * 0.45));
      const index = textureIndex(floorGrain, fx / (2 * radius) + 0.5, fy / (2 * radius) + 0.5);
      paint(floor, (floorGrain.factor[index] ?? 1) * nearWall, (floorGrain.white[index] ?? 0) * nearWall, out);
      return 0;
    }
    const underRim = 1 - 0.55 * Math.exp(-Math.max(0, atFloor - radius - widthMm) / (heightMm * 0.6));
    const index = textureIndex(cloth, fx / 60 + 100.5, fy / 60 + 100.5);
    paint(rig.tableColour, (cloth.factor[index] ?? 1) * underRim, 0, out);
    return 0;
  };
}

function textureIndex(texture: SurfaceTexture, u: number, v: number): number {
  const x = Math.floor((u - Math.floor(u)) * texture.sidePx);
  const y = Math.floor((v - Math.floor(v)) * texture.sidePx);
  return Math.min(texture.sidePx - 1, y) * texture.sidePx + Math.min(texture.sidePx - 1, x);
}
