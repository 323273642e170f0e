import { type DiePose, toFace } from './die-pose.ts';
import { MotionMeter, motionAreaOf } from './motion-meter.ts';
import { loadOpenCv } from './opencv.ts';
import { type PipLayout, pipLayouts, pipPlace } from './pip-layouts.ts';
import { readJpeg } from './read-picture.ts';
import type { Rig } from './rig.ts';
import { edgePxAt } from './tray-geometry.ts';

/** Layouts that are painted: a 2, a 5 and a 6. */
const paintedLayouts: readonly number[] = [1, 6, 7];
/** Readings after which the compiler has done nearly all of its work: the first takes about eight times as long as the tenth. */
const readingCountMax = 10;
/** Most processor time spent, ms; a table must be ready within 3 s of its start. */
const cpuMsMax = 700;

/** Reads painted throws until the code of reader and motion meter is compiled, so that the first picture of a table is answered about as fast
 *  as the later ones. Leaves nothing behind in the rig. */
export function warmUp(rig: Rig): void {
  const before = process.cpuUsage();
  const meter = new MotionMeter(motionAreaOf(rig.resolution, rig.view, rig.scene));
  // The first two differ so little that the second is calm, and bodies are looked for in it.
  const pictures = [paintedThrow(rig, 0.3), paintedThrow(rig, 0.301), paintedThrow(rig, 1.4)];
  for (let k = 0; k < readingCountMax; k += 1) {
    const picture = pictures[k % pictures.length] as Buffer;
    meter.measure(k, 0, picture);
    readJpeg(rig, picture);
    const { user, system } = process.cpuUsage(before);
    if (user + system > 1000 * cpuMsMax) break;
  }
}

/** A JPEG of the empty tray with a 2, a 5 and a 6 painted on it, in the colours of the rig. @param turn radians by which they lie around
 *  the tray's centre. */
export function paintedThrow(rig: Rig, turn: number): Buffer {
  const cv = loadOpenCv();
  const { referenceMat } = rig.view;
  const data = referenceMat.getData();
  const [centreX, centreY] = rig.geometry.centrePx;
  paintedLayouts.forEach((index, k) => {
    const angle = turn + (2 * Math.PI * k) / paintedLayouts.length;
    const x = centreX + 0.5 * rig.geometry.radiusPx * Math.cos(angle);
    const y = centreY + 0.5 * rig.geometry.radiusPx * Math.sin(angle);
    paintDie(rig, data, { x, y, angle, edgePx: edgePxAt(rig.geometry, x, y) }, pipLayouts[index] as PipLayout);
  });
  const mat = new cv.Mat(data, referenceMat.rows, referenceMat.cols, cv.CV_8UC3);
  const jpeg = cv.imencode('.jpg', mat, [cv.IMWRITE_JPEG_QUALITY, 95]);
  mat.release();
  return jpeg;
}

function paintDie(rig: Rig, data: Buffer, pose: DiePose, layout: PipLayout): void {
  const [columns, rows] = rig.resolution;
  const { body, pipColour, pipRadius, pipSpread } = rig.faces;
  const pips = layout.cells.map((cell) => pipPlace(layout, cell, pipSpread[layout.value]));
  const reach = 0.75 * pose.edgePx;
  for (let y = Math.max(0, Math.floor(pose.y - reach)); y < Math.min(rows, pose.y + reach); y += 1) {
    for (let x = Math.max(0, Math.floor(pose.x - reach)); x < Math.min(columns, pose.x + reach); x += 1) {
      const [u, v] = toFace(pose, x, y);
      if (Math.abs(u) > 0.5 || Math.abs(v) > 0.5) continue;
      const isPip = pips.some(([pu, pv]) => Math.hypot(u - pu, v - pv) < pipRadius[layout.value]);
      (isPip ? pipColour[layout.value] : body).forEach((value, c) => {
        data[3 * (y * columns + x) + c] = Math.max(0, Math.min(255, Math.round(value)));
      });
    }
  }
}
