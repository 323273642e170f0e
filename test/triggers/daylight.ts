import type { Colour } from '../../hardware-sim/rig.ts';

/** Light that the cameras of the triggers are balanced for, kelvin: the middle of the report's 2,700 to 6,500. */
export const balancedK = 4_600;

/** Factor of each channel when the light changes from `balancedK` to `kelvin` and white balance stays where it is. Black body in sRGB by Tanner Helland's fit, made
 *  linear, green 1. */
export function tintOf(kelvin: number): Colour {
  const [now, then] = [blackBody(kelvin), blackBody(balancedK)];
  const green = now[1] / then[1];
  return [now[0] / then[0] / green, 1, now[2] / then[2] / green];
}

function blackBody(kelvin: number): Colour {
  const t = kelvin / 100;
  const red = t <= 66 ? 255 : 329.698727446 * (t - 60) ** -0.1332047592;
  const green = t <= 66 ? 99.4708025861 * Math.log(t) - 161.1195681661 : 288.1221695283 * (t - 60) ** -0.0755148492;
  const blue = t >= 66 ? 255 : 138.5177312231 * Math.log(t - 10) - 305.0447927307;
  const linear = (level: number): number => Math.max(0.001, level / 255) ** 2.2;
  return [linear(red), linear(green), linear(blue)];
}
