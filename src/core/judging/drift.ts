import type { SceneMeasures } from './scene-measures.ts';

/** Running means of what readings measured against the calibration. */
export interface DriftState {
  readonly readingCount: number;
  readonly dieCount: number;
  readonly gain: readonly [number, number, number];
  readonly unevenness: number;
  /** Null until a rim was found. */
  readonly displacementEdges: number | null;
  /** Null until a die told it. */
  readonly sharpnessRatio: number | null;
  readonly spacingRatio: number | null;
  readonly bodyRatio: readonly [number, number, number] | null;
}

/** Something has left the calibration. `advised`: the table plays on, calibrate again or put it right at the next occasion. `demanded`: these are not
 *  the calibrated dice, and nothing may be read with them. */
export interface DriftFinding {
  readonly what: 'light' | 'lamp' | 'colour-cast' | 'focus' | 'camera' | 'dice-size' | 'dice-colour';
  readonly advice: 'advised' | 'demanded';
  readonly detail: string;
}

/** Weight of the newest reading: what holds for about five throws of three readings shows. */
const newestWeight = 1 / 15;

/** Limits of the running means. They lie between what untouched rigs show (two path-traced and four simulated rigs, 190 throws in the light of the
 *  calibration: light 0.97 to 1.14, unevenness 0.02 to 0.081, sharpness 0.98 to 1.06, size 0.997 to 1.001, colour of the dice 0.99 to 1.09) and where
 *  dice would be refused. */
export const driftLimits = {
  readingCountMin: 12,
  /** Factor of the light; pictures are refused below 1/6 and above 3. A third less light is still read. */
  gainMin: 0.85,
  gainMax: 1.25,
  /** A failed lamp of three to five left 0.09 to 0.12, and a fifth less light. */
  unevennessMax: 0.09,
  /** Largest over smallest factor of the three colours. */
  castMax: 1.12,
  /** Single dice are refused below 0.72. */
  sharpnessMin: 0.88,
  /** Edges; the scene has changed from 0.03 on. */
  displacementEdgesMax: 0.012,
  /** Dice from which these may be called others. */
  dieCountMin: 45,
  /** Pip spacing against the calibrated dice: 0.25 mm on 16 mm. */
  spacingMax: 0.015,
  /** Brightness of the dice against the calibrated ones, as a factor either way, and largest over smallest factor of the three colours. */
  bodyAdvised: 1.22,
  bodyDemanded: 1.5,
  hueAdvised: 1.3,
  hueDemanded: 1.6,
} as const;

/** Takes one reading into the running means. Pure. @param state null for the first reading since the start. */
export function driftAfter(state: DriftState | null, { gain, unevenness, displacementEdges, dice }: SceneMeasures): DriftState {
  const readingCount = (state?.readingCount ?? 0) + 1;
  const weight = Math.max(newestWeight, 1 / readingCount);
  const mixed = (before: number | null | undefined, now: number | null): number | null =>
    now === null ? (before ?? null) : before == null ? now : before + weight * (now - before);
  const told = (values: readonly (number | null)[]): number | null => meanOf(values.flatMap((value) => value ?? []));
  const channels = [0, 1, 2] as const;
  const bodies = channels.map((c) => mixed(state?.bodyRatio?.[c], meanOf(dice.map(({ bodyRatio }) => bodyRatio[c]))));
  const [blue, green, red] = bodies;
  const gains = channels.map((c) => mixed(state?.gain[c], gain[c]) ?? 1);
  return {
    readingCount,
    dieCount: (state?.dieCount ?? 0) + dice.length,
    gain: [gains[0] ?? 1, gains[1] ?? 1, gains[2] ?? 1],
    unevenness: mixed(state?.unevenness, unevenness) ?? 0,
    displacementEdges: mixed(state?.displacementEdges, displacementEdges),
    sharpnessRatio: mixed(state?.sharpnessRatio, told(dice.map(({ sharpnessRatio }) => sharpnessRatio))),
    spacingRatio: mixed(state?.spacingRatio, told(dice.map(({ spacingRatio }) => spacingRatio))),
    bodyRatio: blue == null || green == null || red == null ? null : [blue, green, red],
  };
}

/** What has left the calibration by the running means; nothing before enough was read. */
export function driftFindings(state: DriftState): readonly DriftFinding[] {
  if (state.readingCount < driftLimits.readingCountMin) return [];
  return [...lightFindings(state), ...cameraFindings(state), ...diceFindings(state)];
}

function lightFindings({ gain, unevenness }: DriftState): DriftFinding[] {
  const { gainMin, gainMax, unevennessMax, castMax } = driftLimits;
  const findings: DriftFinding[] = [];
  const mean = (gain[0] + gain[1] + gain[2]) / 3;
  const cast = Math.max(...gain) / Math.min(...gain);
  if (unevenness > unevennessMax)
    findings.push(advised('lamp', `the light has become uneven by ${percent(unevenness)}: look whether a lamp has failed`));
  if (mean < gainMin || mean > gainMax)
    findings.push(advised('light', `the tray is at ${percent(mean)} of the calibrated brightness: lamps or exposure drift`));
  if (cast > castMax)
    findings.push(advised('colour-cast', `the colours have drifted apart by ${percent(cast - 1)}: lamps or white balance`));
  return findings;
}

function cameraFindings({ sharpnessRatio, displacementEdges }: DriftState): DriftFinding[] {
  const { sharpnessMin, displacementEdgesMax } = driftLimits;
  const findings: DriftFinding[] = [];
  if (sharpnessRatio !== null && sharpnessRatio < sharpnessMin)
    findings.push(advised('focus', `pips are at ${percent(sharpnessRatio)} of the calibrated sharpness: focus, lens or dome`));
  if (displacementEdges !== null && displacementEdges > displacementEdgesMax)
    findings.push(advised('camera', `the tray stands ${percent(displacementEdges)} of a die off: the camera is loose`));
  return findings;
}

function diceFindings({ dieCount, spacingRatio, bodyRatio }: DriftState): DriftFinding[] {
  const limits = driftLimits;
  if (dieCount < limits.dieCountMin) return [];
  const findings: DriftFinding[] = [];
  if (spacingRatio !== null && Math.abs(spacingRatio - 1) > limits.spacingMax)
    findings.push(demanded('dice-size', `the dice are ${percent(spacingRatio)} as large as the calibrated ones`));
  if (bodyRatio === null) return findings;
  const mean = (bodyRatio[0] + bodyRatio[1] + bodyRatio[2]) / 3;
  const brightness = Math.max(mean, 1 / mean);
  const hue = Math.max(...bodyRatio) / Math.min(...bodyRatio);
  const detail = `the dice have another colour than the calibrated ones (brightness ${percent(mean)}, colour ${percent(hue - 1)} apart)`;
  if (brightness > limits.bodyDemanded || hue > limits.hueDemanded) findings.push(demanded('dice-colour', detail));
  else if (brightness > limits.bodyAdvised || hue > limits.hueAdvised) findings.push(advised('dice-colour', detail));
  return findings;
}

function advised(what: DriftFinding['what'], detail: string): DriftFinding {
  return { what, advice: 'advised', detail };
}

function demanded(what: DriftFinding['what'], detail: string): DriftFinding {
  return { what, advice: 'demanded', detail };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
