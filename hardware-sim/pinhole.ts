import { cross, dot, normalised, type Vec3 } from './rotation.ts';

/** A camera without lens errors, looking down at the tray. Pixel centres lie at whole numbers plus one half. */
export interface CameraPlace {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Height of the lens above the floor of the tray, mm. */
  readonly heightMm: number;
  /** Sideways place of the lens from the tray's axis, mm. The camera still looks at the tray's middle (give or take `aimMm`). */
  readonly offsetMm: readonly [number, number];
  /** The point of the floor at the middle of the picture, mm. */
  readonly aimMm: readonly [number, number];
  /** Turn of the camera about its own axis, radians. */
  readonly rollRad: number;
  /** Picture pixels per radian near the axis. */
  readonly focalPx: number;
}

/** Projection between table and picture. */
export interface Pinhole {
  readonly eye: Vec3;
  readonly right: Vec3;
  readonly down: Vec3;
  readonly forward: Vec3;
  /** Table point in mm to picture place in px. */
  project(point: Vec3): readonly [number, number];
}

/** Seen from above the picture is not mirrored: with no roll, table x runs to the right and table y to the top of the picture. */
export function pinhole(place: CameraPlace): Pinhole {
  const eye: Vec3 = [place.offsetMm[0], place.offsetMm[1], place.heightMm];
  const forward = normalised([place.aimMm[0] - eye[0], place.aimMm[1] - eye[1], -eye[2]]);
  const wanted: Vec3 = [Math.cos(place.rollRad), Math.sin(place.rollRad), 0];
  const along = dot(wanted, forward);
  const right = normalised([wanted[0] - along * forward[0], wanted[1] - along * forward[1], wanted[2] - along * forward[2]]);
  const down = cross(forward, right);
  const [halfWidth, halfHeight] = [place.widthPx / 2, place.heightPx / 2];
  return {
    eye,
    right,
    down,
    forward,
    project: (point) => {
      const v: Vec3 = [point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]];
      const depth = dot(v, forward);
      return [halfWidth + (place.focalPx * dot(v, right)) / depth, halfHeight + (place.focalPx * dot(v, down)) / depth];
    },
  };
}
