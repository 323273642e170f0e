import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { FirmwareProcess, type FirmwareProcessOptions } from '../../hardware-sim/firmware-process.ts';
import { defaultLinkTimings } from '../../src/devices/link-timings.ts';
import { openSerialPort } from '../../src/devices/open-serial-port.ts';
import type { LinkOptions } from '../../src/devices/serial-link.ts';
import { SerialShaker } from '../../src/devices/serial-shaker.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import type { ShakerNotice } from '../../src/ports/shaker.ts';

/** A `SerialShaker` and the simulated firmware on a real pseudo-terminal. */
export interface ShakerBench {
  readonly shaker: SerialShaker;
  readonly device: FirmwareProcess;
  readonly notices: ShakerNotice[];
  readonly log: { readonly level: string; readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
  readonly directory: string;
  /** Kinds of the notices so far, without where the cover is. */
  kinds(): readonly string[];
  until(isReached: () => boolean, msMax?: number): Promise<void>;
  close(): Promise<void>;
}

/** The two firmwares: written in TypeScript, and the compiled reference firmware in simavr. */
export const firmwareKinds = ['model', 'avr'] as const;
export type FirmwareKind = (typeof firmwareKinds)[number];

/** Builds bench and device; nothing is opened yet. Folder and children go away with `close`. */
export async function shakerBench(
  deviceOptions: Partial<Omit<FirmwareProcessOptions, 'firmware'>> = {},
  linkOptions: Partial<LinkOptions> = {},
  kind: FirmwareKind = 'model',
): Promise<ShakerBench> {
  const directory = mkdtempSync(join(tmpdir(), 'shaker-'));
  const link = join(directory, 'shaker');
  const firmware = kind === 'avr' ? ({ kind, eepromFile: join(directory, 'eeprom') } as const) : ({ kind } as const);
  const device = await FirmwareProcess.start({ link, ...deviceOptions, firmware });
  const notices: ShakerNotice[] = [];
  const log: ShakerBench['log'] = [];
  const shaker = new SerialShaker({
    path: link,
    deviceId: null,
    openPort: openSerialPort,
    clock: new SystemClock(),
    timings: defaultLinkTimings,
    log: (level, message, fields) => log.push({ level, message, fields }),
    ...linkOptions,
  });
  shaker.onNotice((notice) => notices.push(notice));
  return {
    shaker,
    device,
    notices,
    log,
    directory,
    kinds: () => notices.map(({ kind }) => kind).filter((kind) => kind !== 'coverSensed'),
    until: (isReached, msMax = 10_000) => vi.waitUntil(isReached, { timeout: msMax, interval: 5 }).then(() => undefined),
    close: async () => {
      await shaker.close();
      await device.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A shake order of one activation with three tumbles. */
export function oneShake(orderNumber: number): { orderNumber: number; activationCount: number; tumbleCount: number } {
  return { orderNumber, activationCount: 1, tumbleCount: 3 };
}

/** A signal that never aborts. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
