import type { LampsConfig } from '../config/table-config.ts';
import { findGpioChip } from '../devices/gpio-chip.ts';
import { DeviceError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Lamps } from '../ports/lamps.ts';
import { userName } from './account.ts';
import { atMost } from './at-most.ts';
import { type Finding, ok, problem } from './finding.ts';

/** Longest time to take all lines, ms: a line may stay unwritable for 2 s while udev hands it over. */
const takeMsMax = 4_000;

/** Findings about single lines that are told at most. */
const lineFindingsMax = 5;

/** Finds the chip by its label and takes all lines, dark, for a moment. The caller closes the lamps. */
export async function checkLamps(config: LampsConfig, lamps: Lamps, clock: Clock): Promise<readonly Finding[]> {
  if (config.kind === 'none') return [ok('lamps', 'none configured')];
  const chip = await findGpioChip(config.chipLabel).catch((error: unknown) => {
    if (error instanceof DeviceError) return error;
    throw error;
  });
  if (chip instanceof DeviceError) return [problem('lamp chip', chip.message, chipAdvice(chip.code))];
  const found = ok('lamp chip', `${chip.label}, lines ${chip.base} to ${chip.base + chip.lineCount - 1}`);
  const isTaken = await atMost(
    clock,
    takeMsMax,
    lamps.open().then(() => true),
  );
  if (isTaken === null)
    return [
      found,
      problem('lamps', `the lines could not be taken within ${takeMsMax} ms`, 'look at the kernel log with "dmesg"'),
    ];
  const { condition, problems } = lamps.status;
  const count = `${config.wiring.zones.size} zones, ${config.wiring.kind === 'chain' ? `chain of ${config.wiring.registerCount} registers` : 'one line each'}`;
  if (condition === 'ok') return [found, ok('lamps', `${count}, all lines free`)];
  const lines = problems.slice(0, lineFindingsMax).map((line) => problem('lamps', line, lineAdvice(line, chip.lineCount)));
  const more = problems.length - lines.length;
  return [found, ...lines, ...(more > 0 ? [problem('lamps', `${more} more lines`, 'as above')] : [])];
}

function chipAdvice(code: string): string {
  if (code === 'lamps.no-gpio') return 'the kernel needs CONFIG_GPIO_SYSFS, and the GPIO driver of this board must be loaded';
  if (code === 'lamps.ambiguous-chip') return 'give each chip a label of its own in the device tree';
  return 'set lamps.chipLabel to one of those found';
}

function lineAdvice(line: string, lineCount: number): string {
  if (line.includes('no permission'))
    return `add the user to the group gpio: sudo usermod -aG gpio ${userName()}, then log in again`;
  if (line.includes('busy')) return 'sudo cat /sys/kernel/debug/gpio shows who holds it; end that program, or use another line';
  if (line.includes('not known') || line.includes('too few lines'))
    return `the chip has line offsets 0 to ${lineCount - 1}: correct it in [lamps]`;
  if (line.includes('no lamp is wired')) return 'give each zone its place under [lamps.zones]';
  return 'look at the wiring and at the kernel log with "dmesg"';
}
