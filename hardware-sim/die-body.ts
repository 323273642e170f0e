import type { Face } from '../src/core/rules/dice.ts';
import { type DiePose, matrixOf, product, type Quaternion, turnAbout, turned, type Vec3 } from './rotation.ts';

/** Outward direction of each face in the die's own axes. Opposite faces sum to 7; around the common corner of 1, 2 and 3 they follow each
 *  other counter-clockwise (western dice), because x, y, z do so seen from (1, 1, 1). */
export const faceNormals: Readonly<Record<Face, Vec3>> = {
  1: [0, 0, 1],
  2: [1, 0, 0],
  3: [0, 1, 0],
  4: [0, -1, 0],
  5: [-1, 0, 0],
  6: [0, 0, -1],
};

/** The two in-face directions, a right-handed set with the normal; pip layouts are drawn in them. */
export const faceAxes: Readonly<Record<Face, readonly [Vec3, Vec3]>> = {
  1: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  2: [
    [0, 1, 0],
    [0, 0, 1],
  ],
  3: [
    [0, 0, 1],
    [1, 0, 0],
  ],
  4: [
    [1, 0, 0],
    [0, 0, 1],
  ],
  5: [
    [0, 0, 1],
    [0, 1, 0],
  ],
  6: [
    [0, 1, 0],
    [1, 0, 0],
  ],
};

/** Pips of each face on a grid of -1, 0, 1 in the face's own axes. */
export const pipGrid: Readonly<Record<Face, readonly (readonly [number, number])[]>> = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [-1, 1],
    [1, -1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [-1, 1],
    [0, 0],
    [1, -1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [1, -1],
    [1, 0],
    [1, 1],
  ],
};

/** Pip grid spacing as a share of the edge, measured on common 16 to 18 mm dice. */
export const pipSpacingShare = 0.2665;

const faceValues: readonly Face[] = [1, 2, 3, 4, 5, 6];

/** The face that points most nearly up, and how far it leans from the horizontal, degrees 0 to 54.8. */
export function topFaceOf(pose: DiePose): { readonly value: Face; readonly tiltDeg: number } {
  const m = matrixOf(pose.rotation);
  let value: Face = 1;
  let best = -2;
  for (const face of faceValues) {
    const up = turned(m, faceNormals[face])[2];
    if (up > best) {
      best = up;
      value = face;
    }
  }
  return { value, tiltDeg: (Math.acos(Math.min(1, best)) * 180) / Math.PI };
}

/** Rotation that puts `value` exactly on top, then turns the die by `yawRad` about the vertical. */
export function rotationWithTop(value: Face, yawRad: number): Quaternion {
  const half = Math.PI / 2;
  const toTop: Readonly<Record<Face, Quaternion>> = {
    1: [0, 0, 0, 1],
    2: turnAbout([0, 1, 0], -half),
    3: turnAbout([1, 0, 0], half),
    4: turnAbout([1, 0, 0], -half),
    5: turnAbout([0, 1, 0], half),
    6: turnAbout([1, 0, 0], Math.PI),
  };
  return product(turnAbout([0, 0, 1], yawRad), toTop[value]);
}

/** The four corners of a face of the sharp cube, in table coordinates. */
export function faceCorners(pose: DiePose, face: Face, edgeMm: number): readonly Vec3[] {
  return [
    [1, 1],
    [1, -1],
    [-1, -1],
    [-1, 1],
  ].map(([u, v]) => facePoint(pose, face, edgeMm, (u ?? 0) / 2, (v ?? 0) / 2));
}

/** Point on a face, `u` and `v` in shares of the edge from the face's centre. */
export function facePoint(pose: DiePose, face: Face, edgeMm: number, u: number, v: number): Vec3 {
  const normal = faceNormals[face];
  const [a, b] = faceAxes[face];
  const body: Vec3 = [
    edgeMm * (normal[0] / 2 + a[0] * u + b[0] * v),
    edgeMm * (normal[1] / 2 + a[1] * u + b[1] * v),
    edgeMm * (normal[2] / 2 + a[2] * u + b[2] * v),
  ];
  const t = turned(matrixOf(pose.rotation), body);
  return [t[0] + pose.position[0], t[1] + pose.position[1], t[2] + pose.position[2]];
}

/** The eight corners of the sharp cube in table coordinates. */
export function cubeCorners(pose: DiePose, edgeMm: number): readonly Vec3[] {
  const m = matrixOf(pose.rotation);
  const half = edgeMm / 2;
  const corners: Vec3[] = [];
  for (const x of [-half, half])
    for (const y of [-half, half])
      for (const z of [-half, half]) {
        const t = turned(m, [x, y, z]);
        corners.push([t[0] + pose.position[0], t[1] + pose.position[1], t[2] + pose.position[2]]);
      }
  return corners;
}
