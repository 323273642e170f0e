import type { Lighting, Rig } from './rig.ts';

/** Lamps of a rig as flat numbers for the pixel loops: x, y, z in mm and red, green, blue of the light on the middle of the floor. */
export interface TableLight {
  readonly lampCount: number;
  /** Six numbers a lamp. */
  readonly lamps: Float64Array;
  readonly ambient: readonly [number, number, number];
}

/** Light of a rig under a condition. The exposure is part of it, so that 1 is the white of the picture. A failed lamp gives nothing. */
export function tableLight(rig: Rig, lighting: Lighting): TableLight {
  const sum = rig.lamps.reduce((total, lamp) => total + lamp.strength, 0);
  const direct = (1 - rig.ambientShare) * rig.picture.exposure;
  const lit = rig.lamps.filter((_, index) => index !== lighting.failedLamp);
  const lamps = new Float64Array(lit.length * 6);
  for (const [index, lamp] of lit.entries()) {
    const [x, y, z] = lamp.positionMm;
    const distance = Math.hypot(x, y, z);
    // Normalised so that an upright surface in the tray's middle gets the lamp's share: cos of incidence is z / distance.
    const scale = (direct * lamp.strength * distance ** 3) / (sum * z);
    lamps.set([x, y, z, scale * lamp.colour[0], scale * lamp.colour[1], scale * lamp.colour[2]], index * 6);
  }
  // A dark room also loses the light that the failed lamp had thrown on walls and ceiling.
  const left = lit.reduce((total, lamp) => total + lamp.strength, 0) / sum;
  const ambient = rig.ambientShare * rig.picture.exposure * (0.4 + 0.6 * left);
  return { lampCount: lit.length, lamps, ambient: [ambient, ambient, ambient * 0.98] };
}

/** Light on a point with unit normal, no shadows; adds into `out` the three channels. */
export function addDiffuse(
  light: TableLight,
  x: number,
  y: number,
  z: number,
  nx: number,
  ny: number,
  nz: number,
  out: Float64Array,
): void {
  out[0] = light.ambient[0];
  out[1] = light.ambient[1];
  out[2] = light.ambient[2];
  const { lamps } = light;
  for (let i = 0; i < light.lampCount * 6; i += 6) {
    const lx = (lamps[i] ?? 0) - x;
    const ly = (lamps[i + 1] ?? 0) - y;
    const lz = (lamps[i + 2] ?? 0) - z;
    const facing = lx * nx + ly * ny + lz * nz;
    if (facing <= 0) continue;
    const square = lx * lx + ly * ly + lz * lz;
    const share = facing / (square * Math.sqrt(square));
    out[0] += share * (lamps[i + 3] ?? 0);
    out[1] += share * (lamps[i + 4] ?? 0);
    out[2] += share * (lamps[i + 5] ?? 0);
  }
}
