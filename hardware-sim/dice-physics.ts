import RAPIER from '@dimforge/rapier3d-compat';
import { type DiePose, matrixOf, type Quaternion, randomRotation, turned } from './rotation.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** The mechanical part of a shaker: three dice on a floor plate in a round tray under a dome. Lengths in mm. */
export interface TraySettings {
  readonly edgeMm: number;
  /** Rounding of the die's edges and corners. */
  readonly cornerRadiusMm: number;
  /** Inner radius of the rim; dice cannot leave it. */
  readonly trayRadiusMm: number;
  /** The rim around the wall; the dice of a throw never get there. */
  readonly rim: { readonly widthMm: number; readonly heightMm: number };
  /** Time from one pulse of the floor to the next, ms. Long enough for the dice to land, so that a camera sees separate bursts. */
  readonly pulseGapMs: number;
}

/** One pulse of the floor that really threw dice up. */
export interface Tumble {
  /** From the start of the activation, ms. */
  readonly atMs: number;
  /** Vertical speed given, as the peak of a 10 ms half-sine acceleration, thousandths of g; what a sensor on the plate would report. */
  readonly strengthMilliG: number;
}

/** What one activation does to the dice, from the order to rest. */
export interface Trajectory {
  readonly stepMs: number;
  readonly stepCount: number;
  readonly diceCount: number;
  /** `stepCount * diceCount * 7` numbers: x, y, z in mm and the quaternion x, y, z, w. */
  readonly poses: Float32Array;
  readonly tumbles: readonly Tumble[];
  /** From the start of the activation; from then on nothing moves. Null when the dice had not come to rest at the end. */
  readonly settledMs: number | null;
}

export interface ThrowOrder {
  readonly seed: number;
  /** Pulses of the floor, 0 to 9. */
  readonly tumbleCount: number;
  /** Upward speed of a pulse, m/s; 0.85 throws a die some 40 mm up. Each pulse varies by 10 %. */
  readonly pulseSpeed?: number;
  /** Where the dice lie before; null places them by chance. */
  readonly from: readonly DiePose[] | null;
}

const stepsPerSecond = 120;
/** Steps of the engine for one of the trajectory: dice that land fast sink into the floor by less than 3 mm. */
const engineSteps = 2;
const stepMs = 1000 / stepsPerSecond;
/** The engine works in centimetres: its tolerances suit bodies of size 1. */
const mmPerUnit = 10;
const gravity = -981;
/** Below both speeds for 100 ms a die counts as at rest. cm/s and rad/s. */
const restSpeedMax = 0.25;
const restSpinMax = 0.15;
const restStepCount = 12;
/** Longest time watched after the last pulse, ms. */
const settleMsMax = 4000;
const firstPulseMs = 60;

/** Loads the physics engine (WebAssembly); must have resolved once before `throwDice`. Later calls do nothing. */
export async function loadPhysics(): Promise<void> {
  await RAPIER.init();
}

/** Runs one activation to rest. The same order gives the same trajectory to the last bit.
 *  @throws RangeError for more than nine tumbles. */
export function throwDice(tray: TraySettings, order: ThrowOrder): Trajectory {
  if (order.tumbleCount < 0 || order.tumbleCount > 9) throw new RangeError(`tumbleCount ${order.tumbleCount}, allowed 0 to 9`);
  const random = seededRandom(order.seed);
  const world = new RAPIER.World({ x: 0, y: 0, z: gravity });
  world.timestep = 1 / (stepsPerSecond * engineSteps);
  try {
    buildTray(world, tray);
    const start = order.from ?? scattered(tray, random);
    const bodies = start.map((pose) => addDie(world, tray, pose));
    return run(world, bodies, tray, order, random);
  } finally {
    world.free();
  }
}

