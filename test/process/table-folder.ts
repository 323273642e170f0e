import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Countdowns of a quick round, ms. */
const quickPlayMs = { bettingMs: 150, noMoreBetsMs: 30, reviewMs: 200, nextRoundMs: 50 } as const;

/** Least that the configuration takes, ms. */
const bettingMsMin = 100;

export interface TableTomlOptions {
  readonly port: number;
  /** Path of the shaker's terminal. */
  readonly link: string;
  readonly cameraUrl?: string;
  readonly calibrationFile?: string;
  /** Keys of `[lamps]`. */
  readonly lamps?: string;
  /** Keys of `[play]` that are not as quick as can be. */
  readonly play?: Readonly<Record<string, number | boolean | string>>;
  /** Factor on the countdowns that `play` does not name, 0.2 to 100. */
  readonly slowness?: number;
  /** Between two signs of life on the feed, ms; 500, the least, by default. */
  readonly heartbeatMs?: number;
}

/** A `table.toml` that plays round after round without a dealer. */
export function tableToml(options: TableTomlOptions): string {
  const {
    port,
    link,
    cameraUrl = 'http://127.0.0.1:9/stream',
    calibrationFile = 'calibration.json',
    slowness = 1,
    heartbeatMs = 500,
  } = options;
  const countdowns = Object.entries(quickPlayMs).map(
    ([key, ms]) => [key, Math.max(key === 'bettingMs' ? bettingMsMin : 0, Math.round(ms * slowness))] as const,
  );
  const play = { ...Object.fromEntries(countdowns), settleMs: 200, isUnattended: true, roundsPerHourMax: 0, ...options.play };
  const lines = Object.entries(play).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `[table]
id = "test-table"
name = "Table under test"
house = "live"

[play]
${lines.join('\n')}

[shaker]
path = ${JSON.stringify(link)}

[camera]
kind = "mjpeg"
url = ${JSON.stringify(cameraUrl)}
calibrationFile = ${JSON.stringify(calibrationFile)}

[lamps]
${options.lamps ?? 'kind = "none"'}

[journal]
path = "journal/journal.sqlite"
anchorFolder = "anchor"
evidenceFolder = "evidence"
diskFreeMbMin = 50

[api]
host = "127.0.0.1"
port = ${port}
heartbeatMs = ${heartbeatMs}
`;
}

/** The places of one table under test; all below one folder. */
export interface TableFolder {
  readonly folder: string;
  readonly configFile: string;
  readonly journalPath: string;
  readonly anchorFolder: string;
  readonly evidenceFolder: string;
  /** Where the shaker's terminal belongs. */
  readonly link: string;
  writeConfig(text: string): void;
  remove(): void;
}

/** Makes a folder of its own under the system's temporary folder, or uses `folder`. */
export function tableFolder(folder: string = mkdtempSync(join(tmpdir(), 'sicbo-table-'))): TableFolder {
  mkdirSync(folder, { recursive: true });
  const configFile = join(folder, 'table.toml');
  return {
    folder,
    configFile,
    journalPath: join(folder, 'journal', 'journal.sqlite'),
    anchorFolder: join(folder, 'anchor'),
    evidenceFolder: join(folder, 'evidence'),
    link: join(folder, 'shaker'),
    writeConfig: (text) => writeFileSync(configFile, text),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A port of the loopback address that nobody used a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
