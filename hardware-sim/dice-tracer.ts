import { pipSpacingShare } from './die-body.ts';
import { type DieMaterial, dieMaterials, faceTable } from './die-material.ts';
import type { Colour, Rig } from './rig.ts';
import { type DiePose, matrixOf, turnedBack, type Vec3 } from './rotation.ts';
import type { TableLight } from './table-light.ts';

/** Numbers kept per die: matrix 9, position 3, eye in body axes 3, then 3 per lamp. */
const dieHeader = 15;

/** Traces rays against up to three rounded dice: exact surface, pips, shading, their shadows on each other and on what lies below. */
export class DiceTracer {
  private readonly light: TableLight;
  private readonly material: DieMaterial;
  private readonly edge: number;
  private readonly half: number;
  private readonly rounding: number;
  private readonly inner: number;
  private readonly spacing: number;
  private readonly pipRadius: number;
  private readonly bounce: Colour;
  private readonly stride: number;
  private dice = new Float64Array(0);
  private count = 0;
  /** Scratch: local hit x, y, z and direction. */
  private readonly hit = new Float64Array(6);

  /** @param bounce Colour of the floor, which lights the sides of the dice. */
  constructor(rig: Rig, light: TableLight, bounce: Colour) {
    this.light = light;
    this.material = dieMaterials[rig.die.style];
    this.edge = rig.die.edgeMm;
    this.half = rig.die.edgeMm / 2;
    this.rounding = rig.die.cornerRadiusMm;
    this.inner = this.half - this.rounding;
    this.spacing = this.edge * pipSpacingShare;
    this.pipRadius = this.edge * rig.die.pipRadiusShare;
    this.bounce = bounce;
    this.stride = dieHeader + 3 * light.lampCount;
  }

  /** Sets the dice that the next calls see. */
  place(poses: readonly DiePose[], eye: Vec3): void {
    this.count = poses.length;
    if (this.dice.length < poses.length * this.stride) this.dice = new Float64Array(poses.length * this.stride);
    for (const [index, pose] of poses.entries()) {
      const m = matrixOf(pose.rotation);
      const [x, y, z] = pose.position;
      const from = index * this.stride;
      this.dice.set(m, from);
      this.dice.set(pose.position, from + 9);
      this.dice.set(turnedBack(m, [eye[0] - x, eye[1] - y, eye[2] - z]), from + 12);
      for (let lamp = 0; lamp < this.light.lampCount; lamp += 1) {
        const at = lamp * 6;
        const l = this.light.lamps;
        this.dice.set(turnedBack(m, [(l[at] ?? 0) - x, (l[at + 1] ?? 0) - y, (l[at + 2] ?? 0) - z]), from + dieHeader + lamp * 3);
      }
    }
  }

  /** Colour of the nearest die along a ray from the eye, into `out`. @returns its distance in units of the direction, or infinity. */
  trace(dx: number, dy: number, dz: number, out: Float64Array): number {
    let nearest = Number.POSITIVE_INFINITY;
    let nearestDie = -1;
    for (let die = 0; die < this.count; die += 1) {
      const t = this.intersect(die * this.stride, dx, dy, dz);
      if (t > 0 && t < nearest) {
        nearest = t;
        nearestDie = die;
      }
    }
    if (nearestDie >= 0) this.shade(nearestDie, nearest, dx, dy, dz, out);
    return nearest;
  }

  /** Index of the nearest die along a ray from the eye, -1 for none; for truth about what covers what. */
  nearestDie(dx: number, dy: number, dz: number): number {
    let nearest = Number.POSITIVE_INFINITY;
    let nearestDie = -1;
    for (let die = 0; die < this.count; die += 1) {
      const t = this.intersect(die * this.stride, dx, dy, dz);
      if (t > 0 && t < nearest) {
        nearest = t;
        nearestDie = die;
      }
    }
    return nearestDie;
  }

