import { join } from 'node:path';
import type { CameraFault } from '../../hardware-sim/camera-faults.ts';
import { PlaylistPictures } from '../../hardware-sim/camera-pictures.ts';
import { CameraServer } from '../../hardware-sim/camera-server.ts';
import { FirmwareProcess } from '../../hardware-sim/firmware-process.ts';
import type { Person } from '../../src/core/round/person.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import { tableFolder, tableToml } from '../process/table-folder.ts';
import { TableProcess } from '../process/table-process.ts';
import { RoundFeed } from './round-feed.ts';
import { held, throwCourse } from './throw-course.ts';

/** How still the dice must lie before they are read, ms; a table's default is 1,000. */
export const settleMs = 400;
const startMsMax = 30_000;

/** Rounds are opened by an act each, so that every one belongs to one labelled throw; no countdown is longer than it must be. */
const quickPlay = { bettingMs: 100, noMoreBetsMs: 0, reviewMs: 0, nextRoundMs: 0, settleMs, isUnattended: false };

export interface RealTableOptions {
  /** Keeps configuration, journal, evidence and log of the daemon. */
  readonly folder: string;
  readonly calibrationFile: string;
  readonly restPicture: string;
  readonly tumblePictures: readonly [string, string];
  /** Pictures a second, 1 to 60. */
  readonly frameRate: number;
  /** Shakes in a round before it is held, 1 to 20. */
  readonly shakesMax: number;
  /** Factor on the time of a tumble, 1 to 2; with more the firmware's motor would run into its limit. */
  readonly slowness: number;
  readonly seed: number;
}

/** `sicbo run` as a process, its shaker a firmware on a pseudo-terminal whose shakes are always good, its camera an MJPEG stream that plays labelled
 *  pictures. Nothing of the daemon is replaced; nothing but the camera's picture tells it what the dice show. */
export class RealTable {
  readonly feed: RoundFeed;
  readonly #options: RealTableOptions;
  readonly #address: string;
  readonly #daemon: TableProcess;
  readonly #firmware: FirmwareProcess;
  readonly #camera: CameraServer;
  readonly #pictures: PlaylistPictures;
  readonly #throwing: Throwing;

  private constructor(parts: {
    options: RealTableOptions;
    address: string;
    daemon: TableProcess;
    firmware: FirmwareProcess;
    camera: CameraServer;
    pictures: PlaylistPictures;
    throwing: Throwing;
  }) {
    this.#options = parts.options;
    this.#address = parts.address;
    this.#daemon = parts.daemon;
    this.#firmware = parts.firmware;
    this.#camera = parts.camera;
    this.#pictures = parts.pictures;
    this.#throwing = parts.throwing;
    this.feed = new RoundFeed(parts.address);
  }

  /** Starts everything and resolves when a round may open. @throws Error with the place of the daemon's log when it does not come up. */
  static async start(options: RealTableOptions): Promise<RealTable> {
    const { folder, calibrationFile, restPicture, tumblePictures, frameRate, shakesMax, slowness, seed } = options;
    const clock = new SystemClock();
    const pictures = new PlaylistPictures(clock, held(restPicture), seed);
    await pictures.prepare([restPicture, ...tumblePictures]);
    await pictures.take();
    const throwing: Throwing = { thrown: restPicture, settledMonoMs: 0 };
    const camera = await CameraServer.start({ clock, pictures, frameRate });
    const firmware = await FirmwareProcess.start({
      link: join(folder, 'shaker'),
      hasCover: false,
      seed,
      onActivation: async ({ tumbleCount }) => {
        const course = throwCourse({ tumbleCount, slowness, restPicture, tumblePictures, thrown: throwing.thrown });
        pictures.load(course.pictures);
        return course.sensor;
      },
      onSaid: (said) => {
        if (said.verb === 'settled') throwing.settledMonoMs = performance.now();
      },
    });
    const places = tableFolder(folder);
    const { configFile } = places;
    places.writeConfig(
      tableToml({ port: 0, link: firmware.link, cameraUrl: camera.url, calibrationFile, play: { ...quickPlay, shakesMax } }),
    );
    const daemon = new TableProcess({ configFile, reader: 'real', logFile: join(folder, 'daemon.log') });
    // A program that is ended in the middle leaves no table behind.
    process.once('exit', () => daemon.child.kill('SIGKILL'));
    try {
      const address = await daemon.ready;
      const table = new RealTable({ options, address, daemon, firmware, camera, pictures, throwing });
      await table.rested();
      return table;
    } catch (error) {
      await Promise.all([daemon.end('SIGTERM'), firmware.close(), camera.close()]);
      throw error;
    }
  }

  /** The picture that lies in the tray after the next shakes. */
  async throwNext(file: string): Promise<void> {
    await this.#pictures.prepare([file]);
    this.#throwing.thrown = file;
  }

  /** When the firmware last said that the dice rest, on this process's monotonic clock, ms. */
  get settledMonoMs(): number {
    return this.#throwing.settledMonoMs;
  }

  /** Address of its server. */
  get address(): string {
    return this.#address;
  }

  /** Id of the daemon's process. */
  get daemonPid(): number {
    return this.#daemon.child.pid ?? 0;
  }

  /** Begins a fault of the camera, or ends it with null. */
  setCameraFault(fault: CameraFault | null): void {
    this.#camera.setFault(fault);
  }

  /** Lets the dice of a good throw lie in the tray, and waits until nothing speaks against a round. */
  async rested(): Promise<void> {
    this.#pictures.load(held(this.#options.restPicture));
    await this.feed.until('a table without a blocking fault', startMsMax, () => {
      const table = this.feed.table;
      const isReady =
        table !== null && ['closed', 'void'].includes(table.phase) && !table.faults.some((fault) => fault.isBlocking);
      return isReady ? true : null;
    });
  }

  /** An operator's act on the round that the feed shows. @throws Error with the table's answer when it is refused. */
  async act(name: 'open' | 'shake' | 'void', fields: { by: Person; reason?: string; second?: Person }): Promise<void> {
    const roundId = this.feed.table?.round?.roundId ?? null;
    const answer = await fetch(`${this.#address}/api/acts/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...fields, roundId }),
    });
    const words = await answer.text();
    if (!answer.ok) throw new Error(`${name} was refused: ${words}`);
  }

  /** Ends everything; nothing is left running. */
  async close(): Promise<void> {
    this.feed.close();
    await this.#daemon.end('SIGTERM');
    await Promise.all([this.#firmware.close(), this.#camera.close()]);
  }
}

interface Throwing {
  thrown: string;
  settledMonoMs: number;
}
