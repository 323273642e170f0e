import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeviceError } from '../errors.ts';

/** Where the kernel shows its GPIO lines; fixed inside the `onoff` package. */
export const gpioRoot = '/sys/class/gpio';

/** One GPIO controller as the kernel numbers it today. */
export interface GpioChip {
  /** Name of the controller, e.g. `pinctrl-bcm2711`; the same over kernel versions. */
  readonly label: string;
  /** Number of its first line in sysfs. 0 on old kernels, 512, 571 or anything else on newer ones. */
  readonly base: number;
  /** Its lines are `base` to `base + lineCount - 1`. */
  readonly lineCount: number;
}

/** Looks a controller up by its label, because its number changes between kernels and between starts.
 *  @throws DeviceError `lamps.no-gpio` (the kernel shows no GPIO), `lamps.no-chip`, `lamps.ambiguous-chip`. */
export async function findGpioChip(label: string): Promise<GpioChip> {
  const chips = await readGpioChips();
  const matching = chips.filter((chip) => chip.label === label);
  const [chip, second] = matching;
  if (chip === undefined) {
    const found = chips.length === 0 ? 'none' : chips.map((each) => each.label).join(', ');
    throw new DeviceError('lamps.no-chip', `no GPIO chip is labelled "${label}"; found: ${found}`);
  }
  if (second !== undefined) {
    const bases = matching.map((each) => each.base).join(', ');
    throw new DeviceError('lamps.ambiguous-chip', `${matching.length} GPIO chips are labelled "${label}" (first lines ${bases})`);
  }
  return chip;
}

/** All controllers the kernel shows; one that cannot be read whole is left out.
 *  @throws DeviceError `lamps.no-gpio`. */
export async function readGpioChips(): Promise<readonly GpioChip[]> {
  let names: string[];
  try {
    names = await readdir(gpioRoot);
  } catch (error) {
    throw new DeviceError('lamps.no-gpio', `this machine shows no GPIO lines (${gpioRoot} cannot be read)`, { cause: error });
  }
  const chips: GpioChip[] = [];
  for (const name of names.filter((each) => /^gpiochip\d+$/.test(each)).sort()) {
    const [label, base, lineCount] = await Promise.all([
      attribute(name, 'label'),
      attribute(name, 'base'),
      attribute(name, 'ngpio'),
    ]);
    if (label !== null && base !== null && lineCount !== null && /^\d+$/.test(base) && /^\d+$/.test(lineCount)) {
      chips.push({ label, base: Number(base), lineCount: Number(lineCount) });
    }
  }
  return chips;
}

async function attribute(chipName: string, name: string): Promise<string | null> {
  try {
    return (await readFile(join(gpioRoot, chipName, name), 'utf8')).trim();
  } catch {
    return null;
  }
}
