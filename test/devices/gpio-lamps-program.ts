import { GpioLamps, type GpioLampsOptions, type LampWiring } from '../../src/devices/gpio-lamps.ts';
import type { Clock } from '../../src/ports/clock.ts';

/** Program: real lamps in a process of their own, inside a namespace with simulated lines. Argument: the options as JSON, the zones of the wiring
 *  as pairs. Obeys orders over IPC and answers each with the lamps' status; SIGTERM closes the lamps and ends it. */
export type ProgramOptions = Omit<GpioLampsOptions, 'wiring'> & {
  readonly wiring: Omit<Extract<LampWiring, { kind: 'chain' }>, 'zones'> | Omit<Extract<LampWiring, { kind: 'direct' }>, 'zones'>;
  readonly zones: readonly (readonly [string, number])[];
  /** The program's clock runs this many times faster than the wall's. */
  readonly timeScale: number;
};

/** Answer to each order; zones sorted. */
export interface ProgramReport {
  readonly condition: string;
  readonly problems: readonly string[];
  readonly lit: readonly string[];
}

/** What the program can be told; each is answered once. */
export type ProgramOrder = { readonly show: readonly string[] } | 'open' | 'report' | 'close';

function scaledClock(timeScale: number): Clock {
  return {
    now: () => ({ wallMs: Date.now(), monoMs: performance.now() * timeScale }),
    after(delayMs, run) {
      const timer = setTimeout(run, delayMs / timeScale);
      return () => clearTimeout(timer);
    },
  };
}

function run({ wiring, zones, timeScale, ...rest }: ProgramOptions): void {
  const lamps = new GpioLamps({ ...rest, wiring: { ...wiring, zones: new Map(zones) } }, scaledClock(timeScale));
  const obey = async (order: ProgramOrder) => {
    if (order === 'open') await lamps.open();
    else if (order === 'close') lamps.close();
    else if (order !== 'report') lamps.show(new Set(order.show));
    const { condition, problems, lit } = lamps.status;
    process.send?.({ condition, problems, lit: [...lit].sort() } satisfies ProgramReport);
  };
  process.on('message', (order: ProgramOrder) => void obey(order));
  process.on('SIGTERM', () => {
    lamps.close();
    process.exit(0);
  });
  process.on('disconnect', () => process.exit(1));
}

run(JSON.parse(process.argv[2] ?? '') as ProgramOptions);
