import type { Mat } from '../src/vision/opencv.ts';
import { copyPart } from '../src/vision/picture.ts';
import { findTrayCircle, type TrayCircle } from '../src/vision/tray-circle.ts';

/** Longest side of the picture in which the tray's circle is looked for, px. */
const circleSidePx = 640;

/** The edge of the tray's floor in the picture of the empty tray, px of that picture; null when none stands out. */
export function findTray(emptyMat: Mat): TrayCircle | null {
  const scale = Math.min(1, circleSidePx / Math.max(emptyMat.cols, emptyMat.rows));
  const rect = { x: 0, y: 0, width: emptyMat.cols, height: emptyMat.rows };
  const circle = findTrayCircle(copyPart(emptyMat, rect, Math.round(rect.width * scale), Math.round(rect.height * scale)));
  if (circle === null) return null;
  return { ...circle, centrePx: [circle.centrePx[0] / scale, circle.centrePx[1] / scale], radiusPx: circle.radiusPx / scale };
}
