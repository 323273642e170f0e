import { open, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Gpio } from 'onoff';
import { DeviceError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { gpioRoot } from './gpio-chip.ts';

/** Voltage on the wire: 0 low, 1 high. Never inverted by the kernel here, see `takeGpioLine`. */
export type GpioLevel = 0 | 1;

/** How long a new line may stay unwritable while udev hands it to the group `gpio`, ms. Seen: some 100 ms on a Raspberry Pi; six times that is tested. */
export const lineWritableMsMax = 2_000;
const lineRetryMs = 20;

/** One output line, held through the `onoff` package. */
export interface GpioLine {
  /** @throws DeviceError `lamps.line-lost` when the kernel refuses the write. */
  write(level: GpioLevel): void;
  /** Gives the line back to the kernel; never throws. */
  release(): void;
}

/** Takes a line as an output that carries `level` from its first moment on. A line that an earlier process left behind is taken over, with
 *  no other level in between.
 *
 *  The kernel's `active_low` is kept at 0 and callers invert: the kernel does not apply it to the direction `high` or `low`, so an inverted
 *  line would start with the wrong level. The direction is written as `high` or `low`, never as `out`, which drives the line low first.
 *  @throws DeviceError `lamps.line-busy`, `lamps.line-unknown`, `lamps.line-denied`, `lamps.line-lost`. */
export async function takeGpioLine(lineNumber: number, level: GpioLevel, clock: Clock): Promise<GpioLine> {
  await exportLine(lineNumber);
  await untilWritable(lineNumber, clock);
  const direction = level === 1 ? 'high' : 'low';
  let gpio: Gpio;
  try {
    gpio = new Gpio(lineNumber, direction, 'none', { activeLow: false });
  } catch (error) {
    throw lineError(error);
  }
  // onoff swallows every refused setting of a line that was exported before, so the settings are read back and the level is written again.
  try {
    if (gpio.direction() === 'in' || gpio.activeLow()) {
      throw new DeviceError('lamps.line-denied', `does not take the direction "${direction}"`);
    }
    gpio.writeSync(level);
  } catch (error) {
    gpio.unexport();
    throw error instanceof DeviceError ? error : lineError(error);
  }
  return onoffLine(gpio);
}

function onoffLine(gpio: Gpio): GpioLine {
  return {
    write(level) {
      try {
        gpio.writeSync(level);
      } catch {
        // A line that something turned into an input refuses values; the direction sets both at once.
        try {
          gpio.setDirection(level === 1 ? 'high' : 'low');
        } catch (error) {
          throw new DeviceError('lamps.line-lost', `lost (${errnoOf(error)})`, { cause: error });
        }
      }
    },
    release() {
      try {
        gpio.unexport();
      } catch {
        // Gone already: there is nothing left to give back.
      }
    },
  };
}

/** Exports here and not in onoff, which would wait for the permissions of a new line in a busy loop and give up early. */
async function exportLine(lineNumber: number): Promise<void> {
  const isExported = () =>
    stat(join(gpioRoot, `gpio${lineNumber}`)).then(
      () => true,
      () => false,
    );
  if (await isExported()) return;
  try {
    await writeFile(join(gpioRoot, 'export'), String(lineNumber));
  } catch (error) {
    if (errnoOf(error) === 'EBUSY' && (await isExported())) return;
    throw lineError(error);
  }
}

async function untilWritable(lineNumber: number, clock: Clock): Promise<void> {
  const deadlineMs = clock.now().monoMs + lineWritableMsMax;
  for (const name of ['active_low', 'direction', 'value']) {
    const path = join(gpioRoot, `gpio${lineNumber}`, name);
    for (;;) {
      const error = await refusedWrite(path);
      if (error === null) break;
      if (clock.now().monoMs >= deadlineMs) throw lineError(error);
      await new Promise<void>((resolve) => {
        clock.after(lineRetryMs, resolve);
      });
    }
  }
}

async function refusedWrite(path: string): Promise<unknown> {
  try {
    await (await open(path, 'r+')).close();
    return null;
  } catch (error) {
    return error;
  }
}

function lineError(error: unknown): DeviceError {
  const errno = errnoOf(error);
  switch (errno) {
    case 'EBUSY':
      return new DeviceError('lamps.line-busy', 'busy: another driver or program holds it (EBUSY)', { cause: error });
    case 'EINVAL':
      return new DeviceError('lamps.line-unknown', 'not known to the kernel (EINVAL)', { cause: error });
    case 'EACCES':
    case 'EPERM':
      return new DeviceError('lamps.line-denied', `no permission (${errno}); is the user in the group "gpio"?`, { cause: error });
    default:
      return new DeviceError('lamps.line-lost', `cannot be taken (${errno})`, { cause: error });
  }
}

function errnoOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code);
  return String(error);
}
