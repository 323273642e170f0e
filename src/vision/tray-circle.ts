import type { Picture } from './picture.ts';

/** The edge of the tray's floor in a picture, px. */
export interface TrayCircle {
  readonly centrePx: readonly [number, number];
  readonly radiusPx: number;
  /** Mean radial step of colour along the circle, length over the three channels, grey levels per px; how clearly the tray is seen. */
  readonly edgeStrength: number;
}

/** The tray fills most of the picture's height: smallest and largest radius looked for, as shares of the smaller side. A camera
 *  mounted so that the tray is smaller than this leaves too few px for the pips of a die (under 40 px an edge at 640 x 480). */
const radiusShareMin = 0.28;
const radiusShareMax = 0.52;
/** Directions probed around a candidate circle. */
const directionCount = 180;
/** The floor's edge is the innermost circle with at least this share of the strongest circle's step (rims bring several circles). */
const innerShareMin = 0.6;

/** Finds the round tray in a picture of the empty tray by the centre that makes colour depend on the radius alone, then takes the
 *  innermost strong circle, which is where the floor ends. @returns null when no circle stands out. */
export function findTrayCircle(picture: Picture): TrayCircle | null {
  const { width, height } = picture;
  const side = Math.min(width, height);
  let best = { x: width / 2, y: height / 2, score: -1 };
  for (const step of [side / 24, side / 60, side / 150, 1]) {
    const reach = step === side / 24 ? 5 : 3;
    const around = best;
    for (let iy = -reach; iy <= reach; iy += 1) {
      for (let ix = -reach; ix <= reach; ix += 1) {
        const x = around.x + ix * step;
        const y = around.y + iy * step;
        const score = Math.max(...radialSteps(picture, x, y, Math.max(1, step / 2)).values());
        if (score > best.score) best = { x, y, score };
      }
    }
  }
  if (best.score < 1) return null;
  return innermostCircle(picture, best.x, best.y);
}

/** Takes the innermost strong circle around a rough centre and refines its centre and radius together: the circles of rim and floor
 *  are not concentric in the picture when the camera is off axis. */
function innermostCircle(picture: Picture, centreX: number, centreY: number): TrayCircle | null {
  const side = Math.min(picture.width, picture.height);
  const steps = radialSteps(picture, centreX, centreY, 2);
  const strongest = Math.max(...steps.values());
  const radii = [...steps.keys()].sort((a, b) => a - b);
  let radius = radii.find((r, i) => {
    const here = steps.get(r) ?? 0;
    const before = steps.get(radii[i - 1] ?? r) ?? 0;
    const after = steps.get(radii[i + 1] ?? r) ?? 0;
    return here >= innerShareMin * strongest && here >= before && here >= after;
  });
  if (radius === undefined) return null;
  let [x, y] = [centreX, centreY];
  let score = circleStep(picture, x, y, radius);
  for (const step of [side / 150, side / 300, 1, 0.5, 0.25]) {
    for (let pass = 0; pass < 8; pass += 1) {
      let moved = false;
      for (const [dx, dy, dr] of [
        [1, 0, 0],
        [-1, 0, 0],
        [0, 1, 0],
        [0, -1, 0],
        [0, 0, 1],
        [0, 0, -1],
        [1, 0, 1],
        [-1, 0, 1],
        [0, 1, 1],
        [0, -1, 1],
      ] as const) {
        const next = circleStep(picture, x + dx * step, y + dy * step, radius + dr * step);
        if (next > score) {
          [x, y, radius, score] = [x + dx * step, y + dy * step, radius + dr * step, next];
          moved = true;
        }
      }
      if (!moved) break;
    }
  }
  return { centrePx: [x, y], radiusPx: radius, edgeStrength: score };
}

/** For every radius in reach: the size of the mean step of colour across that circle. */
function radialSteps(picture: Picture, x: number, y: number, step: number): Map<number, number> {
  const side = Math.min(picture.width, picture.height);
  const steps = new Map<number, number>();
  for (let radius = radiusShareMin * side; radius <= radiusShareMax * side; radius += step) {
    steps.set(radius, circleStep(picture, x, y, radius));
  }
  return steps;
}

/** Step of one channel, grey levels, from which a direction counts no more: one bright lamp in the rim, or its mirror image on the dome, must not outvote the
 *  rest of the circle. */
const stepMax = 25;

/** Median-like mean of the outward step of colour at one circle, length over the three channels, grey levels per px; parts outside the picture are left out.
 *  Red felt in a brown wall differs by its colour more than by its brightness. */
function circleStep({ data, width, height }: Picture, x: number, y: number, radius: number): number {
  let [b, g, r, count] = [0, 0, 0, 0];
  for (let k = 0; k < directionCount; k += 1) {
    const angle = (2 * Math.PI * k) / directionCount;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    const outer = pixelAt(width, height, x + cos * (radius + 1.5), y + sin * (radius + 1.5));
    const inner = pixelAt(width, height, x + cos * (radius - 1.5), y + sin * (radius - 1.5));
    if (outer < 0 || inner < 0) continue;
    b += bounded((data[outer] as number) - (data[inner] as number));
    g += bounded((data[outer + 1] as number) - (data[inner + 1] as number));
    r += bounded((data[outer + 2] as number) - (data[inner + 2] as number));
    count += 1;
  }
  return count < directionCount * 0.6 ? 0 : Math.hypot(b, g, r) / count / 3;
}

function bounded(step: number): number {
  return Math.max(-stepMax, Math.min(stepMax, step));
}

/** Index of a px's blue; -1 outside the picture. */
function pixelAt(width: number, height: number, x: number, y: number): number {
  const ix = Math.round(x);
  const iy = Math.round(y);
  return ix < 0 || iy < 0 || ix >= width || iy >= height ? -1 : 3 * (iy * width + ix);
}
