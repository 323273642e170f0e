import type { Dice, Face } from '../rules/dice.ts';

/** Why a throw, or a single picture of it, is not taken as a result. The list is the product's own; design section 6. */
export type RefusalCause =
  | 'too-few-dice'
  | 'too-many-dice'
  | 'tilted'
  | 'overlapping'
  | 'out-of-tray'
  | 'moving'
  | 'foreign-object'
  | 'glare'
  | 'layout'
  | 'readers-disagree'
  | 'low-contrast'
  | 'scene-changed'
  | 'bad-frame';

/** What was seen of one die in one picture. */
export interface DieReading {
  /** Value that both readers gave, or null when they disagree or one could not tell. */
  readonly value: Face | null;
  /** Centre of the top face, px from the left and from the top of the picture. */
  readonly centrePx: readonly [number, number];
  /** Corners of the top face in px, clockwise in the picture; drawn as the overlay. */
  readonly quadPx: readonly (readonly [number, number])[];
  /** Rotation of the top face in degrees, 0 <= angle < 90. */
  readonly angleDeg: number;
  /** 0 to 1; the smaller of both readers' own confidence. */
  readonly confidence: number;
  /** Votes of the geometric reader and of the appearance reader; null where a reader could not tell. */
  readonly votes: { readonly geometric: Face | null; readonly appearance: Face | null };
  /** Estimated lean of the top face from the horizontal in degrees, null where it cannot be estimated. */
  readonly tiltDeg: number | null;
}

/** Judgement of one picture. `accepted` has `values` and no cause; `refused` has a cause and no values. */
export type PictureReading =
  | { readonly verdict: 'accepted'; readonly values: Dice; readonly cause: null; readonly dice: readonly DieReading[] }
  | { readonly verdict: 'refused'; readonly values: null; readonly cause: RefusalCause; readonly dice: readonly DieReading[] };

/** A picture kept as evidence: the bytes the camera delivered, by their SHA-256 (64 hex digits). */
export interface EvidencePicture {
  readonly sha256: string;
  /** Wall clock of the capture, ms since 1970. */
  readonly capturedAtMs: number;
}

/** Judgement of one throw over several fresh pictures, as the journal keeps it. */
export interface ThrowReading {
  readonly verdict: 'accepted' | 'refused';
  readonly values: Dice | null;
  readonly cause: RefusalCause | null;
  readonly dice: readonly DieReading[];
  /** How many pictures were judged, and how many of them agree with the verdict. */
  readonly pictureCount: number;
  readonly agreeingCount: number;
  readonly evidence: readonly EvidencePicture[];
  /** Id of the calibration the readers worked with. */
  readonly calibrationId: string;
}
