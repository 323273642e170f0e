import type { RefusalCause } from '../../core/judging/reading.ts';
import type { Dice, Face } from '../../core/rules/dice.ts';

/** A die seen without calibration. Lengths in px of the picture. */
export interface UncalibratedDie {
  readonly value: Face;
  readonly centrePx: readonly [number, number];
  /** Corners of the outline, clockwise in the picture. */
  readonly quadPx: readonly (readonly [number, number])[];
  /** 0 <= angle < 90. */
  readonly angleDeg: number;
  /** 0 to 1: how much better the drawn face of this value fits than that of any other, over the largest margin that a clean face has. */
  readonly confidence: number;
}

/** What three dice in a picture of an unknown camera seem to show. For looking at pictures, never for play: nothing is known of the scale, the tray,
 *  the colours or the lean of the dice. On purpose it has neither the shape of a `PictureReading` (no `verdict`, no `values`) nor a calibration id,
 *  so that it can enter no throw and no journal. */
export interface UncalibratedReading {
  readonly isCalibrated: false;
  /** Null where the picture is refused; then `refusedFor` says why. */
  readonly seenValues: Dice | null;
  readonly refusedFor: RefusalCause | null;
  readonly seenDice: readonly UncalibratedDie[];
  /** The reason in words; null where there is nothing to add. */
  readonly detail: string | null;
}
