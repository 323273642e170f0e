/** What one reading measured of light, camera and dice against the calibration. Says nothing about the verdict. */
export interface SceneMeasures {
  /** Factor of the light on the floor for blue, green, red; 1 is that of the calibration. */
  readonly gain: readonly [number, number, number];
  /** How far that factor departs from its mean over the tray, as the largest ratio less 1. */
  readonly unevenness: number;
  /** Displacement of the rim, edges of a die; null when it was not found. */
  readonly displacementEdges: number | null;
  /** Each found die with a value. */
  readonly dice: readonly DieMeasures[];
}

/** A die against those of the calibration. */
export interface DieMeasures {
  /** Sharpness of the pips' borders; null with no pip visible. 1 as calibrated. */
  readonly sharpnessRatio: number | null;
  /** Spacing of the pips; null with a single pip. 1 as calibrated. */
  readonly spacingRatio: number | null;
  /** Body colour in the light of the calibration over the calibrated one, blue, green, red. */
  readonly bodyRatio: readonly [number, number, number];
}
