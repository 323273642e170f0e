import { join } from 'node:path';
import { productRoot } from '../../src/product-root.ts';
import type { RigPlan } from './trigger-rig.ts';

/** The tables of the full size: each kind of dice that casinos use, on floors from black rubber to white cloth, in two picture sizes. Their seeds are drawn
 *  for the triggers only; no calibration, limit or threshold was chosen by them. */
export const fullRigs: readonly RigPlan[] = [
  { name: 'macau-on-green-felt', seed: 7001, sizePx: [1280, 720], style: 'macau', floor: 'green-felt' },
  { name: 'white-on-black-rubber', seed: 7002, sizePx: [640, 480], style: 'white', floor: 'black-rubber' },
  { name: 'ivory-on-blue', seed: 7003, sizePx: [1280, 720], style: 'ivory', floor: 'blue-scratched' },
  { name: 'black-on-beige-cloth', seed: 7004, sizePx: [640, 480], style: 'black', floor: 'beige-cloth' },
  { name: 'red-on-grey-dotted', seed: 7005, sizePx: [1280, 720], style: 'red', floor: 'grey-dotted' },
  { name: 'clear-red-on-white-cloth', seed: 7006, sizePx: [640, 480], style: 'translucent-red', floor: 'white-cloth' },
  { name: 'white-red-on-carpet', seed: 7007, sizePx: [1280, 720], style: 'white-red', floor: 'woven-carpet' },
];

/** The tables whose camera hangs 25 to 40 cm over the dice, lamps low around them. */
export const nearCameraRigs: readonly RigPlan[] = [
  nearCamera('macau-near-25', 7025, 250, 'macau', 'green-felt', [1280, 720]),
  nearCamera('red-near-25', 7026, 250, 'red', 'blue-scratched', [640, 480]),
  nearCamera('white-near-30', 7030, 300, 'white', 'grey-dotted', [640, 480]),
  nearCamera('black-near-30', 7031, 300, 'black', 'beige-cloth', [1280, 720]),
  nearCamera('ivory-near-35', 7035, 350, 'ivory', 'black-rubber', [1280, 720]),
  nearCamera('clear-red-near-35', 7036, 350, 'translucent-red', 'white-cloth', [640, 480]),
  nearCamera('macau-near-40', 7040, 400, 'macau', 'red-felt', [640, 480]),
  nearCamera('white-red-near-40', 7041, 400, 'white-red', 'black-rubber', [1280, 720]),
];

/** The two tables of the samples in `npm test`; their calibrations are kept in the repository, because making them takes half a minute. */
export const sampleRigs: readonly RigPlan[] = [
  { name: 'sample-macau-on-green-felt', seed: 7101, sizePx: [640, 480], style: 'macau', floor: 'green-felt' },
  { ...nearCamera('sample-red-near-35', 7102, 350, 'red', 'beige-cloth', [640, 480]) },
];

/** Where the calibrations of `sampleRigs` are kept. */
export const sampleCalibrations = join(productRoot, 'test', 'fixtures', 'triggers');

function nearCamera(
  name: string,
  seed: number,
  cameraHeightMm: number,
  style: RigPlan['style'],
  floor: RigPlan['floor'],
  sizePx: RigPlan['sizePx'],
): RigPlan {
  return { name, seed, sizePx, style, floor, cameraHeightMm, isLitFromTheSide: true };
}
