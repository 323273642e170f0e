import { corners } from './die-pose.ts';
import { loadOpenCv } from './opencv.ts';
import { decodeJpeg } from './picture.ts';
import type { ExplainedReading } from './read-picture.ts';
import type { Rig } from './rig.ts';
import { bottomPose } from './tray-geometry.ts';

/** Draws what was seen into the picture: tray, top face and bottom of every die, both votes, lean, and the verdict.
 *  @returns a JPEG, or null when the picture cannot be decoded. */
export function drawOverlay(rig: Rig, jpeg: Buffer, { reading }: ExplainedReading): Buffer | null {
  const decoded = decodeJpeg(jpeg);
  if (decoded.kind === 'unusable') return null;
  const cv = loadOpenCv();
  const { mat } = decoded;
  const [green, red, yellow, blue] = [
    new cv.Vec3(80, 255, 80),
    new cv.Vec3(60, 60, 255),
    new cv.Vec3(0, 230, 255),
    new cv.Vec3(255, 160, 60),
  ];
  const point = (x: number, y: number): unknown => new cv.Point2(Math.round(x), Math.round(y));
  mat.drawCircle(point(...rig.geometry.centrePx), Math.round(rig.geometry.radiusPx), blue, 1);
  for (const die of reading.dice) {
    const [x, y] = die.centrePx;
    const [first, second] = die.quadPx;
    const edgePx = first !== undefined && second !== undefined ? Math.hypot(second[0] - first[0], second[1] - first[1]) : 1;
    const top = { x, y, angle: (die.angleDeg * Math.PI) / 180, edgePx };
    const bottom = corners(bottomPose(rig.geometry, top)).map(([px, py]) => point(px, py));
    mat.drawPolylines([bottom], true, yellow, 1);
    mat.drawPolylines([die.quadPx.map(([px, py]) => point(px, py))], true, die.value === null ? red : green, 1);
    const votes = `${die.votes.geometric ?? '-'}/${die.votes.appearance ?? '-'} ${die.confidence.toFixed(2)} ${die.tiltDeg?.toFixed(0) ?? '?'}deg`;
    mat.putText(
      votes,
      point(x - 0.5 * edgePx, y - 0.75 * edgePx),
      cv.FONT_HERSHEY_SIMPLEX,
      0.45,
      die.value === null ? red : green,
      1,
    );
  }
  const verdict = reading.verdict === 'accepted' ? reading.values.join(' ') : `refused: ${reading.cause}`;
  mat.putText(verdict, point(12, 26), cv.FONT_HERSHEY_SIMPLEX, 0.8, reading.verdict === 'accepted' ? green : red, 2);
  const drawn = cv.imencode('.jpg', mat, [cv.IMWRITE_JPEG_QUALITY, 90]);
  mat.release();
  return drawn;
}
