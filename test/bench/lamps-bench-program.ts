import { Gpio } from 'onoff';
import { GpioLamps } from '../../src/devices/gpio-lamps.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';

/** Program: times full updates of the lamps in a namespace with plain GPIO files (see `lampsBench`) and sends the medians. */
export interface LampsBenchReport {
  /** Median of one `GpioLamps.show`, ms. */
  readonly lampsMs: number;
  /** Median of the same writes made directly through onoff, ms. */
  readonly rawMs: number;
  /** Writes of one update. */
  readonly writeCount: number;
}

const chip = { label: 'pinctrl-bench', base: 512 };
const lines = { data: 5, clock: 6, latch: 13, outputEnable: 19 };
const registerCount = 14;
const zoneCount = 110;
const updateCount = 400;

async function run(): Promise<void> {
  const zones = new Map(Array.from({ length: zoneCount }, (_, output) => [`zone-${output}`, output] as const));
  const wiring = { kind: 'chain', lines, registerCount, zones } as const;
  const lamps = new GpioLamps({ chipLabel: chip.label, isActiveLow: false, wiring, refreshMs: 900 }, new SystemClock());
  await lamps.open();
  if (lamps.status.condition !== 'ok') throw new Error(lamps.status.problems.join('; '));
  const raw = {
    data: new Gpio(chip.base + lines.data, 'low'),
    clock: new Gpio(chip.base + lines.clock, 'low'),
    latch: new Gpio(chip.base + lines.latch, 'low'),
    outputEnable: new Gpio(chip.base + lines.outputEnable, 'low'),
  };
  const lampsTimes: number[] = [];
  const rawTimes: number[] = [];
  let writeCount = 0;
  // Turn about, so that whatever else the machine does meets both.
  for (let update = 0; update < updateCount; update += 1) {
    const lit = Array.from({ length: zoneCount }, (_, output) => output).filter((output) => (output + update) % 5 === 0);
    const shown = new Set(lit.map((output) => `zone-${output}`));
    const lampsFrom = performance.now();
    lamps.show(shown);
    lampsTimes.push(performance.now() - lampsFrom);
    const litOutputs = new Set(lit);
    const rawFrom = performance.now();
    writeCount = shiftRaw(raw, litOutputs);
    rawTimes.push(performance.now() - rawFrom);
  }
  lamps.close();
  process.send?.({ lampsMs: median(lampsTimes), rawMs: median(rawTimes), writeCount } satisfies LampsBenchReport);
  process.disconnect();
}

function shiftRaw(raw: Readonly<Record<keyof typeof lines, Gpio>>, lit: ReadonlySet<number>): number {
  let writeCount = 0;
  const write = (line: Gpio, level: 0 | 1) => {
    line.writeSync(level);
    writeCount += 1;
  };
  let dataLevel: 0 | 1 | null = null;
  for (let output = registerCount * 8 - 1; output >= 0; output -= 1) {
    const level = lit.has(output) ? 1 : 0;
    if (level !== dataLevel) write(raw.data, level);
    dataLevel = level;
    write(raw.clock, 1);
    write(raw.clock, 0);
  }
  write(raw.latch, 1);
  write(raw.latch, 0);
  write(raw.outputEnable, 0);
  return writeCount;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await run();
