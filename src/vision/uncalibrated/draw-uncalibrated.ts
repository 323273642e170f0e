import { loadOpenCv } from '../opencv.ts';
import { decodeJpeg } from '../picture.ts';
import type { UncalibratedReading } from './uncalibrated-reading.ts';

/** Draws what was seen without calibration into the picture: outline and value of every sure die, and the verdict.
 *  @returns a JPEG, or null when the picture cannot be decoded. */
export function drawUncalibrated(jpeg: Buffer, reading: UncalibratedReading): Buffer | null {
  const decoded = decodeJpeg(jpeg);
  if (decoded.kind === 'unusable') return null;
  const cv = loadOpenCv();
  const { mat } = decoded;
  const colour = reading.seenValues === null ? new cv.Vec3(60, 60, 255) : new cv.Vec3(80, 255, 80);
  const size = Math.max(mat.cols, mat.rows) / 1_000;
  const point = (x: number, y: number): unknown => new cv.Point2(Math.round(x), Math.round(y));
  const write = (text: string, x: number, y: number): void => {
    mat.putText(text, point(x, y), cv.FONT_HERSHEY_SIMPLEX, Math.max(0.4, size), colour, Math.max(1, Math.round(2 * size)));
  };
  for (const die of reading.seenDice) {
    mat.drawPolylines([die.quadPx.map(([x, y]) => point(x, y))], true, colour, Math.max(1, Math.round(2 * size)));
    write(
      `${die.value} ${die.confidence.toFixed(2)}`,
      Math.min(...die.quadPx.map(([x]) => x)),
      Math.min(...die.quadPx.map(([, y]) => y)),
    );
  }
  write(
    `uncalibrated: ${reading.seenValues?.join(' ') ?? `refused: ${reading.refusedFor}`}`,
    12 * size,
    32 * Math.max(0.4, size),
  );
  const drawn = cv.imencode('.jpg', mat, [cv.IMWRITE_JPEG_QUALITY, 90]);
  mat.release();
  return drawn;
}
