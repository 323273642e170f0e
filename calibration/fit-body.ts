import { type DiePose, toFace, toPicture } from '../src/vision/die-pose.ts';
import { patchEdgePx, patchSidePx } from '../src/vision/face-patch.ts';
import type { FoundFace } from '../src/vision/find-dice.ts';
import { solveLinear } from '../src/vision/lighting.ts';
import { type BodyModel, bodyProbability, bodyTermCount, bodyTerms } from '../src/vision/side-faces.ts';
import { bottomPose, type TrayGeometry } from '../src/vision/tray-geometry.ts';

/** Passes of Newton's method at most; the decision settles after about eight. */
const passCount = 10;
/** Every how many px of a patch becomes a training sample. */
const stride = 3;
/** A side face is the same body in less light: every px of a top face also stands for one in these shares of its light. Px of the side faces
 *  themselves, of which flat dice show little, count whole. */
const topShades: readonly { readonly shade: number; readonly weight: number }[] = [
  { shade: 1, weight: 0.3 },
  { shade: 0.75, weight: 0.4 },
  { shade: 0.5, weight: 0.3 },
];
const asSeen: typeof topShades = [{ shade: 1, weight: 1 }];

interface Group {
  readonly faces: readonly FoundFace[];
}

/** Learns to tell die from floor (shadow included) by the colour of a px and of the empty floor under it, from the surroundings of the
 *  calibration's own dice: top and side faces where a flat die must show them, floor everywhere else.
 *  @param groups faces by picture, because neighbours belong to no floor. @param margin width of the strip on either side of an expected outline
 *  from which nothing is learned, because the outline is not known better, edges. */
export function fitBodyModel(groups: readonly Group[], geometry: TrayGeometry, margin: number): BodyModel {
  const rows: Float64Array[] = [];
  const labels: number[] = [];
  const weightsOfRows: number[] = [];
  for (const { faces } of groups) {
    const bodies = faces.map((face) => solid(geometry, face.pose));
    for (const face of faces) collect(face, geometry, bodies, margin, rows, labels, weightsOfRows);
  }
  let [dieWeight, allWeight] = [0, 0];
  weightsOfRows.forEach((weight, index) => {
    allWeight += weight;
    if (labels[index] === 1) dieWeight += weight;
  });
  const dieShare = dieWeight / Math.max(1, allWeight);
  const weights = new Array<number>(bodyTermCount).fill(0);
  for (let pass = 0; pass < passCount; pass += 1) {
    const system: number[][] = Array.from({ length: bodyTermCount }, () => new Array<number>(bodyTermCount + 1).fill(0));
    rows.forEach((terms, index) => {
      const label = labels[index] ?? 0;
      // Die and floor count the same in total, whatever their areas.
      const share = label === 1 ? dieShare : 1 - dieShare;
      const balance = ((weightsOfRows[index] ?? 0) * 0.5) / Math.max(0.05, share);
      const p = bodyProbability({ weights }, terms);
      const curvature = Math.max(1e-4, p * (1 - p)) * balance;
      const slope = (label - p) * balance;
      for (let i = 0; i < bodyTermCount; i += 1) {
        const row = system[i] as number[];
        const ti = terms[i] ?? 0;
        for (let j = i; j < bodyTermCount; j += 1) row[j] = (row[j] ?? 0) + curvature * ti * (terms[j] ?? 0);
        row[bodyTermCount] = (row[bodyTermCount] ?? 0) + slope * ti;
      }
    });
    for (let i = 0; i < bodyTermCount; i += 1) {
      for (let j = 0; j < i; j += 1) (system[i] as number[])[j] = system[j]?.[i] ?? 0;
      const ridge = i === 0 ? 0.01 : 1;
      (system[i] as number[])[i] = (system[i]?.[i] ?? 0) + ridge;
      (system[i] as number[])[bodyTermCount] = (system[i]?.[bodyTermCount] ?? 0) - ridge * (weights[i] ?? 0);
    }
    const step = solveLinear(system);
    const longest = Math.max(...step.map(Math.abs));
    const damping = longest > 4 ? 4 / longest : 1;
    step.forEach((value, i) => {
      weights[i] = (weights[i] ?? 0) + damping * value;
    });
    if (longest < 0.01) break;
  }
  return { weights, trust: 0 };
}

function solid(geometry: TrayGeometry, top: DiePose): DiePose[] {
  const bottom = bottomPose(geometry, top);
  return [0, 0.25, 0.5, 0.75, 1].map((share) => ({
    x: top.x + share * (bottom.x - top.x),
    y: top.y + share * (bottom.y - top.y),
    angle: top.angle,
    edgePx: top.edgePx + share * (bottom.edgePx - top.edgePx),
  }));
}

function collect(
  face: FoundFace,
  geometry: TrayGeometry,
  bodies: readonly DiePose[][],
  margin: number,
  rows: Float64Array[],
  labels: number[],
  weightsOfRows: number[],
): void {
  for (let py = 0; py < patchSidePx; py += stride) {
    for (let px = 0; px < patchSidePx; px += stride) {
      const index = py * patchSidePx + px;
      if (face.patch.hidden[index] === 1) continue;
      const [u, v] = [(px - patchSidePx / 2 + 0.5) / patchEdgePx, (py - patchSidePx / 2 + 0.5) / patchEdgePx];
      // The middle of the face is all alike; its border and what lies around it are what the decision is for.
      if (Math.abs(u) < 0.36 && Math.abs(v) < 0.36) continue;
      const [x, y] = toPicture(face.pose, u, v);
      if (Math.hypot(x - geometry.centrePx[0], y - geometry.centrePx[1]) > geometry.radiusPx) continue;
      const reach = bodies.map((body) => Math.min(...body.map((pose) => Math.max(...toFace(pose, x, y).map(Math.abs)) - 0.5)));
      const nearest = Math.min(...reach) - geometry.bevelEdges;
      if (Math.abs(nearest) < margin) continue;
      const isTop = nearest < 0 && Math.abs(u) < 0.5 && Math.abs(v) < 0.5;
      for (const { shade, weight } of isTop ? topShades : asSeen) {
        const terms = new Float64Array(bodyTermCount);
        const gain = face.gain.map((factor) => factor / shade);
        bodyTerms(face.patch.picture.data, face.patch.reference.data, 3 * index, gain, terms);
        rows.push(terms);
        labels.push(nearest < 0 ? 1 : 0);
        weightsOfRows.push(weight);
      }
    }
  }
}
