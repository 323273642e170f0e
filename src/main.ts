import { readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BuiltTable, buildTable, type TableDevices } from './build-table.ts';
import type { CameraSource, LampsConfig, TableConfig } from './config/table-config.ts';
import { isClockSynchronised } from './devices/clock-synchronised.ts';
import { DirectoryFrames } from './devices/directory-frames.ts';
import { GpioLamps } from './devices/gpio-lamps.ts';
import { defaultLinkTimings } from './devices/link-timings.ts';
import { MjpegFrames } from './devices/mjpeg-frames.ts';
import { NoLamps } from './devices/no-lamps.ts';
import { openSerialPort } from './devices/open-serial-port.ts';
import { SerialShaker } from './devices/serial-shaker.ts';
import { SystemClock } from './devices/system-clock.ts';
import { InputError, TableError } from './errors.ts';
import type { Clock } from './ports/clock.ts';
import type { FrameSource } from './ports/frame-source.ts';
import type { Lamps } from './ports/lamps.ts';
import type { Log } from './ports/log.ts';
import { productVersion } from './product-version.ts';
import { WorkerDiceReader } from './vision/worker-dice-reader.ts';

/** The journal's disk is low below this share of its size, whatever the configured minimum in MB. */
const diskFreeShareMin = 0.1;

/** Longest time an orderly end may take before the process leaves anyway, ms (failures.md NET-05: 5 s). */
export const stopMsMax = 4_500;

/** Longest time that stopping the motor may take after a mistake in the program before the process leaves anyway, ms: the 2 s of `Shaker.close` and
 *  a little. The firmware stops by itself once it hears nothing. */
const abandonMsMax = 2_500;

/** Makes the real devices that the configuration names. Opens none of them. */
export function realDevices(config: TableConfig, log: Log): TableDevices {
  const clock = new SystemClock();
  const { path, deviceId, replyMsMax, heartbeatMs } = config.shaker;
  return {
    clock,
    shaker: new SerialShaker({
      path,
      deviceId,
      openPort: openSerialPort,
      clock,
      timings: { ...defaultLinkTimings, replyMsMax, heartbeatMs },
      log: (level, message, fields) => log[level](fields, message),
    }),
    frames: frameSource(config.camera.source, config.camera.silenceMsMax, clock),
    reader: new WorkerDiceReader({ calibrationFile: config.camera.calibrationFile, clock, log }),
    lamps: lampsFor(config.lamps, clock),
    surroundings: {
      diskProblem: () => diskProblem(dirname(config.journal.path), config.journal.diskFreeMbMin),
      isClockSynchronised,
    },
  };
}

/** Builds the table and starts it; ends it on SIGTERM or SIGINT with exit code 0. A mistake in the program stops the motor, darkens the lamps and ends
 *  the process with exit code 1, for its supervisor to start again.
 *  @param devices those that the configuration names; others only where a test puts something in their place.
 *  @returns the built table and the address of its server. @throws StorageError, InputError, or the system's error when the port is taken. */
export async function runDaemon(
  config: TableConfig,
  log: Log,
  devices: TableDevices = realDevices(config, log),
): Promise<{ readonly built: BuiltTable; readonly address: string }> {
  let isStopping = false;
  let isAbandoned = false;
  const abandon = (error: unknown): void => {
    if (isAbandoned) return;
    isAbandoned = true;
    isStopping = true;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log.error(
      { code: error instanceof TableError ? error.code : 'unexpected', detail },
      'table cannot go on: stopping the motor and leaving',
    );
    const leave = (): void => process.exit(1);
    setTimeout(leave, abandonMsMax);
    built.table.abandon().then(leave, leave);
  };
  const built = await buildTable(config, devices, productVersion, log, abandon);
  process.on('uncaughtException', abandon);
  process.on('unhandledRejection', abandon);
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'table is stopping');
    const deadline = setTimeout(() => {
      log.error({ stopMsMax }, 'table did not stop in time; leaving');
      process.exit(1);
    }, stopMsMax);
    built.stop(signal).then(() => {
      clearTimeout(deadline);
      log.info({ signal }, 'table has stopped');
      if (!isAbandoned) process.exit(0);
    }, abandon);
  };
  // A file-size limit shows as a write error, which the journal reports; the signal's default would end the process.
  process.on('SIGXFSZ', () => {});
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const address = await built.start().catch((error: unknown) => {
    // A start that the stop overtook has failed for that reason only; the stop ends the process.
    if (isStopping) return new Promise<never>(() => {});
    throw error;
  });
  log.info({ address, house: config.house.id }, 'table is ready');
  return { built, address };
}

function frameSource(source: CameraSource, silenceMsMax: number, clock: Clock): FrameSource {
  if (source.kind === 'directory') {
    return new DirectoryFrames({ directory: source.folder, frameRate: 1_000 / source.frameIntervalMs, clock });
  }
  const { url, credentials } = source;
  if (credentials === null) return new MjpegFrames({ url, silenceMsMax, clock });
  return new MjpegFrames({
    url,
    silenceMsMax,
    clock,
    login: { name: credentials.user, password: firstLine(credentials.passwordFile) },
  });
}

/** @throws InputError `config.password-unreadable`. */
function firstLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').split('\n')[0]?.trim() ?? '';
  } catch (error) {
    throw new InputError('config.password-unreadable', `camera.passwordFile ${file} cannot be read: ${String(error)}`, [], {
      cause: error,
    });
  }
}

function lampsFor(lamps: LampsConfig, clock: Clock): Lamps {
  return lamps.kind === 'none' ? new NoLamps() : new GpioLamps(lamps, clock);
}

function diskProblem(folder: string, freeMbMin: number): string | null {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const freeMb = Math.floor((bavail * bsize) / 1_000_000);
  const freeShare = blocks === 0 ? 0 : bavail / blocks;
  if (freeMb >= freeMbMin && freeShare >= diskFreeShareMin) return null;
  return `${freeMb} MB (${Math.floor(freeShare * 100)} %) of the disk of ${folder} are free; wanted are ${freeMbMin} MB and ${diskFreeShareMin * 100} %`;
}
