/** Where the top face of a die lies in the picture. A square: the camera looks down within a few degrees. */
export interface DiePose {
  /** Centre, px of the picture. */
  readonly x: number;
  readonly y: number;
  /** Direction of the face's first axis, radians; a face is the same after a quarter turn, so only the value modulo 90° matters. */
  readonly angle: number;
  /** Length of an edge, px. */
  readonly edgePx: number;
}

/** Maps a place on the face (units of an edge, centre at 0) into the picture, px. */
export function toPicture(pose: DiePose, u: number, v: number): [number, number] {
  const [cos, sin] = [Math.cos(pose.angle) * pose.edgePx, Math.sin(pose.angle) * pose.edgePx];
  return [pose.x + cos * u - sin * v, pose.y + sin * u + cos * v];
}

/** Maps a place in the picture onto the face, in units of an edge. */
export function toFace(pose: DiePose, x: number, y: number): [number, number] {
  const [cos, sin] = [Math.cos(pose.angle) / pose.edgePx, Math.sin(pose.angle) / pose.edgePx];
  const [dx, dy] = [x - pose.x, y - pose.y];
  return [cos * dx + sin * dy, -sin * dx + cos * dy];
}

/** The four corners, clockwise in the picture. @param scale 1 for the edge itself. */
export function corners(pose: DiePose, scale = 1): [number, number][] {
  const h = scale / 2;
  return [toPicture(pose, -h, -h), toPicture(pose, h, -h), toPicture(pose, h, h), toPicture(pose, -h, h)];
}

/** Angle in degrees, 0 <= angle < 90. */
export function angleDegOf(pose: DiePose): number {
  const degrees = ((pose.angle * 180) / Math.PI) % 90;
  return degrees < 0 ? degrees + 90 : degrees;
}

/** Share of the first square that the second covers, 0 to 1, by a grid of 11 x 11 points. */
export function overlapShare(first: DiePose, second: DiePose): number {
  if (Math.hypot(first.x - second.x, first.y - second.y) > 0.71 * (first.edgePx + second.edgePx)) return 0;
  let inside = 0;
  for (let i = 0; i < 11; i += 1) {
    for (let j = 0; j < 11; j += 1) {
      const [x, y] = toPicture(first, (i - 5) / 11, (j - 5) / 11);
      const [u, v] = toFace(second, x, y);
      if (Math.abs(u) < 0.5 && Math.abs(v) < 0.5) inside += 1;
    }
  }
  return inside / 121;
}
