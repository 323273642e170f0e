import type { DiePose } from './die-pose.ts';

/** How dice of one size appear over the tray of one rig. Lengths in px of the picture unless said otherwise. */
export interface TrayGeometry {
  readonly centrePx: readonly [number, number];
  readonly radiusPx: number;
  /** Edge of a top face at the tray's centre, and its relative change per px to the right and downwards (camera off axis). */
  readonly edgePx: number;
  readonly edgeSlope: readonly [number, number];
  /** Foot of the camera: where vertical edges point to. */
  readonly nadirPx: readonly [number, number];
  /** How much smaller, and closer to the nadir, a die's bottom appears than its top: height of a die over the camera's height. */
  readonly parallax: number;
  /** Width of the rounded rim between the visible edge of a top face and the die's full outline, in edges. */
  readonly bevelEdges: number;
}

/** Edge of a flat top face at a place, px. */
export function edgePxAt(geometry: TrayGeometry, x: number, y: number): number {
  const [sx, sy] = geometry.edgeSlope;
  return geometry.edgePx * (1 + sx * (x - geometry.centrePx[0]) + sy * (y - geometry.centrePx[1]));
}

/** The bottom of a flat die whose top face has this pose. */
export function bottomPose(geometry: TrayGeometry, top: DiePose): DiePose {
  const k = 1 - geometry.parallax;
  const [nx, ny] = geometry.nadirPx;
  return { x: nx + k * (top.x - nx), y: ny + k * (top.y - ny), angle: top.angle, edgePx: k * top.edgePx };
}

/** Width of the side face that shows beyond each edge of a flat die's top face, in edges, in the order of the face's own directions
 *  +u, +v, -u, -v. Negative where the top hides the side. */
export function sideWidths(geometry: TrayGeometry, top: DiePose): [number, number, number, number] {
  const bottom = bottomPose(geometry, top);
  const widths = [0, 1, 2, 3].map((k) => {
    const angle = top.angle + (k * Math.PI) / 2;
    const shift = (bottom.x - top.x) * Math.cos(angle) + (bottom.y - top.y) * Math.sin(angle);
    return (shift + bottom.edgePx / 2 - top.edgePx / 2) / top.edgePx;
  });
  return widths as [number, number, number, number];
}