function run(
  world: RAPIER.World,
  bodies: readonly RAPIER.RigidBody[],
  tray: TraySettings,
  order: ThrowOrder,
  random: SeededRandom,
): Trajectory {
  const pulseSteps = Array.from({ length: order.tumbleCount }, (_, i) =>
    Math.round((firstPulseMs + i * tray.pulseGapMs) / stepMs),
  );
  const lastPulse = pulseSteps.at(-1) ?? 0;
  const stepCountMax = lastPulse + Math.round(settleMsMax / stepMs);
  const record: number[] = [];
  const tumbles: Tumble[] = [];
  let restSteps = 0;
  let step = 0;
  for (; step < stepCountMax; step += 1) {
    if (pulseSteps.includes(step)) tumbles.push({ atMs: step * stepMs, strengthMilliG: pulse(bodies, tray, order, random) });
    for (let turn = 0; turn < engineSteps; turn += 1) world.step();
    let atRest = true;
    for (const body of bodies) {
      const [p, q, v, w] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
      record.push(p.x * mmPerUnit, p.y * mmPerUnit, p.z * mmPerUnit, q.x, q.y, q.z, q.w);
      if (Math.hypot(v.x, v.y, v.z) > restSpeedMax || Math.hypot(w.x, w.y, w.z) > restSpinMax) atRest = false;
    }
    restSteps = atRest ? restSteps + 1 : 0;
    if (step >= lastPulse && restSteps >= restStepCount) {
      step += 1;
      break;
    }
  }
  return {
    stepMs,
    stepCount: step,
    diceCount: bodies.length,
    poses: Float32Array.from(record),
    tumbles,
    settledMs: restSteps >= restStepCount ? (step - restStepCount) * stepMs : null,
  };
}

/** The plate jerks up: every die near it gets the plate's speed, and, since no die lies exactly over the plate's middle, spin and drift. */
function pulse(bodies: readonly RAPIER.RigidBody[], tray: TraySettings, order: ThrowOrder, random: SeededRandom): number {
  const speed = (order.pulseSpeed ?? 0.85) * 100 * random.between(0.9, 1.1);
  const reach = (tray.edgeMm / mmPerUnit) * 2.2;
  for (const body of bodies) {
    const share = body.translation().z < reach ? random.between(0.85, 1) : 0.15;
    body.wakeUp();
    const before = body.linvel();
    const heading = random.between(0, 2 * Math.PI);
    const drift = random.between(5, 30) * share;
    body.setLinvel(
      { x: before.x + drift * Math.cos(heading), y: before.y + drift * Math.sin(heading), z: Math.max(before.z, speed * share) },
      true,
    );
    const spin = random.between(18, 42) * share;
    const axis = turned(matrixOf(randomRotation(random)), [1, 0, 0]);
    body.setAngvel({ x: axis[0] * spin, y: axis[1] * spin, z: axis[2] * spin }, true);
  }
  // A half-sine of 10 ms that ends at speed v peaks at v * pi / (2 * 0.01 s).
  return Math.round((((speed / 100) * Math.PI) / 0.02 / 9.81) * 1000);
}

function addDie(world: RAPIER.World, tray: TraySettings, pose: DiePose): RAPIER.RigidBody {
  const [x, y, z] = pose.position;
  const [qx, qy, qz, qw] = pose.rotation;
  const body = world.createRigidBody(
    RAPIER.RigidBodyDesc.dynamic()
      .setTranslation(x / mmPerUnit, y / mmPerUnit, z / mmPerUnit)
      .setRotation({ x: qx, y: qy, z: qz, w: qw })
      .setLinearDamping(0.15)
      .setAngularDamping(0.6)
      .setCcdEnabled(true),
  );
  const rounding = tray.cornerRadiusMm / mmPerUnit;
  const inner = tray.edgeMm / mmPerUnit / 2 - rounding;
  world.createCollider(
    RAPIER.ColliderDesc.roundCuboid(inner, inner, inner, rounding).setFriction(0.45).setRestitution(0.28).setDensity(1.2),
    body,
  );
  return body;
}

