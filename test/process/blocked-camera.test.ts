import { get as httpGet } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { PlaylistPictures } from '../../hardware-sim/camera-pictures.ts';
import { CameraServer } from '../../hardware-sim/camera-server.ts';
import type { Person } from '../../src/core/round/person.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import { productRoot } from '../../src/product-root.ts';
import { labelledRigs } from '../real-input/labelled-rig.ts';
import { RealTable } from '../real-input/real-table.ts';
import { held } from '../real-input/throw-course.ts';
import { ProcessBench } from './process-bench.ts';
import { tableNow } from './table-clients.ts';
import { tableFolder } from './table-folder.ts';

/** How long the camera sends nothing, ms; the field report's 30,000 by CAMERA_SILENT_MS. */
const silentMs = Number(process.env.CAMERA_SILENT_MS ?? 3_000);
/** Between two questions of somebody who watches the table, ms. */
const askEveryMs = 50;
/** Answers to such questions, ms (failures.md CAM-08): 99 of 100 over the report's half minute; half of them in a sample, in which a busy machine shows
 *  more than the table, while a loop that waits for the camera would keep nearly all of them for seconds. */
const answerMsMax = 100;
const isFullSize = silentMs >= 30_000;
const judgedShare = isFullSize ? 0.99 : 0.5;
/** Rest watch and reading are given up within 2 s of the last picture, the way to the feed included, ms (CAM-08); a second more in a sample on a busy machine. */
const givenUpMsMax = isFullSize ? 2_000 : 3_000;

const dealer: Person = { name: 'Dana', role: 'dealer' };
const supervisor: Person = { name: 'Sam', role: 'supervisor' };
const [rig] = labelledRigs(join(productRoot, 'test/fixtures/vision'), 'rig-d');
const calibrationFile = join(productRoot, 'test/fixtures/vision/rig-d/calibration.json');
const thrown = join(productRoot, 'test/fixtures/vision/rig-d/rig-d_017.jpg');

/** Asks for the table's health, and pings its feed, again and again. */
class Watcher {
  readonly #socket: WebSocket;
  readonly #tookMs: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(address: string) {
    this.#socket = new WebSocket(`${address.replace('http', 'ws')}/feed?snapshot=1`);
    this.#socket.on('error', () => {});
    this.#timer = setInterval(() => this.#ask(address), askEveryMs);
  }

  get askedCount(): number {
    return this.#tookMs.length;
  }

  /** The time that the judged share of the answers took at most, ms. */
  end(): number {
    clearInterval(this.#timer);
    this.#socket.terminate();
    this.#tookMs.sort((one, other) => one - other);
    const p99Ms = this.#tookMs[Math.floor(this.#tookMs.length * 0.99)] ?? 0;
    console.info(`CAM-08: ${this.#tookMs.length} answers beside a silent camera, 99 of 100 within ${p99Ms.toFixed(0)} ms`);
    return this.#tookMs[Math.floor(this.#tookMs.length * judgedShare)] ?? Number.POSITIVE_INFINITY;
  }

  #ask(address: string): void {
    const startMs = performance.now();
    const took = (): void => void this.#tookMs.push(performance.now() - startMs);
    httpGet(`${address}/api/health`, (response) => response.on('end', took).resume()).on('error', () => {
      this.#tookMs.push(Number.POSITIVE_INFINITY);
    });
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.once('pong', took);
      this.#socket.ping();
    }
  }
}

