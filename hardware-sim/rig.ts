import type { CameraPlace } from './pinhole.ts';
import { withVariety } from './rig-variety.ts';
import type { Vec3 } from './rotation.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** Linear light, red green blue, 0 to 1. */
export type Colour = readonly [number, number, number];

/** Body, and the pips' colour where it is not the usual one. `macau` is white with dark pips, red on 4 and on a large 1. */
export type DieStyle =
  | 'white'
  | 'macau'
  | 'ivory'
  | 'black'
  | 'red'
  | 'translucent-red'
  | 'white-red'
  | 'ivory-red'
  | 'black-red'
  | 'red-black';
export type FloorKind =
  | 'green-felt'
  | 'black-rubber'
  | 'beige-cloth'
  | 'blue-scratched'
  | 'red-felt'
  | 'grey-dotted'
  | 'white-cloth'
  | 'woven-carpet';
export type RimKind = 'brass' | 'black' | 'steel' | 'wood';

/** One lamp over the table; through the dome it also shows as a white spot that lies over everything. */
export interface Lamp {
  readonly positionMm: Vec3;
  /** Share of the light on the middle of the floor. */
  readonly strength: number;
  readonly colour: Colour;
  /** Reflection in the dome, in shares of the picture's height from the tray's middle; null for none. */
  readonly glare: {
    readonly shape: 'disc' | 'bar';
    readonly atShare: readonly [number, number];
    /** Radius of a disc, or half length of a bar. */
    readonly sizeShare: number;
    readonly angleRad: number;
  } | null;
}

/** One fixed camera, tray, dome, floor, dice and lamps. */
export interface Rig {
  readonly name: string;
  readonly seed: number;
  readonly camera: CameraPlace;
  readonly trayRadiusMm: number;
  readonly rim: { readonly kind: RimKind; readonly widthMm: number; readonly heightMm: number };
  readonly floor: FloorKind;
  readonly tableColour: Colour;
  readonly die: {
    readonly style: DieStyle;
    readonly edgeMm: number;
    readonly cornerRadiusMm: number;
    readonly pipRadiusShare: number;
  };
  readonly lamps: readonly Lamp[];
  /** Light from everywhere, as a share of the whole. */
  readonly ambientShare: number;
  /** Specks of dust on the dome, which shine faintly over everything below. */
  readonly domeSpeckCount: number;
  readonly picture: {
    readonly exposure: number;
    /** Noise of one channel, steps of 255. */
    readonly noiseSigma: number;
    /** Blur of the lens, px; 0 to 1.5. */
    readonly blurPx: number;
    /** Further blur of a lens out of focus, px; 0 for none. */
    readonly softPx: number;
    /** Loss of light in the corners, 0 to 0.6. */
    readonly vignette: number;
    /** 1 to 100 as JPEG encoders count. */
    readonly jpegQuality: number;
  };
}

/** Changes of the light that a running table meets; `base` is what the rig was calibrated under. */
export interface Lighting {
  /** Factor on the exposure, 0.2 to 4. */
  readonly gain: number;
  /** Factor per channel. */
  readonly tint: Colour;
  /** Index of a lamp that has failed, or null. */
  readonly failedLamp: number | null;
  /** Frame-to-frame change of brightness as under mains light, 0 to 0.1. */
  readonly flickerShare: number;
}

export const baseLighting: Lighting = { gain: 1, tint: [1, 1, 1], failedLamp: null, flickerShare: 0 };

const tableColours: readonly Colour[] = [
  [0.018, 0.017, 0.019],
  [0.006, 0.058, 0.028],
  [0.075, 0.006, 0.008],
  [0.012, 0.018, 0.05],
  [0.09, 0.05, 0.025],
];

/** The table of the demo: Macau dice on green felt in a brass rim, two lamps whose reflections lie off the middle. 1280 x 720 px. */
export function demoRig(): Rig {
  const random = seededRandom(11);
  return {
    ...rigOf('sim-demo', 11, random, [1280, 720]),
    floor: 'green-felt',
    rim: { kind: 'brass', widthMm: 7, heightMm: 8 },
    tableColour: [0.018, 0.017, 0.019],
    die: { style: 'macau', edgeMm: 16, cornerRadiusMm: 1.3, pipRadiusShare: 0.088 },
    lamps: [
      lamp([90, 130, 420], 0.42, [1, 0.97, 0.92], { shape: 'disc', atShare: [0.34, -0.12], sizeShare: 0.016, angleRad: 0 }),
      lamp([-140, -40, 400], 0.36, [1, 0.98, 0.95], { shape: 'disc', atShare: [-0.33, 0.16], sizeShare: 0.015, angleRad: 0 }),
    ],
    picture: { exposure: 0.62, noiseSigma: 2.2, blurPx: 0.7, softPx: 0, vignette: 0.2, jpegQuality: 90 },
  };
}

