import type { CalibrationProfile } from './profile.ts';

/** One property in which two calibrations can differ. */
export interface ProfileDifference {
  readonly name: string;
  readonly first: string;
  readonly second: string;
  /** True when the difference is more than two fits of one and the same rig show: camera, tray, light or dice are others. */
  readonly isNotable: boolean;
}

/** Differences up to which two calibrations show the same rig: fits of one rig from other samples differ by less. */
export const sameRigLimits = {
  /** px of the tray's middle and radius, and as a share the edge of a die. */
  trayPx: 3,
  edgeShare: 0.015,
  /** Foot of the camera, tray radii: few dice tell it roughly. */
  nadirRadii: 0.3,
  /** Distance of two colours, grey levels. */
  colourLevels: 14,
  /** Factor of noise and sharpness. */
  factor: 1.4,
} as const;

type Point = readonly [number, number];

/** Sets two calibrations of a table side by side. */
export function compareProfiles(a: CalibrationProfile, b: CalibrationProfile): readonly ProfileDifference[] {
  const limits = sameRigLimits;
  const row = (name: string, of: (profile: CalibrationProfile) => string, isNotable: boolean): ProfileDifference => ({
    name,
    first: of(a),
    second: of(b),
    isNotable,
  });
  const distance = (of: (profile: CalibrationProfile) => Point): number => Math.hypot(of(a)[0] - of(b)[0], of(a)[1] - of(b)[1]);
  const isOther = (first: number, second: number, factor: number): boolean =>
    Math.max(first, second) > factor * Math.max(1e-9, Math.min(first, second));
  const point = ([x, y]: Point): string => `${x.toFixed(1)}, ${y.toFixed(1)} px`;
  const faces = [1, 2, 3, 4, 5, 6] as const;
  return [
    row('made', ({ createdAt, createdBy }) => `${createdAt.slice(0, 16).replace('T', ' ')} by ${createdBy}`, false),
    row('why', ({ why }) => why, false),
    row('picture size', ({ resolution }) => resolution.join(' x '), a.resolution.join() !== b.resolution.join()),
    row('die', ({ dieEdgeMm }) => `${dieEdgeMm} mm`, a.dieEdgeMm !== b.dieEdgeMm),
    row('tray, middle', ({ tray }) => point(tray.centrePx), distance(({ tray }) => tray.centrePx) > limits.trayPx),
    row(
      'tray, radius',
      ({ tray }) => `${tray.radiusPx.toFixed(1)} px`,
      Math.abs(a.tray.radiusPx - b.tray.radiusPx) > limits.trayPx,
    ),
    row(
      'die, edge in the picture',
      ({ geometry }) => `${geometry.edgePx.toFixed(2)} px`,
      isOther(a.geometry.edgePx, b.geometry.edgePx, 1 + limits.edgeShare),
    ),
    row(
      'foot of the camera',
      ({ geometry }) => point(geometry.nadirPx),
      distance(({ geometry }) => geometry.nadirPx) > limits.nadirRadii * a.tray.radiusPx,
    ),
    row(
      'colour of the dice',
      ({ faces: { body } }) => colourText(body),
      colourDistance(a.faces.body, b.faces.body) > limits.colourLevels,
    ),
    ...faces.map((face) =>
      row(
        `colour of the pips of ${face}`,
        ({ faces: { pipColour } }) => colourText(pipColour[face]),
        colourDistance(a.faces.pipColour[face], b.faces.pipColour[face]) > limits.colourLevels,
      ),
    ),
    row(
      'noise of the floor',
      ({ noise }) => `${Math.sqrt(noise.floorNoise).toFixed(2)} grey levels`,
      isOther(Math.sqrt(a.noise.floorNoise), Math.sqrt(b.noise.floorNoise), limits.factor),
    ),
    row(
      'sharpness of the pips',
      ({ noise }) => noise.pipSharpness.toFixed(3),
      isOther(a.noise.pipSharpness, b.noise.pipSharpness, limits.factor),
    ),
    row(
      'own samples read',
      ({ measured }) => `${measured.acceptedCount} accepted, ${measured.wrongCount} wrong, of ${measured.pictureCount} pictures`,
      a.measured.wrongCount + b.measured.wrongCount > 0,
    ),
  ];
}

function colourDistance(first: readonly number[], second: readonly number[]): number {
  return Math.hypot(...first.map((value, c) => value - (second[c] ?? 0)));
}

/** Red, green, blue as people say it; the file has them the other way round. */
function colourText([blue = 0, green = 0, red = 0]: readonly number[]): string {
  return [red, green, blue].map((value) => Math.round(value)).join(' ');
}
