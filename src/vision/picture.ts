import { readJpegHeader } from './jpeg-header.ts';
import { loadOpenCv, type Mat, releaseAll } from './opencv.ts';

/** A colour picture in ordinary memory: three bytes a pixel in the order blue, green, red, rows without gaps. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A rectangle of whole pixels. */
export interface PixelRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A decoded picture of the camera, or in words why there is none. */
export type DecodedJpeg =
  | { readonly kind: 'picture'; readonly mat: Mat }
  | { readonly kind: 'unusable'; readonly detail: string };

/** Decodes a JPEG of the camera. @returns the native picture, to be released by the caller, or why there is none. Never throws for bad bytes. */
export function decodeJpeg(bytes: Buffer): DecodedJpeg {
  const header = readJpegHeader(bytes);
  if (header.kind === 'unusable') return header;
  const cv = loadOpenCv();
  let mat: Mat;
  try {
    mat = cv.imdecode(bytes, cv.IMREAD_COLOR);
  } catch (error) {
    return {
      kind: 'unusable',
      detail: `the decoder refused it: ${error instanceof Error ? error.message.slice(0, 120) : 'unknown'}`,
    };
  }
  if (mat.rows !== header.height || mat.cols !== header.width || mat.channels !== 3) {
    const detail = `decoded as ${mat.cols} x ${mat.rows} with ${mat.channels} channels, the header says ${header.width} x ${header.height}`;
    mat.release();
    return { kind: 'unusable', detail };
  }
  return { kind: 'picture', mat };
}

/** Copies a part of a native picture, scaled to `width` x `height` px, into ordinary memory. While the part is at least twice as large and of even
 *  size, two by two px are averaged, which takes a tenth of a general average; what is left is interpolated. */
export function copyPart(mat: Mat, rect: PixelRect, width: number, height: number): Picture {
  const cv = loadOpenCv();
  const parts = [mat.getRegion(new cv.Rect(rect.x, rect.y, rect.width, rect.height))];
  let part = parts[0] as Mat;
  const shrinkTo = (columns: number, rows: number, interpolation: number): void => {
    part = part.resize(rows, columns, 0, 0, interpolation);
    parts.push(part);
  };
  while (part.cols >= 2 * width && part.rows >= 2 * height && part.cols % 2 === 0 && part.rows % 2 === 0)
    shrinkTo(part.cols / 2, part.rows / 2, cv.INTER_AREA);
  if (part.cols !== width || part.rows !== height) shrinkTo(width, height, parts.length > 1 ? cv.INTER_LINEAR : cv.INTER_AREA);
  // The data of a region cannot be had before it is copied.
  if (parts.length === 1) parts.push(part.copy());
  const data = (parts.at(-1) as Mat).getData();
  releaseAll(parts);
  return { width, height, data };
}

let border: unknown = null;

/** Resamples a picture: pixel (u, v) of the result shows the point (a·u + b·v + c, d·u + e·v + f) of `mat`, bilinear.
 *  @param inverse `[a, b, c, d, e, f]`. */
export function resampled(mat: Mat, inverse: readonly number[], sidePx: number): Picture {
  const cv = loadOpenCv();
  const [a = 1, b = 0, c = 0, d = 0, e = 1, f = 0] = inverse;
  const transform = new cv.Mat(
    [
      [a, b, c],
      [d, e, f],
    ],
    cv.CV_64F,
  );
  // 16 is WARP_INVERSE_MAP, which the binding does not name.
  border ??= new cv.Vec3(0, 0, 0);
  const patch = mat.warpAffine(transform, new cv.Size(sidePx, sidePx), cv.INTER_LINEAR | 16, cv.BORDER_REPLICATE, border);
  const data = patch.getData();
  patch.release();
  transform.release();
  return { width: sidePx, height: sidePx, data };
}
