import type { CameraMeasures } from './camera-check.ts';
import { type LimitResult, limitResult, percent } from './limit-result.ts';

/** Limits of camera and lamps. Those without another source were set on four path-traced and twelve simulated rigs: all of them pass all limits but
 *  glare, the good ones with room to spare. */
export const cameraLimits = {
  widthPxMin: 640,
  heightPxMin: 480,
  /** As `sicbo doctor`: a tumble rolls for 200 ms and must show in one picture at least. */
  picturesPerSecondMin: 8,
  /** Px from 10 % to 90 % of the sharpest edges; rigs in focus have 1.1 to 3.5. Large trays may have more px: a share of the tray's radius. */
  edgeWidthPxMax: 4,
  edgeWidthRadiusShareMax: 0.016,
  /** Grey levels, of 255. A darker floor drowns in noise; on a brighter one white dice have no room left. */
  floorLevelMin: 20,
  floorLevelMax: 205,
  /** Glare included. */
  whiteShareMax: 0.06,
  blackShareMax: 0.05,
  /** Rigs below it had a pip under glare in less than a quarter of all throws, those above in up to two thirds. */
  glareShareMax: 0.012,
  noiseLevelsMax: 12,
  /** Brightness of the whole picture; a factor is taken out of every picture, so only speed of change matters. */
  flickerShareMax: 0.05,
  /** A band over a single die is not taken out: it must stay below what a pip's contrast is. */
  bandShareMax: 0.04,
  /** The tray's middle from the picture's middle, as a share of the picture's smaller side. */
  offCentreShareMax: 0.1,
} as const;

/** Judges camera and lamps by what was measured of the empty tray. */
export function judgeCamera(measures: CameraMeasures): readonly LimitResult[] {
  return [...pictureResults(measures), ...trayResults(measures), ...lightResults(measures)];
}

function pictureResults({ resolution, frozenCount, pictureCount, picturesPerSecond }: CameraMeasures): LimitResult[] {
  const [width, height] = resolution;
  const { widthPxMin, heightPxMin, picturesPerSecondMin } = cameraLimits;
  return [
    limitResult(
      'camera-size',
      'Picture size',
      `${width} × ${height} px`,
      `at least ${widthPxMin} × ${heightPxMin} px`,
      width >= widthPxMin && height >= heightPxMin,
      'set the camera to a larger picture',
    ),
    limitResult(
      'camera-alive',
      'Every picture is a new one',
      `${frozenCount} of ${pictureCount} repeat the one before`,
      'none',
      pictureCount < 2 ? null : frozenCount === 0,
      'switch the camera off and on: it delivers old pictures',
    ),
    limitResult(
      'camera-rate',
      'Pictures a second',
      picturesPerSecond === null ? 'not measured' : picturesPerSecond.toFixed(1),
      `at least ${picturesPerSecondMin}`,
      picturesPerSecond === null ? null : picturesPerSecond >= picturesPerSecondMin,
      'raise the frame rate of the camera, or lower its picture size or quality',
    ),
  ];
}

function trayResults({ tray, resolution, edgeWidthPx }: CameraMeasures): LimitResult[] {
  const { edgeWidthPxMax, edgeWidthRadiusShareMax, offCentreShareMax } = cameraLimits;
  const side = Math.min(...resolution);
  const offCentre =
    tray === null ? null : Math.hypot(tray.centrePx[0] - resolution[0] / 2, tray.centrePx[1] - resolution[1] / 2) / side;
  const widthMax = Math.max(edgeWidthPxMax, edgeWidthRadiusShareMax * (tray?.radiusPx ?? 0));
  return [
    limitResult(
      'tray-found',
      'The round tray is found',
      tray === null
        ? 'not found'
        : `radius ${tray.radiusPx.toFixed(0)} px at ${tray.centrePx.map((v) => v.toFixed(0)).join(', ')}`,
      'diameter 56 to 100 % of the picture’s height',
      tray !== null,
      'move the camera nearer or farther, straight above the tray; take everything out of the tray',
    ),
    limitResult(
      'tray-centred',
      'The tray stands in the middle of the picture',
      offCentre === null ? 'not measured' : `${percent(offCentre)} of the height off`,
      `at most ${percent(offCentreShareMax, 0)}`,
      offCentre === null ? null : offCentre <= offCentreShareMax,
      'move the camera over the middle of the tray',
    ),
    limitResult(
      'focus',
      'Sharpness: width of the sharpest edges',
      edgeWidthPx === null ? 'not measured' : `${edgeWidthPx.toFixed(1)} px`,
      `at most ${widthMax.toFixed(1)} px`,
      edgeWidthPx === null ? null : edgeWidthPx <= widthMax,
      'focus the lens by hand on the floor of the tray, lock it, clean lens and dome',
    ),
  ];
}

function lightResults(measures: CameraMeasures): LimitResult[] {
  const { floorLevel, whiteShare, blackShare, glare, noiseLevels, flickerShare, bandShare } = measures;
  const limits = cameraLimits;
  const measured = (value: number | null, text: (value: number) => string): string =>
    value === null ? 'not measured' : text(value);
  const atMost = (value: number | null, limit: number): boolean | null => (value === null ? null : value <= limit);
  return [
    limitResult(
      'exposure',
      'Exposure: brightness of the floor',
      `${floorLevel} of 255; ${percent(whiteShare, 2)} white, ${percent(blackShare, 2)} black`,
      `${limits.floorLevelMin} to ${limits.floorLevelMax}; at most ${percent(limits.whiteShareMax, 0)} white, ${percent(limits.blackShareMax, 0)} black`,
      floorLevel >= limits.floorLevelMin &&
        floorLevel <= limits.floorLevelMax &&
        whiteShare <= limits.whiteShareMax &&
        blackShare <= limits.blackShareMax,
      'set the exposure by hand; it must not be automatic',
    ),
    limitResult(
      'glare',
      'Glare: part of the floor under it',
      measured(glare?.floorShare ?? null, (value) => `${percent(value, 2)} in ${glare?.spotCount ?? 0} spot(s)`),
      `at most ${percent(limits.glareShareMax, 1)}`,
      atMost(glare?.floorShare ?? null, limits.glareShareMax),
      'move or diffuse the lamps so that the dome reflects them beside the tray',
    ),
    limitResult(
      'noise',
      'Noise of a px',
      measured(noiseLevels, (value) => `${value.toFixed(1)} grey levels`),
      `at most ${limits.noiseLevelsMax}`,
      atMost(noiseLevels, limits.noiseLevelsMax),
      'more light and less gain',
    ),
    limitResult(
      'flicker',
      'Flicker from picture to picture',
      measured(flickerShare, (value) => percent(value, 2)),
      `at most ${percent(limits.flickerShareMax, 0)}`,
      atMost(flickerShare, limits.flickerShareMax),
      'use lamps on direct current, or an exposure of a whole number of mains half-waves (10 or 8.33 ms)',
    ),
    limitResult(
      'bands',
      'Bands of mains light across the picture',
      measured(bandShare, (value) => percent(value, 2)),
      `at most ${percent(limits.bandShareMax, 0)}`,
      atMost(bandShare, limits.bandShareMax),
      'use lamps on direct current, or an exposure of a whole number of mains half-waves (10 or 8.33 ms)',
    ),
  ];
}
