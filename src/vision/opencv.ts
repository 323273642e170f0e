import { createRequire } from 'node:module';

/** The part of an OpenCV matrix that this product uses. Native memory: whoever gets one releases it. */
export interface Mat {
  readonly rows: number;
  readonly cols: number;
  readonly channels: number;
  getData(): Buffer;
  getRegion(rect: unknown): Mat;
  copy(): Mat;
  resize(rows: number, cols: number, fx: number, fy: number, interpolation: number): Mat;
  warpAffine(transform: Mat, size: unknown, flags: number, borderMode: number, borderValue: unknown): Mat;
  drawPolylines(points: unknown[][], closed: boolean, colour: unknown, thickness: number): void;
  drawCircle(centre: unknown, radius: number, colour: unknown, thickness: number): void;
  putText(text: string, origin: unknown, font: number, scale: number, colour: unknown, thickness: number): void;
  release(): void;
}

/** The functions of the binding that this product uses. */
export interface OpenCv {
  readonly CV_8UC3: number;
  readonly CV_64F: number;
  readonly INTER_LINEAR: number;
  readonly INTER_AREA: number;
  readonly BORDER_REPLICATE: number;
  readonly FONT_HERSHEY_SIMPLEX: number;
  readonly IMREAD_COLOR: number;
  readonly IMWRITE_JPEG_QUALITY: number;
  readonly Mat: new (data: readonly (readonly number[])[] | Buffer, ...shape: number[]) => Mat;
  readonly Rect: new (x: number, y: number, width: number, height: number) => unknown;
  readonly Size: new (width: number, height: number) => unknown;
  readonly Point2: new (x: number, y: number) => unknown;
  readonly Vec3: new (a: number, b: number, c: number) => unknown;
  imdecode(bytes: Buffer, flags: number): Mat;
  imencode(extension: string, mat: Mat, parameters?: readonly number[]): Buffer;
  setNumThreads(count: number): void;
}

let loaded: OpenCv | null = null;

/** Loads the native OpenCV binding once for this process and pins it to one thread. Only for the vision process and command-line tools:
 *  a second load in a `worker_threads` worker would end the whole process (measured; design section 4).
 *  @throws Error of Node when the binding is not built. */
export function loadOpenCv(): OpenCv {
  if (loaded !== null) return loaded;
  // The binding looks for a build of OpenCV to download unless told not to, and reports native sizes to V8 in a way that aborts after
  // about 1,500 frames; both switches must be set before the first require.
  process.env.OPENCV4NODEJS_DISABLE_AUTOBUILD = '1';
  process.env.OPENCV4NODEJS_DISABLE_EXTERNAL_MEM_TRACKING = '1';
  const require = createRequire(import.meta.url);
  try {
    (require('@u4/opencv-build') as { Log: { silence: boolean } }).Log.silence = true;
  } catch {
    // Only the chatter on stdout would be lost; the binding itself is loaded below.
  }
  const cv = require('opencv4nodejs') as OpenCv;
  cv.setNumThreads(1);
  loaded = cv;
  return cv;
}

/** Gives native memory back; for lists of pictures that live as long as a piece of work. */
export function releaseAll(mats: readonly Mat[]): void {
  for (const mat of mats) mat.release();
}
