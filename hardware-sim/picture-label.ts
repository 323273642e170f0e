import type { Face } from '../src/core/rules/dice.ts';
import { DiceTracer } from './dice-tracer.ts';
import { faceCorners, facePoint, pipGrid, pipSpacingShare } from './die-body.ts';
import { dieMaterials } from './die-material.ts';
import { type Pinhole, pinhole } from './pinhole.ts';
import { baseLighting, type Rig } from './rig.ts';
import type { DiePose, Vec3 } from './rotation.ts';
import { type Scene, type SceneTruth, sceneTruth } from './scene-truth.ts';
import { tableLight } from './table-light.ts';

type Point = readonly [number, number];

/** What a picture shows of one die; px from the left and top of the picture. */
export interface DieLabel {
  readonly value: Face | null;
  readonly value_up: Face;
  readonly centre_px: Point;
  readonly body_px: Point;
  readonly top_quad_px: readonly Point[];
  readonly pip_px: readonly Point[];
  readonly size_px: number;
  readonly tilt_deg: number;
  readonly covered_frac: number;
  readonly height_mm: number;
  readonly outside_tray: boolean;
}

/** One line of `labels.jsonl`, without what only the maker of the set knows (file, kind, lighting). */
export interface SceneLabel {
  readonly class: SceneTruth['class'];
  readonly valid: boolean;
  readonly values: readonly (Face | null)[];
  readonly dice: readonly DieLabel[];
  readonly tray: {
    readonly centre_px: Point;
    readonly radius_px: number;
    readonly rim_centre_px: Point;
    readonly rim_radius_px: number;
  };
  readonly die_edge_mm: number;
  readonly min_gap_mm: number | null;
  readonly glare_on_pip: boolean;
  readonly glare_fake_pattern: boolean;
}

/** Dice covered by more than this cannot be read by anybody. */
const readableCoverMax = 0.5;
/** Share of the inner face that glare covers from which it can pass for a pip: half of a small one. */
const fakeShareMin = 0.012;
/** Glare in linear light that whitens a pixel for good. */
const whiteGlare = 0.25;

/** The truth about one picture, from the scene's geometry. @param glareAt glare over a place of the picture, see `DiceCamera`. */
export function labelOf(rig: Rig, scene: Scene, glareAt: (x: number, y: number) => number): SceneLabel {
  const camera = pinhole(rig.camera);
  const edge = rig.die.edgeMm;
  const truth = sceneTruth(scene, edge, rig.trayRadiusMm);
  const tracer = new DiceTracer(rig, tableLight(rig, baseLighting), [0, 0, 0]);
  tracer.place(scene.dice, camera.eye);
  const dice = scene.dice.map((pose, index): DieLabel => {
    const die = truth.dice[index];
    if (die === undefined) throw new RangeError(`no truth for die ${index}`);
    const project = (point: Vec3): Point => rounded(camera.project(point));
    const quad = faceCorners(pose, die.value, edge).map(camera.project);
    const covered = coveredShare(tracer, camera, pose, index, die.value, edge);
    return {
      value: covered > readableCoverMax || truth.class === 'motion' ? null : die.value,
      value_up: die.value,
      centre_px: project(facePoint(pose, die.value, edge, 0, 0)),
      body_px: project(pose.position),
      top_quad_px: quad.map(rounded),
      pip_px: pipPlaces(pose, die.value, edge).map(project),
      size_px: round(meanSide(quad), 1),
      tilt_deg: round(die.tiltDeg, 2),
      covered_frac: round(covered, 3),
      height_mm: round(die.heightMm, 3),
      outside_tray: die.isOutside,
    };
  });
  return {
    class: truth.class,
    valid: truth.isValid,
    values: dice.map((die) => die.value),
    dice,
    tray: trayLabel(rig, camera),
    die_edge_mm: edge,
    min_gap_mm: truth.gapMmMin === null ? null : round(truth.gapMmMin, 3),
    ...glareLabel(rig, camera, scene, truth, glareAt),
  };
}

