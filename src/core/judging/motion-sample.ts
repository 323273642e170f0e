/** Where a dice-like body lies in a picture. */
export interface BodyPlace {
  /** px from the left and the top of the picture. */
  readonly centrePx: readonly [number, number];
  /** 0 <= angle < 90. */
  readonly angleDeg: number;
}

/** Why a picture says nothing at all (design section 6). `frozen`: the same pixels as the picture before. */
export type PictureDefect = 'undecodable' | 'wrong-size' | 'black' | 'blown-out' | 'blurred' | 'frozen' | 'scene-changed';

/** How one picture differs from the one looked at before it. */
export interface MotionSample {
  /** Best known time of capture on the monotonic clock, ms. */
  readonly capturedMonoMs: number;
  /** Share of the tray's area whose brightness changed beyond the noise, 0 to 1. */
  readonly changedShare: number;
  readonly defect: PictureDefect | null;
  readonly bodies: readonly BodyPlace[];
}