/** Floor, upright rim wall, and a dome of two rings of leaning plates with a lid, all thick enough that nothing passes. */
function buildTray(world: RAPIER.World, tray: TraySettings): void {
  const radius = tray.trayRadiusMm / mmPerUnit;
  const fixed = (desc: RAPIER.ColliderDesc, friction = 0.35): void => {
    world.createCollider(desc.setFriction(friction).setRestitution(0.3));
  };
  fixed(RAPIER.ColliderDesc.cuboid(radius * 2, radius * 2, 2).setTranslation(0, 0, -2));
  fixed(RAPIER.ColliderDesc.cuboid(radius * 2, radius * 2, 2).setTranslation(0, 0, radius * 1.15 + 2));
  const plateCount = 24;
  const rings = [
    { leanRad: 0, z: radius * 0.25, reach: radius },
    { leanRad: 0.5, z: radius * 0.7, reach: radius * 0.95 },
    { leanRad: 1.0, z: radius * 1.05, reach: radius * 0.72 },
  ];
  for (const ring of rings)
    for (let plate = 0; plate < plateCount; plate += 1) {
      const angle = (plate / plateCount) * 2 * Math.PI;
      const half = radius * Math.tan(Math.PI / plateCount) * 1.05;
      // Thickness 2 along the plate's own x, which leans inwards by `leanRad` at the top.
      const out: readonly [number, number] = [ring.reach + 2 * Math.cos(ring.leanRad), ring.z + 2 * Math.sin(ring.leanRad)];
      fixed(
        RAPIER.ColliderDesc.cuboid(2, half, radius * 0.5)
          .setTranslation(out[0] * Math.cos(angle), out[0] * Math.sin(angle), out[1])
          .setRotation(plateRotation(angle, ring.leanRad)),
        0.1,
      );
    }
}

function plateRotation(angle: number, leanRad: number): { x: number; y: number; z: number; w: number } {
  // First lean about y (top towards the middle), then turn about the vertical.
  const [s, c] = [Math.sin(-leanRad / 2), Math.cos(-leanRad / 2)];
  const [sz, cz] = [Math.sin(angle / 2), Math.cos(angle / 2)];
  return { x: -sz * s, y: cz * s, z: sz * c, w: cz * c };
}

function scattered(tray: TraySettings, random: SeededRandom): readonly DiePose[] {
  const turn = random.between(0, 2 * Math.PI);
  return [0, 1, 2].map((i): DiePose => {
    const angle = turn + (i * 2 * Math.PI) / 3;
    const reach = tray.trayRadiusMm * 0.45;
    return { position: [reach * Math.cos(angle), reach * Math.sin(angle), tray.edgeMm * 0.9], rotation: randomRotation(random) };
  });
}

/** Poses at a time of the trajectory, ms from its start, between two steps mixed; before and after it the ends. */
export function posesAt(trajectory: Trajectory, atMs: number): readonly DiePose[] {
  const exact = Math.max(0, Math.min(trajectory.stepCount - 1, atMs / trajectory.stepMs - 1));
  const step = Math.floor(exact);
  const share = exact - step;
  const at = (index: number, die: number): readonly number[] => {
    const from = (Math.min(index, trajectory.stepCount - 1) * trajectory.diceCount + die) * 7;
    return Array.from(trajectory.poses.subarray(from, from + 7));
  };
  return Array.from({ length: trajectory.diceCount }, (_, die): DiePose => {
    const [a, b] = [at(step, die), at(step + 1, die)];
    const mix = (i: number): number => (a[i] ?? 0) * (1 - share) + (b[i] ?? 0) * share;
    const sign = [3, 4, 5, 6].reduce((sum, i) => sum + (a[i] ?? 0) * (b[i] ?? 0), 0) < 0 ? -1 : 1;
    const q = [3, 4, 5, 6].map((i) => (a[i] ?? 0) * (1 - share) + sign * (b[i] ?? 0) * share);
    const length = Math.hypot(...q);
    const rotation: Quaternion = [(q[0] ?? 0) / length, (q[1] ?? 0) / length, (q[2] ?? 0) / length, (q[3] ?? 1) / length];
    return { position: [mix(0), mix(1), mix(2)], rotation };
  });
}

/** The dice as they lie at the end. */
export function finalPoses(trajectory: Trajectory): readonly DiePose[] {
  return posesAt(trajectory, Number.POSITIVE_INFINITY);
}
