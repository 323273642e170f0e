import type { SeededRandom } from './seeded-random.ts';

/** Point or direction, mm where it is a place. x to the right of the table's picture, y away from the viewer, z up. */
export type Vec3 = readonly [number, number, number];
/** Unit quaternion x, y, z, w; turns body axes into table axes. */
export type Quaternion = readonly [number, number, number, number];
/** Rows of a rotation matrix; row i of body-to-table times a body vector gives table coordinate i. */
export type Matrix3 = readonly [number, number, number, number, number, number, number, number, number];

/** Place of one die: the centre of the cube in mm (tray centre on the floor is 0, 0, 0) and its rotation. */
export interface DiePose {
  readonly position: Vec3;
  readonly rotation: Quaternion;
}

/** Body-to-table rotation matrix of a unit quaternion. */
export function matrixOf([x, y, z, w]: Quaternion): Matrix3 {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  ];
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function normalised(a: Vec3): Vec3 {
  const length = Math.hypot(a[0], a[1], a[2]);
  return [a[0] / length, a[1] / length, a[2] / length];
}

export function turned(m: Matrix3, v: Vec3): Vec3 {
  return [
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
    m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
    m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
  ];
}

/** The inverse turn: table axes to body axes. */
export function turnedBack(m: Matrix3, v: Vec3): Vec3 {
  return [
    m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
    m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
    m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
  ];
}

/** Rotation by `angleRad` about a unit axis, counter-clockwise seen from the tip of the axis. */
export function turnAbout(axis: Vec3, angleRad: number): Quaternion {
  const s = Math.sin(angleRad / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angleRad / 2)];
}

/** First `second`, then `first`, as for matrices. */
export function product(first: Quaternion, second: Quaternion): Quaternion {
  const [ax, ay, az, aw] = first;
  const [bx, by, bz, bw] = second;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** Uniform over all rotations (Shoemake 1992). */
export function randomRotation(random: SeededRandom): Quaternion {
  const [u, v, w] = [random.next(), random.next() * 2 * Math.PI, random.next() * 2 * Math.PI];
  const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
  return [a * Math.sin(v), a * Math.cos(v), b * Math.sin(w), b * Math.cos(w)];
}