  /** Share of its light that a level point below the dice still gets, 0 to 1. */
  remainingLight(x: number, y: number, z: number): number {
    let open = 1;
    for (let die = 0; die < this.count; die += 1) open *= this.openness(die * this.stride, x, y, z);
    const { lamps, lampCount, ambient } = this.light;
    let full = ambient[1];
    let left = ambient[1] * open;
    for (let lamp = 0; lamp < lampCount; lamp += 1) {
      const at = lamp * 6;
      const lx = (lamps[at] ?? 0) - x;
      const ly = (lamps[at + 1] ?? 0) - y;
      const lz = (lamps[at + 2] ?? 0) - z;
      const square = lx * lx + ly * ly + lz * lz;
      const share = ((lamps[at + 4] ?? 0) * lz) / (square * Math.sqrt(square));
      full += share;
      left += share * this.lampShare(lamp, x, y, z, -1) * (0.75 + 0.25 * open);
    }
    return left / full;
  }

  /** Contact shadow: how much of the sky a point beside one die sees. */
  private openness(from: number, x: number, y: number, z: number): number {
    const d = this.dice;
    const px = x - (d[from + 9] ?? 0);
    const py = y - (d[from + 10] ?? 0);
    const pz = z - (d[from + 11] ?? 0);
    if (px * px + py * py + pz * pz > 4 * this.edge * this.edge) return 1;
    const ox = Math.max(0, Math.abs((d[from] ?? 0) * px + (d[from + 3] ?? 0) * py + (d[from + 6] ?? 0) * pz) - this.half);
    const oy = Math.max(0, Math.abs((d[from + 1] ?? 0) * px + (d[from + 4] ?? 0) * py + (d[from + 7] ?? 0) * pz) - this.half);
    const oz = Math.max(0, Math.abs((d[from + 2] ?? 0) * px + (d[from + 5] ?? 0) * py + (d[from + 8] ?? 0) * pz) - this.half);
    return 1 - 0.7 * Math.exp((-3.6 * Math.sqrt(ox * ox + oy * oy + oz * oz)) / this.edge);
  }

  /** Share of one lamp that reaches a point past all dice but `self`: light fades with the length of its way through a die, which gives soft edges. */
  private lampShare(lamp: number, x: number, y: number, z: number, self: number): number {
    const d = this.dice;
    const half = this.half;
    let share = 1;
    for (let die = 0; die < this.count; die += 1) {
      if (die === self) continue;
      const from = die * this.stride;
      const wx = x - (d[from + 9] ?? 0);
      const wy = y - (d[from + 10] ?? 0);
      const wz = z - (d[from + 11] ?? 0);
      const px = (d[from] ?? 0) * wx + (d[from + 3] ?? 0) * wy + (d[from + 6] ?? 0) * wz;
      const py = (d[from + 1] ?? 0) * wx + (d[from + 4] ?? 0) * wy + (d[from + 7] ?? 0) * wz;
      const pz = (d[from + 2] ?? 0) * wx + (d[from + 5] ?? 0) * wy + (d[from + 8] ?? 0) * wz;
      const to = from + dieHeader + lamp * 3;
      const qx = (d[to] ?? 0) - px;
      const qy = (d[to + 1] ?? 0) - py;
      const qz = (d[to + 2] ?? 0) - pz;
      const along = -(px * qx + py * qy + pz * qz);
      if (along < 0 || (px * px + py * py + pz * pz - 3 * half * half) * (qx * qx + qy * qy + qz * qz) > along * along) continue;
      const ix = 1 / qx;
      const iy = 1 / qy;
      const iz = 1 / qz;
      const kx = Math.abs(ix) * half;
      const ky = Math.abs(iy) * half;
      const kz = Math.abs(iz) * half;
      const near = Math.max(-px * ix - kx, -py * iy - ky, -pz * iz - kz, 0);
      const far = Math.min(-px * ix + kx, -py * iy + ky, -pz * iz + kz, 1);
      if (far > near) share *= Math.exp((-(far - near) * Math.sqrt(qx * qx + qy * qy + qz * qz)) / 2.2);
    }
    return this.material.clear > 0 ? 0.3 + 0.7 * share : share;
  }