/** Pip centres of a face of a die in table coordinates. */
export function pipPlaces(pose: DiePose, face: Face, edgeMm: number): readonly Vec3[] {
  return pipGrid[face].map(([u, v]) => facePoint(pose, face, edgeMm, u * pipSpacingShare, v * pipSpacingShare));
}

function trayLabel(rig: Rig, camera: Pinhole): SceneLabel['tray'] {
  const inner = circle(camera, rig.trayRadiusMm, 0);
  const outer = circle(camera, rig.trayRadiusMm + rig.rim.widthMm, rig.rim.heightMm);
  return { centre_px: inner.centre, radius_px: inner.radius, rim_centre_px: outer.centre, rim_radius_px: outer.radius };
}

/** Mean circle of a projected one. */
function circle(camera: Pinhole, radiusMm: number, heightMm: number): { readonly centre: Point; readonly radius: number } {
  const points = Array.from({ length: 72 }, (_, i) => {
    const angle = (i * 2 * Math.PI) / 72;
    return camera.project([radiusMm * Math.cos(angle), radiusMm * Math.sin(angle), heightMm]);
  });
  const x = points.reduce((sum, p) => sum + p[0], 0) / points.length;
  const y = points.reduce((sum, p) => sum + p[1], 0) / points.length;
  const radius = points.reduce((sum, p) => sum + Math.hypot(p[0] - x, p[1] - y), 0) / points.length;
  return { centre: rounded([x, y]), radius: round(radius, 2) };
}

/** Share of a top face that other dice hide from the camera, on a grid of 12 x 12 looks. */
function coveredShare(tracer: DiceTracer, camera: Pinhole, pose: DiePose, index: number, face: Face, edge: number): number {
  let hidden = 0;
  const steps = 12;
  for (let i = 0; i < steps; i += 1)
    for (let j = 0; j < steps; j += 1) {
      const p = facePoint(pose, face, edge, ((i + 0.5) / steps - 0.5) * 0.96, ((j + 0.5) / steps - 0.5) * 0.96);
      const nearest = tracer.nearestDie(p[0] - camera.eye[0], p[1] - camera.eye[1], p[2] - camera.eye[2]);
      if (nearest >= 0 && nearest !== index) hidden += 1;
    }
  return hidden / (steps * steps);
}

function glareLabel(
  rig: Rig,
  camera: Pinhole,
  scene: Scene,
  truth: SceneTruth,
  glareAt: (x: number, y: number) => number,
): { readonly glare_on_pip: boolean; readonly glare_fake_pattern: boolean } {
  const hasPalePips = Math.min(...dieMaterials[rig.die.style].pip) > 0.5;
  let isOnPip = false;
  let isFake = false;
  for (const [index, pose] of scene.dice.entries()) {
    const face = truth.dice[index]?.value ?? 1;
    const shareWhite = (u: number, v: number, reach: number, looks: number): number => {
      let white = 0;
      for (let i = -looks; i <= looks; i += 1)
        for (let j = -looks; j <= looks; j += 1) {
          const [du, dv] = [(i / looks) * reach, (j / looks) * reach];
          const [x, y] = camera.project(facePoint(pose, face, rig.die.edgeMm, u + du, v + dv));
          if (glareAt(x, y) > whiteGlare) white += 1;
        }
      return white / (2 * looks + 1) ** 2;
    };
    for (const [u, v] of pipGrid[face]) {
      if (shareWhite(u * pipSpacingShare, v * pipSpacingShare, rig.die.pipRadiusShare, 2) >= 0.12) isOnPip = true;
    }
    // A white spot of a pip's size on a face with white pips looks like one more of them.
    if (hasPalePips && shareWhite(0, 0, 0.45, 10) > fakeShareMin) isFake = true;
  }
  return { glare_on_pip: isOnPip, glare_fake_pattern: isFake };
}

function meanSide(quad: readonly Point[]): number {
  return quad.reduce((sum, p, i) => {
    const q = quad[(i + 1) % quad.length] ?? p;
    return sum + Math.hypot(p[0] - q[0], p[1] - q[1]) / quad.length;
  }, 0);
}

function rounded(point: Point): Point {
  return [round(point[0], 2), round(point[1], 2)];
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
