import sharp from 'sharp';

/** Pixels of a picture, red green blue bytes; changed in place. */
export interface ChangedPixels {
  readonly data: Uint8ClampedArray;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A change to the pixels of a picture, between the sensor and its JPEG. */
export type PixelChange = (pixels: ChangedPixels) => void | Promise<void>;

type Point = readonly [number, number];

/** All of them, one after the other. */
export function inTurn(...changes: readonly PixelChange[]): PixelChange {
  return async (pixels) => {
    for (const change of changes) await change(pixels);
  };
}

/** Light of an ellipse laid over the picture: white in its middle, fading over `softPx` at its border.
 *  @param radiiPx half axes, px. @param peak 1 saturates. */
export function ellipseOfLight(
  centre: Point,
  radiiPx: Point,
  angleRad: number,
  { peak = 1, softPx = 1.5 }: { readonly peak?: number; readonly softPx?: number } = {},
): PixelChange {
  const [s, c] = [Math.sin(angleRad), Math.cos(angleRad)];
  const [along, across] = radiiPx;
  return addedLight(centre, Math.max(along, across) + 3 * softPx, (dx, dy) => {
    const reach = Math.hypot((c * dx + s * dy) / along, (c * dy - s * dx) / across);
    // Distance beyond the border, px, to first order.
    const beyond = (reach - 1) * Math.min(along, across);
    return peak * Math.max(0, Math.min(1, 0.5 - beyond / softPx));
  });
}

/** The reflection of a window with a cross in it. @param sizePx half width and half height. @param peak share of white that it adds. */
export function windowReflection(centre: Point, sizePx: Point, angleRad: number, peak: number): PixelChange {
  const [s, c] = [Math.sin(angleRad), Math.cos(angleRad)];
  const [halfWidth, halfHeight] = sizePx;
  const bar = 0.06 * Math.min(halfWidth, halfHeight);
  return addedLight(centre, Math.hypot(halfWidth, halfHeight) + 3, (dx, dy) => {
    const [u, v] = [c * dx + s * dy, c * dy - s * dx];
    const inside = Math.min(halfWidth - Math.abs(u), halfHeight - Math.abs(v), Math.abs(u) - bar, Math.abs(v) - bar);
    return peak * Math.max(0, Math.min(1, 0.5 + inside / 1.5));
  });
}

/** Light of a colour that comes from one side and fades across the picture, as of the table's own lamps beside the tray.
 *  @param colour factor of red, green, blue that is added where it is strongest. */
export function lampCast(fromRad: number, colour: readonly [number, number, number]): PixelChange {
  return ({ data, widthPx, heightPx }) => {
    const [c, s] = [Math.cos(fromRad), Math.sin(fromRad)];
    for (let y = 0, i = 0; y < heightPx; y += 1)
      for (let x = 0; x < widthPx; x += 1, i += 3) {
        const share = Math.max(0, Math.min(1, 0.5 + (c * (x - widthPx / 2) + s * (y - heightPx / 2)) / heightPx));
        for (let channel = 0; channel < 3; channel += 1)
          data[i + channel] = (data[i + channel] as number) * (1 + share * (colour[channel] as number));
      }
  };
}

/** Dark bands of mains light across the picture. @param depth 0.1 to 0.6. @param periodPx height of a band and the light beside it. */
export function flickerBands(depth: number, periodPx: number, phaseRad: number): PixelChange {
  return ({ data, widthPx, heightPx }) => {
    for (let y = 0, i = 0; y < heightPx; y += 1) {
      const factor = 1 - (depth / 2) * (1 + Math.sin((2 * Math.PI * y) / periodPx + phaseRad));
      for (const end = i + 3 * widthPx; i < end; i += 1) data[i] = (data[i] as number) * factor;
    }
  };
}

/** A shadow with a hard border over everything within a four-sided outline. @param left share of the light left in it. */
export function hardShadow(outline: readonly Point[], left: number): PixelChange {
  return ({ data, widthPx, heightPx }) => {
    const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
    for (let y = Math.max(0, Math.floor(Math.min(...ys))); y < Math.min(heightPx, Math.max(...ys)); y += 1)
      for (let x = Math.max(0, Math.floor(Math.min(...xs))); x < Math.min(widthPx, Math.max(...xs)); x += 1)
        if (isInside(outline, x + 0.5, y + 0.5))
          for (let channel = 0; channel < 3; channel += 1) {
            const i = 3 * (y * widthPx + x) + channel;
            data[i] = (data[i] as number) * left;
          }
  };
}

/** Paints an outline in one colour, as a sticker or paint would look, wherever it `isSeen`. */
export function paintedPatch(
  outline: readonly Point[],
  colour: readonly [number, number, number],
  isSeen: (x: number, y: number) => boolean,
): PixelChange {
  return ({ data, widthPx, heightPx }) => {
    const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
    for (let y = Math.max(0, Math.floor(Math.min(...ys))); y < Math.min(heightPx, Math.max(...ys)); y += 1)
      for (let x = Math.max(0, Math.floor(Math.min(...xs))); x < Math.min(widthPx, Math.max(...xs)); x += 1)
        if (isInside(outline, x + 0.5, y + 0.5) && isSeen(x, y))
          for (let channel = 0; channel < 3; channel += 1) data[3 * (y * widthPx + x) + channel] = colour[channel] as number;
  };
}

/** Shows `cover` wherever `isCovered`, as something that lies over the dice and was there before them. */
export function coveredBy(cover: Uint8ClampedArray, isCovered: (x: number, y: number) => boolean): PixelChange {
  return ({ data, widthPx, heightPx }) => {
    for (let y = 0, i = 0; y < heightPx; y += 1)
      for (let x = 0; x < widthPx; x += 1, i += 3)
        if (isCovered(x + 0.5, y + 0.5)) for (let c = 0; c < 3; c += 1) data[i + c] = cover[i + c] as number;
  };
}

/** Blur of a lens out of focus. @param sigmaPx 0.3 and more. */
export function gaussianBlur(sigmaPx: number): PixelChange {
  return async ({ data, widthPx, heightPx }) => {
    const raw = { width: widthPx, height: heightPx, channels: 3 } as const;
    data.set(await sharp(Buffer.from(data), { raw }).blur(sigmaPx).raw().toBuffer());
  };
}

/** The picture as a camera sees it that swings from `from` to `to` during the exposure, px; what comes in from outside repeats the border. */
export function swungBy(from: Point, to: Point): PixelChange {
  return ({ data, widthPx, heightPx }) => {
    const before = Uint8ClampedArray.from(data);
    const moments = [0, 0.25, 0.5, 0.75, 1].map(
      (share): Point => [Math.round(from[0] + share * (to[0] - from[0])), Math.round(from[1] + share * (to[1] - from[1]))],
    );
    const columns = moments.map(([dx]) =>
      Int32Array.from({ length: widthPx }, (_, x) => 3 * Math.max(0, Math.min(widthPx - 1, x - dx))),
    );
    for (let y = 0, i = 0; y < heightPx; y += 1) {
      const rows = moments.map(([, dy]) => 3 * widthPx * Math.max(0, Math.min(heightPx - 1, y - dy)));
      for (let x = 0; x < widthPx; x += 1)
        for (let channel = 0; channel < 3; channel += 1, i += 1) {
          let sum = 0;
          for (let k = 0; k < 5; k += 1)
            sum += before[(rows[k] as number) + ((columns[k] as Int32Array)[x] as number) + channel] as number;
          data[i] = sum / 5;
        }
    }
  };
}

function addedLight([cx, cy]: Point, reachPx: number, lightAt: (dx: number, dy: number) => number): PixelChange {
  return ({ data, widthPx, heightPx }) => {
    for (let y = Math.max(0, Math.floor(cy - reachPx)); y < Math.min(heightPx, cy + reachPx); y += 1)
      for (let x = Math.max(0, Math.floor(cx - reachPx)); x < Math.min(widthPx, cx + reachPx); x += 1) {
        const light = 255 * lightAt(x + 0.5 - cx, y + 0.5 - cy);
        if (light <= 0) continue;
        const i = 3 * (y * widthPx + x);
        for (let channel = 0; channel < 3; channel += 1) data[i + channel] = (data[i + channel] as number) + light;
      }
  };
}

/** Whether a point lies in a convex outline, whichever way round it goes. */
function isInside(outline: readonly Point[], x: number, y: number): boolean {
  let [isLeft, isRight] = [false, false];
  outline.forEach(([ax, ay], k) => {
    const [bx, by] = outline[(k + 1) % outline.length] as Point;
    const side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (side > 0) isLeft = true;
    if (side < 0) isRight = true;
  });
  return !(isLeft && isRight);
}