  /** Ray against a box with rounded edges (after Inigo Quilez, "rounded box intersector"). @returns distance or -1. */
  private intersect(from: number, dx: number, dy: number, dz: number): number {
    const d = this.dice;
    let rx = (d[from] ?? 0) * dx + (d[from + 3] ?? 0) * dy + (d[from + 6] ?? 0) * dz;
    let ry = (d[from + 1] ?? 0) * dx + (d[from + 4] ?? 0) * dy + (d[from + 7] ?? 0) * dz;
    let rz = (d[from + 2] ?? 0) * dx + (d[from + 5] ?? 0) * dy + (d[from + 8] ?? 0) * dz;
    let ox = d[from + 12] ?? 0;
    let oy = d[from + 13] ?? 0;
    let oz = d[from + 14] ?? 0;
    const half = this.half;
    // Most rays pass by: a ball around the die answers that faster than its faces.
    const along = -(ox * rx + oy * ry + oz * rz);
    if ((ox * ox + oy * oy + oz * oz - 3 * half * half) * (rx * rx + ry * ry + rz * rz) > along * along) return -1;
    const ix = 1 / rx;
    const iy = 1 / ry;
    const iz = 1 / rz;
    const kx = Math.abs(ix) * half;
    const ky = Math.abs(iy) * half;
    const kz = Math.abs(iz) * half;
    const near = Math.max(-ox * ix - kx, -oy * iy - ky, -oz * iz - kz);
    const far = Math.min(-ox * ix + kx, -oy * iy + ky, -oz * iz + kz);
    if (near > far || far < 0) return -1;
    // Into the octant of the entry point, where the rounded edges are those of the corner (inner, inner, inner).
    const px = ox + near * rx;
    const py = oy + near * ry;
    const pz = oz + near * rz;
    if (px < 0) {
      rx = -rx;
      ox = -ox;
    }
    if (py < 0) {
      ry = -ry;
      oy = -oy;
    }
    if (pz < 0) {
      rz = -rz;
      oz = -oz;
    }
    const inner = this.inner;
    const ax = Math.abs(px) - inner;
    const ay = Math.abs(py) - inner;
    const az = Math.abs(pz) - inner;
    if (Math.min(Math.max(ax, ay), Math.max(ay, az), Math.max(az, ax)) < 0) return near;
    return this.intersectEdges(ox, oy, oz, rx, ry, rz);
  }

  private intersectEdges(ox: number, oy: number, oz: number, rx: number, ry: number, rz: number): number {
    const inner = this.inner;
    const square = this.rounding * this.rounding;
    const cx = ox - inner;
    const cy = oy - inner;
    const cz = oz - inner;
    let best = Number.POSITIVE_INFINITY;
    const all = rx * rx + ry * ry + rz * rz;
    const b = cx * rx + cy * ry + cz * rz;
    const h = b * b - all * (cx * cx + cy * cy + cz * cz - square);
    if (h > 0) best = (-b - Math.sqrt(h)) / all;
    const ex = this.cylinder(cy, cz, ry, rz, square);
    if (ex > 0 && ex < best && Math.abs(ox + rx * ex) < inner) best = ex;
    const ey = this.cylinder(cx, cz, rx, rz, square);
    if (ey > 0 && ey < best && Math.abs(oy + ry * ey) < inner) best = ey;
    const ez = this.cylinder(cx, cy, rx, ry, square);
    if (ez > 0 && ez < best && Math.abs(oz + rz * ez) < inner) best = ez;
    return best === Number.POSITIVE_INFINITY ? -1 : best;
  }

  private cylinder(ca: number, cb: number, ra: number, rb: number, square: number): number {
    const a = ra * ra + rb * rb;
    const b = ca * ra + cb * rb;
    const h = b * b - a * (ca * ca + cb * cb - square);
    return h > 0 ? (-b - Math.sqrt(h)) / a : -1;
  }

