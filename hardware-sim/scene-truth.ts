import type { Face } from '../src/core/rules/dice.ts';
import { cubeCorners, topFaceOf } from './die-body.ts';
import { type DiePose, dot, type Matrix3, matrixOf, turned, turnedBack, type Vec3 } from './rotation.ts';

/** Something in or over the tray that is not a die. Radii and places in mm; `angleRad` about the vertical. */
export interface ForeignObject {
  /** `cover` is the opaque cover of shake-first play; it lies over the whole tray and hides the dice. */
  readonly kind: 'chip' | 'coin' | 'crumb' | 'hand' | 'cover';
  readonly xMm: number;
  readonly yMm: number;
  readonly angleRad: number;
  readonly radiusMm: number;
}

/** All that the camera can see move: one physical state, from which picture and truth are both drawn. */
export interface Scene {
  readonly dice: readonly DiePose[];
  readonly objects: readonly ForeignObject[];
  /** True while at least one die moves. */
  readonly isMoving: boolean;
}

/** Class of a throw as the labelled pictures name it. */
export type SceneClass = 'flat' | 'touching' | 'tilted' | 'stacked' | 'out' | 'motion' | 'hand' | 'foreign' | 'empty';

export interface DieTruth {
  readonly value: Face;
  readonly tiltDeg: number;
  /** Centre of the cube above the floor, mm. */
  readonly heightMm: number;
  readonly isOutside: boolean;
}

export interface SceneTruth {
  readonly class: SceneClass;
  /** True for three dice flat or touching in the tray and nothing else: the only throws a table may accept. */
  readonly isValid: boolean;
  readonly dice: readonly DieTruth[];
  /** Smallest distance between two dice, negative where sharp cubes would overlap; null with fewer than two dice. */
  readonly gapMmMin: number | null;
}

/** A die that leans by more is not read (rule of the product, design section 7). */
export const tiltDegMax = 8;
/** Dice nearer than this count as touching; still a valid throw. */
export const touchingGapMm = 0.5;

/** Judges a scene from its geometry alone. `trayRadiusMm` is the inner radius of the rim. */
export function sceneTruth(scene: Scene, edgeMm: number, trayRadiusMm: number): SceneTruth {
  const dice = scene.dice.map((pose): DieTruth => {
    const top = topFaceOf(pose);
    return {
      value: top.value,
      tiltDeg: top.tiltDeg,
      heightMm: pose.position[2],
      isOutside: Math.hypot(pose.position[0], pose.position[1]) > trayRadiusMm,
    };
  });
  const gapMmMin = smallestGapMm(scene.dice, edgeMm);
  const sceneClass = classOf(scene, dice, gapMmMin, edgeMm);
  return { class: sceneClass, isValid: sceneClass === 'flat' || sceneClass === 'touching', dice, gapMmMin };
}

function classOf(scene: Scene, dice: readonly DieTruth[], gapMmMin: number | null, edgeMm: number): SceneClass {
  if (scene.objects.some((object) => object.kind === 'hand')) return 'hand';
  if (scene.isMoving) return 'motion';
  if (scene.objects.length > 0) return 'foreign';
  if (dice.length === 0) return 'empty';
  if (dice.length !== 3 || dice.some((die) => die.isOutside)) return 'out';
  // A die at rest whose lowest corner is off the floor stands on another one.
  if (scene.dice.some((pose) => Math.min(...cubeCorners(pose, edgeMm).map((corner) => corner[2])) > edgeMm * 0.25))
    return 'stacked';
  if (dice.some((die) => die.tiltDeg > tiltDegMax)) return 'tilted';
  return gapMmMin !== null && gapMmMin < touchingGapMm ? 'touching' : 'flat';
}

function smallestGapMm(dice: readonly DiePose[], edgeMm: number): number | null {
  let smallest: number | null = null;
  for (const [index, a] of dice.entries())
    for (const b of dice.slice(index + 1)) {
      const gap = gapMm(a, b, edgeMm);
      if (smallest === null || gap < smallest) smallest = gap;
    }
  return smallest;
}

/** Distance between two sharp cubes in mm; when they overlap, minus the depth of the shallowest way out. */
export function gapMm(a: DiePose, b: DiePose, edgeMm: number): number {
  const depth = overlapDepthMm(a, b, edgeMm);
  if (depth > 0) return -depth;
  const [ma, mb] = [matrixOf(a.rotation), matrixOf(b.rotation)];
  // Alternating projection between two convex bodies converges to the nearest pair of points.
  let onB: Vec3 = b.position;
  let distance = 0;
  for (let turn = 0; turn < 3000; turn += 1) {
    const onA = nearestInCube(a, ma, edgeMm, onB);
    onB = nearestInCube(b, mb, edgeMm, onA);
    const next = Math.hypot(onA[0] - onB[0], onA[1] - onB[1], onA[2] - onB[2]);
    if (Math.abs(next - distance) < 1e-9 && turn > 8) return next;
    distance = next;
  }
  return distance;
}

function nearestInCube(pose: DiePose, m: Matrix3, edgeMm: number, point: Vec3): Vec3 {
  const p = pose.position;
  const local = turnedBack(m, [point[0] - p[0], point[1] - p[1], point[2] - p[2]]);
  const half = edgeMm / 2;
  const clamp = (x: number): number => Math.max(-half, Math.min(half, x));
  const t = turned(m, [clamp(local[0]), clamp(local[1]), clamp(local[2])]);
  return [t[0] + p[0], t[1] + p[1], t[2] + p[2]];
}

/** Separating axes of two boxes: 3 + 3 face normals and 9 edge pairs. */
function overlapDepthMm(a: DiePose, b: DiePose, edgeMm: number): number {
  const axesOf = (m: Matrix3): readonly Vec3[] => [turned(m, [1, 0, 0]), turned(m, [0, 1, 0]), turned(m, [0, 0, 1])];
  const [axesA, axesB] = [axesOf(matrixOf(a.rotation)), axesOf(matrixOf(b.rotation))];
  const candidates: Vec3[] = [...axesA, ...axesB];
  for (const u of axesA)
    for (const v of axesB) {
      const c: Vec3 = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const length = Math.hypot(c[0], c[1], c[2]);
      if (length > 1e-6) candidates.push([c[0] / length, c[1] / length, c[2] / length]);
    }
  const between: Vec3 = [b.position[0] - a.position[0], b.position[1] - a.position[1], b.position[2] - a.position[2]];
  const half = edgeMm / 2;
  let shallowest = Number.POSITIVE_INFINITY;
  for (const axis of candidates) {
    const reach = [...axesA, ...axesB].reduce((sum, edge) => sum + half * Math.abs(dot(edge, axis)), 0);
    shallowest = Math.min(shallowest, reach - Math.abs(dot(between, axis)));
    if (shallowest <= 0) return shallowest;
  }
  return shallowest;
}
