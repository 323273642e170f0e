import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CameraPictures } from '../../hardware-sim/camera-pictures.ts';
import { CameraServer } from '../../hardware-sim/camera-server.ts';
import { FirmwareProcess } from '../../hardware-sim/firmware-process.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { runCaptured } from './run-captured.ts';

/** A table on simulated parts: firmware on a real pseudo-terminal, camera over HTTP, a folder for its files. */
export interface DoctorBench {
  readonly folder: string;
  readonly configFile: string;
  readonly shaker: FirmwareProcess;
  readonly camera: CameraServer;
  /** Writes table.toml anew; what is not given stays as it must be. */
  configure(changes?: Partial<BenchConfig>): void;
  /** What `sicbo doctor --json` answers. */
  examine(): Promise<{ readonly exitCode: number; readonly isReady: boolean; readonly findings: readonly Finding[] }>;
  close(): Promise<void>;
}

interface BenchConfig {
  readonly shakerPath: string;
  readonly deviceId: string | null;
  readonly cameraUrl: string;
  readonly calibrationFile: string;
  readonly lamps: string;
  readonly port: number;
}

/** Makes the parts of a table in which all is well. */
export async function doctorBench(calibrationFile: string, pictures: CameraPictures): Promise<DoctorBench> {
  const folder = mkdtempSync(join(tmpdir(), 'sicbo-doctor-'));
  const shaker = await FirmwareProcess.start({ link: join(folder, 'shaker'), deviceId: 'SIM-1' });
  const camera = await CameraServer.start({ clock: new SystemClock(), pictures });
  const configFile = join(folder, 'table.toml');
  const good: BenchConfig = {
    shakerPath: shaker.link,
    deviceId: 'SIM-1',
    cameraUrl: camera.url,
    calibrationFile,
    lamps: 'kind = "none"',
    port: 0,
  };
  const configure = (changes: Partial<BenchConfig> = {}): void => writeFileSync(configFile, tableToml({ ...good, ...changes }));
  configure();
  return {
    folder,
    configFile,
    shaker,
    camera,
    configure,
    examine: async () => {
      const { exitCode, out, err } = await runCaptured(`doctor --json --config ${configFile}`);
      if (out === '') throw new Error(`the doctor said nothing; exit code ${exitCode}, ${err}`);
      return { exitCode, ...JSON.parse(out) };
    },
    close: async () => {
      await shaker.close();
      await camera.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Findings of one check. */
export function about(findings: readonly Finding[], check: string): readonly Finding[] {
  return findings.filter((finding) => finding.check === check);
}

function tableToml({ shakerPath, deviceId, cameraUrl, calibrationFile, lamps, port }: BenchConfig): string {
  return `[table]
id = "table-1"
name = "Table 1"
house = "live"

[shaker]
path = ${JSON.stringify(shakerPath)}
${deviceId === null ? '' : `deviceId = ${JSON.stringify(deviceId)}`}

[camera]
kind = "mjpeg"
url = ${JSON.stringify(cameraUrl)}
calibrationFile = ${JSON.stringify(calibrationFile)}

[lamps]
${lamps}

[journal]
path = "journal/journal.sqlite"

[api]
port = ${port}
`;
}