describe('a camera that blocks (CAM-08)', { timeout: 180_000 }, () => {
  it.each(isFullSize ? (['restWatchOrdered', 'readOrdered'] as const) : (['restWatchOrdered'] as const))(
    `gives the reading up after %s when the camera falls silent for ${silentMs} ms, answers everybody meanwhile, and plays on by itself`,
    async (moment) => {
      if (rig === undefined) throw new Error('no rig rig-d');
      const places = tableFolder();
      onTestFinished(() => places.remove());
      const options = { ...rig, folder: places.folder, calibrationFile, frameRate: 15, shakesMax: 2, slowness: 1.7, seed: 1 };
      const table = await RealTable.start(options);
      onTestFinished(() => table.close());
      const { feed } = table;
      await table.throwNext(thrown);
      const from = (index: number, ...kinds: readonly string[]) =>
        feed.until(kinds.join(' or '), 40_000, () => feed.from(index).find(({ event }) => kinds.includes(event.kind)));
      await table.act('open', { by: dealer });
      await from(0, 'bettingClosed');
      await table.act('shake', { by: dealer });
      await from(0, moment);
      const silentIndex = feed.eventCount;
      table.setCameraFault({ kind: 'silent' });
      const silentSinceMs = performance.now();
      const watcher = new Watcher(table.address);
      // A result may have been reached with the pictures that had arrived; it is then the right one.
      const given = await from(silentIndex, 'roundHeld', 'roundVoided', 'restFailed', 'readFailed', 'resultDeclared');
      const givenUpMs = given.arrivedMonoMs - silentSinceMs;
      console.info(`CAM-08: ${given.event.kind} ${givenUpMs.toFixed(0)} ms after the camera fell silent`);
      expect(givenUpMs).toBeLessThan(givenUpMsMax);
      if (given.event.kind === 'resultDeclared') expect(given.event.dice).toEqual([2, 4, 4]);
      await pause(Math.max(0, silentMs - (performance.now() - silentSinceMs)));
      table.setCameraFault(null);
      const answeredMs = watcher.end();
      expect(watcher.askedCount).toBeGreaterThan(silentMs / askEveryMs / 2);
      expect(answeredMs).toBeLessThan(answerMsMax);

      // Back to normal without a restart: whatever became of the round, the next one is read.
      await vi.waitUntil(() => ['held', 'closed', 'void'].includes(feed.table?.phase ?? ''), { timeout: 40_000 });
      if (feed.table?.phase === 'held') await table.act('void', { by: supervisor, second: dealer, reason: 'camera was silent' });
      await table.rested();
      const nextIndex = feed.eventCount;
      await table.act('open', { by: dealer });
      await from(nextIndex, 'bettingClosed');
      await table.act('shake', { by: dealer });
      const { event } = await from(nextIndex, 'resultDeclared', 'roundHeld', 'roundVoided');
      expect(event).toMatchObject({ kind: 'resultDeclared', dice: [2, 4, 4] });
    },
  );

  it('starts beside a camera that takes the connection and never answers, answers everybody, and plays once the camera does', async () => {
    if (rig === undefined) throw new Error('no rig rig-d');
    const clock = new SystemClock();
    const pictures = new PlaylistPictures(clock, held(rig.restPicture), 1);
    const camera = await CameraServer.start({ clock, pictures, frameRate: 15 });
    onTestFinished(() => camera.close());
    camera.setFault({ kind: 'mute' });
    const bench = await ProcessBench.open();
    await bench.plugInShaker();
    bench.configure({ cameraUrl: camera.url, calibrationFile, play: { isUnattended: false } });
    const address = await bench.start({ reader: 'real' }).ready;
    const watcher = new Watcher(address);
    const faults = async () => (await tableNow(address)).faults.map(({ code }) => code);
    await vi.waitUntil(async () => (await faults()).includes('camera.offline'), { timeout: 20_000 });
    const refused = await bench.act('open', { roundId: null });
    expect(refused).toEqual({ status: 409, code: 'act.blocked-by-fault' });
    await pause(silentMs / 2);
    expect(watcher.end()).toBeLessThan(answerMsMax);
    camera.setFault(null);
    await vi.waitUntil(async () => !(await faults()).some((code) => code.startsWith('camera.')), { timeout: 30_000 });
    await vi.waitUntil(async () => (await bench.act('open', { roundId: null })).status === 200, { timeout: 30_000 });
  });
});
