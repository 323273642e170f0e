import { loadOpenCv, type Mat } from '../src/vision/opencv.ts';
import { copyPart, decodeJpeg, type Picture } from '../src/vision/picture.ts';
import type { ExplainedReading } from '../src/vision/read-picture.ts';
import type { Rig } from '../src/vision/rig.ts';
import type { CameraMeasures } from './camera-check.ts';

/** JPEG quality of pictures in a report: enough to count pips, small enough for a file of some megabytes. */
const quality = 78;
/** Share of the tray's radius that a picture of a throw shows. */
const shownShare = 1.12;
/** Width of the camera's picture in a report, px. */
const cameraWidthPx = 960;

/** The tray with the top faces that were seen drawn into it (green where both readers agree, red where not), as a JPEG of `sidePx` x `sidePx`;
 *  null when the picture cannot be decoded. */
export function throwPicture(rig: Rig, jpeg: Buffer, { reading }: ExplainedReading, sidePx: number): Buffer | null {
  const decoded = decodeJpeg(jpeg);
  if (decoded.kind === 'unusable') return null;
  const { mat } = decoded;
  try {
    const cv = loadOpenCv();
    const half = Math.min(shownShare * rig.geometry.radiusPx, mat.cols / 2, mat.rows / 2);
    const [green, red] = [new cv.Vec3(70, 230, 60), new cv.Vec3(60, 60, 255)];
    for (const { quadPx, value } of reading.dice) {
      const corners = quadPx.map(([x, y]) => new cv.Point2(Math.round(x), Math.round(y)));
      mat.drawPolylines([corners], true, value === null ? red : green, Math.max(1, Math.round((3 * half) / sidePx)));
    }
    const [cx, cy] = rig.geometry.centrePx;
    const x = Math.round(Math.max(0, Math.min(mat.cols - 2 * half, cx - half)));
    const y = Math.round(Math.max(0, Math.min(mat.rows - 2 * half, cy - half)));
    const side = Math.min(Math.floor(2 * half), mat.cols - x, mat.rows - y);
    return jpegOf(copyPart(mat, { x, y, width: side, height: side }, sidePx, sidePx));
  } finally {
    mat.release();
  }
}

/** The empty tray with its circle and, in magenta, its glare, as a JPEG; null when the picture cannot be decoded. */
export function glarePicture(emptyJpeg: Buffer, { tray, glare }: CameraMeasures): Buffer | null {
  const decoded = decodeJpeg(emptyJpeg);
  if (decoded.kind === 'unusable') return null;
  const { mat } = decoded;
  try {
    if (tray !== null) drawCircle(mat, tray.centrePx, tray.radiusPx);
    const width = Math.min(cameraWidthPx, mat.cols);
    const height = Math.round((mat.rows * width) / mat.cols);
    const picture = copyPart(mat, { x: 0, y: 0, width: mat.cols, height: mat.rows }, width, height);
    if (glare !== null) tint(picture, (x, y) => isGlare(glare, (x + 0.5) / width, (y + 0.5) / height));
    return jpegOf(picture);
  } finally {
    mat.release();
  }
}

function drawCircle(mat: Mat, [x, y]: readonly [number, number], radiusPx: number): void {
  const cv = loadOpenCv();
  const centre = new cv.Point2(Math.round(x), Math.round(y));
  mat.drawCircle(centre, Math.round(radiusPx), new cv.Vec3(255, 160, 60), Math.max(1, Math.round(mat.rows / 360)));
}

function isGlare({ mask, width, height }: NonNullable<CameraMeasures['glare']>, u: number, v: number): boolean {
  const x = Math.min(width - 1, Math.floor(u * width));
  const y = Math.min(height - 1, Math.floor(v * height));
  return mask[y * width + x] === 1;
}

/** Colours what is marked, and draws a dark edge around it so that white spots on a light floor stand out in print too. */
function tint({ width, height, data }: Picture, isMarked: (x: number, y: number) => boolean): void {
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isEdge = !isMarked(x, y) && (isMarked(x - 2, y) || isMarked(x + 2, y) || isMarked(x, y - 2) || isMarked(x, y + 2));
      const colour = isMarked(x, y) ? [230, 40, 255] : isEdge ? [60, 0, 70] : null;
      if (colour !== null) for (let c = 0; c < 3; c += 1) data[3 * (y * width + x) + c] = colour[c] ?? 0;
    }
  }
}

function jpegOf({ width, height, data }: Picture): Buffer {
  const cv = loadOpenCv();
  const mat = new cv.Mat(Buffer.from(data.buffer, data.byteOffset, data.byteLength), height, width, cv.CV_8UC3);
  const jpeg = cv.imencode('.jpg', mat, [cv.IMWRITE_JPEG_QUALITY, quality]);
  mat.release();
  return jpeg;
}