  private shade(die: number, t: number, dx: number, dy: number, dz: number, out: Float64Array): void {
    const d = this.dice;
    const from = die * this.stride;
    const { hit, inner, material } = this;
    for (let i = 0; i < 3; i += 1) {
      const r = (d[from + i] ?? 0) * dx + (d[from + 3 + i] ?? 0) * dy + (d[from + 6 + i] ?? 0) * dz;
      hit[i] = (d[from + 12 + i] ?? 0) + t * r;
      hit[3 + i] = r;
    }
    const [px, py, pz] = [hit[0] ?? 0, hit[1] ?? 0, hit[2] ?? 0];
    let nx = Math.sign(px) * Math.max(0, Math.abs(px) - inner);
    let ny = Math.sign(py) * Math.max(0, Math.abs(py) - inner);
    let nz = Math.sign(pz) * Math.max(0, Math.abs(pz) - inner);
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    nx /= length;
    ny /= length;
    nz /= length;
    let [red, green, blue] = material.body;
    const paint = this.pipAt(hit, nx, ny, nz);
    if (paint !== null) {
      [red, green, blue] = paint.colour;
      nx -= paint.leanX;
      ny -= paint.leanY;
      nz -= paint.leanZ;
      const again = Math.sqrt(nx * nx + ny * ny + nz * nz);
      nx /= again;
      ny /= again;
      nz /= again;
    }
    const wx = (d[from] ?? 0) * nx + (d[from + 1] ?? 0) * ny + (d[from + 2] ?? 0) * nz;
    const wy = (d[from + 3] ?? 0) * nx + (d[from + 4] ?? 0) * ny + (d[from + 5] ?? 0) * nz;
    const wz = (d[from + 6] ?? 0) * nx + (d[from + 7] ?? 0) * ny + (d[from + 8] ?? 0) * nz;
    const x = (d[from] ?? 0) * px + (d[from + 1] ?? 0) * py + (d[from + 2] ?? 0) * pz + (d[from + 9] ?? 0);
    const y = (d[from + 3] ?? 0) * px + (d[from + 4] ?? 0) * py + (d[from + 5] ?? 0) * pz + (d[from + 10] ?? 0);
    const z = (d[from + 6] ?? 0) * px + (d[from + 7] ?? 0) * py + (d[from + 8] ?? 0) * pz + (d[from + 11] ?? 0);
    let open = 1;
    for (let other = 0; other < this.count; other += 1) if (other !== die) open *= this.openness(other * this.stride, x, y, z);
    open *= wz > 0.95 ? 1 : 0.55 + 0.45 * Math.min(1, Math.max(0, z) / this.edge);
    const { lamps, lampCount, ambient } = this.light;
    const down = 0.5 * (1 - wz) * 0.9;
    let [lr, lg, lb] = [
      ambient[0] * open * (0.5 + 0.5 * wz + down * 4 * this.bounce[0]),
      ambient[1] * open * (0.5 + 0.5 * wz + down * 4 * this.bounce[1]),
      ambient[2] * open * (0.5 + 0.5 * wz + down * 4 * this.bounce[2]),
    ];
    let gloss = 0;
    const back = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
    for (let lamp = 0; lamp < lampCount; lamp += 1) {
      const at = lamp * 6;
      const lx = (lamps[at] ?? 0) - x;
      const ly = (lamps[at + 1] ?? 0) - y;
      const lz = (lamps[at + 2] ?? 0) - z;
      const square = lx * lx + ly * ly + lz * lz;
      const inverse = 1 / Math.sqrt(square);
      const facing = (lx * wx + ly * wy + lz * wz) * inverse;
      if (facing <= 0) continue;
      const reach = this.lampShare(lamp, x, y, z, die) / square;
      lr += facing * reach * (lamps[at + 3] ?? 0);
      lg += facing * reach * (lamps[at + 4] ?? 0);
      lb += facing * reach * (lamps[at + 5] ?? 0);
      const hx = lx * inverse - dx * back;
      const hy = ly * inverse - dy * back;
      const hz = lz * inverse - dz * back;
      const cos = (hx * wx + hy * wy + hz * wz) / Math.sqrt(hx * hx + hy * hy + hz * hz);
      if (cos > 0.97) gloss += cos ** 260 * reach * (lamps[at + 4] ?? 0);
    }
    if (material.clear > 0 && paint === null) {
      const glow = this.glow(hit) * material.clear;
      red += glow * 0.5;
      green += glow * 0.025;
      blue += glow * 0.03;
    }
    const sheen = gloss * material.shine * 2.2;
    out[0] = red * lr + sheen;
    out[1] = green * lg + sheen;
    out[2] = blue * lb + sheen;
  }