/** A rig drawn by chance, for evaluation on tables that nobody tuned to. The same seed gives the same rig.
 *  @param sizePx Picture size; null takes one of the common ones from 640 x 480 to 1920 x 1080. */
export function randomRig(seed: number, sizePx: readonly [number, number] | null = null): Rig {
  const random = seededRandom(seed * 7919 + 5);
  // Drawn even when one is given, so that the rest of the rig is the same.
  const drawn = random.pick<readonly [number, number]>([
    [1280, 720],
    [1280, 720],
    [640, 480],
    [1280, 960],
    [1920, 1080],
  ]);
  return withVariety(rigOf(`sim-${seed}`, seed, random, sizePx ?? drawn), seed);
}

function rigOf(name: string, seed: number, random: SeededRandom, [widthPx, heightPx]: readonly [number, number]): Rig {
  const trayRadiusMm = random.between(52, 66);
  const heightMm = random.between(380, 560);
  const rimWidthMm = random.between(5, 9);
  const fillShare = random.between(0.78, 0.92);
  return {
    name,
    seed,
    camera: {
      widthPx,
      heightPx,
      heightMm,
      offsetMm: [random.between(-30, 30), random.between(-30, 30)],
      aimMm: [random.between(-3, 3), random.between(-3, 3)],
      rollRad: random.between(-0.15, 0.15),
      focalPx: ((heightPx * fillShare) / 2 / (trayRadiusMm + rimWidthMm)) * heightMm,
    },
    trayRadiusMm,
    rim: {
      kind: random.pick<RimKind>(['brass', 'black', 'steel', 'wood']),
      widthMm: rimWidthMm,
      heightMm: random.between(5, 10),
    },
    floor: random.pick<FloorKind>(['green-felt', 'black-rubber', 'beige-cloth', 'blue-scratched', 'red-felt', 'grey-dotted']),
    tableColour: random.pick(tableColours),
    die: {
      style: random.pick<DieStyle>(['white', 'macau', 'ivory', 'black', 'red', 'translucent-red']),
      edgeMm: Math.round(random.between(15, 19) * 4) / 4,
      cornerRadiusMm: random.between(0.7, 1.8),
      pipRadiusShare: random.between(0.078, 0.1),
    },
    lamps: randomLamps(random),
    ambientShare: random.between(0.22, 0.4),
    domeSpeckCount: 0,
    picture: {
      exposure: random.between(0.45, 0.75),
      noiseSigma: random.between(1.2, 5),
      blurPx: random.between(0.45, 1.1),
      softPx: 0,
      vignette: random.between(0, 0.4),
      jpegQuality: Math.round(random.between(80, 95)),
    },
  };
}

function randomLamps(random: SeededRandom): readonly Lamp[] {
  const count = 2 + random.index(3);
  const turn = random.between(0, 2 * Math.PI);
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / count + random.between(-0.4, 0.4);
    const reach = random.between(70, 240);
    const glareAngle = angle + random.between(-0.5, 0.5);
    const glareReach = random.between(0.06, 0.36);
    return lamp(
      [reach * Math.cos(angle), reach * Math.sin(angle), random.between(320, 520)],
      random.between(0.6, 1) / count,
      [1, random.between(0.92, 1), random.between(0.82, 1)],
      random.next() < 0.15
        ? null
        : {
            shape: random.next() < 0.7 ? 'disc' : 'bar',
            atShare: [glareReach * Math.cos(glareAngle), -glareReach * Math.sin(glareAngle)],
            sizeShare: random.between(0.011, 0.022),
            angleRad: random.between(0, Math.PI),
          },
    );
  });
}

function lamp(positionMm: Vec3, strength: number, colour: Colour, glare: Lamp['glare']): Lamp {
  return { positionMm, strength, colour, glare };
}