  /** What shines through a clear body: more where the way to the other side is short, less where it ends on a pip. */
  private glow(hit: Float64Array): number {
    let way = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3; i += 1) {
      const r = hit[3 + i] ?? 0;
      if (r !== 0) way = Math.min(way, (Math.sign(r) * this.half - (hit[i] ?? 0)) / r);
    }
    const direction = Math.hypot(hit[3] ?? 0, hit[4] ?? 0, hit[5] ?? 0);
    const exit = new Float64Array(3);
    for (let i = 0; i < 3; i += 1) exit[i] = (hit[i] ?? 0) + way * (hit[3 + i] ?? 0);
    const [ax, ay, az] = [Math.abs(exit[0] ?? 0), Math.abs(exit[1] ?? 0), Math.abs(exit[2] ?? 0)];
    const pipBehind = this.pipAt(
      exit,
      ax >= ay && ax >= az ? Math.sign(exit[0] ?? 0) : 0,
      ay > ax && ay >= az ? Math.sign(exit[1] ?? 0) : 0,
      az > ax && az > ay ? Math.sign(exit[2] ?? 0) : 0,
    );
    return Math.exp((-way * direction) / (this.edge * 0.9)) * (pipBehind === null ? 1 : 1.7);
  }

  private pipAt(
    p: Float64Array,
    nx: number,
    ny: number,
    nz: number,
  ): { readonly colour: Colour; readonly leanX: number; readonly leanY: number; readonly leanZ: number } | null {
    const [ax, ay, az] = [Math.abs(nx), Math.abs(ny), Math.abs(nz)];
    const axis = ax > 0.85 ? 0 : ay > 0.85 ? 1 : az > 0.85 ? 2 : -1;
    if (axis < 0) return null;
    const side = faceTable[axis * 2 + ((axis === 0 ? nx : axis === 1 ? ny : nz) < 0 ? 1 : 0)];
    if (side === undefined) return null;
    const u = p[side.uAxis] ?? 0;
    const v = p[side.vAxis] ?? 0;
    // The single pip may be wider than a cell of the grid.
    const isSingle = side.face === 1;
    const gu = isSingle ? 0 : Math.max(-1, Math.min(1, Math.round(u / this.spacing)));
    const gv = isSingle ? 0 : Math.max(-1, Math.min(1, Math.round(v / this.spacing)));
    if ((side.bits & (1 << ((gv + 1) * 3 + gu + 1))) === 0) return null;
    const du = u - gu * this.spacing;
    const dv = v - gv * this.spacing;
    const radius = this.pipRadius * (side.face === 1 ? this.material.onePipFactor : 1);
    if (du * du + dv * dv > radius * radius) return null;
    // The wall of a bowl leans towards its middle, more so near the edge.
    const lean = (this.material.bowl * 0.9) / radius;
    const at = (i: number): number => (i === side.uAxis ? du * lean : i === side.vAxis ? dv * lean : 0);
    const colour = side.face === 1 || side.face === 4 ? this.material.redPip : this.material.pip;
    return { colour, leanX: at(0), leanY: at(1), leanZ: at(2) };
  }
}
