import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import { SystemClock } from '../../src/devices/system-clock.ts';
import type { Frame } from '../../src/ports/frame-source.ts';
import { silentLog } from '../../src/ports/log.ts';
import { productRoot } from '../../src/product-root.ts';
import { WorkerDiceReader } from '../../src/vision/worker-dice-reader.ts';
import { percentile } from '../bench/percentile.ts';
import { childrenRunning } from '../process/children-running.ts';
import { labelledRigs } from '../real-input/labelled-rig.ts';
import type { Findings } from './findings.ts';
import { hostilePictures } from './hostile-pictures.ts';
import { MemorySeries } from './memory-series.ts';
import { soakSettingsOf } from './soak-settings.ts';

/** What a soak of the vision process does. */
export interface VisionSoakOptions {
  /** Pictures without a disturbance, each looked at for motion; 100 to 10,000,000. */
  readonly frames: number;
  /** Every so manyth of them is read too, 1 to 100: a table looks at some 60 pictures of a throw and reads 3 to 8. */
  readonly readEvery: number;
  /** Disturbances afterwards: the process is killed by SIGKILL, by SIGSEGV, and stopped, in turn, in the middle of a picture; 0 to 10,000. */
  readonly kills: number;
  readonly seed: number;
  /** Whose pictures: `rig-a` has 1280 x 720 px, `rig-d` 640 x 480. */
  readonly rig: 'rig-a' | 'rig-d';
}

const defaults: VisionSoakOptions = { frames: 100_000, readEvery: 4, kills: 50, seed: 1, rig: 'rig-d' };
const bounds = { frames: [100, 10_000_000], readEvery: [1, 100], kills: [0, 10_000], seed: [0, 2 ** 31] } as const;
export const visionSoakUsage = 'npm run soak -- vision [frames=100000] [readEvery=4] [kills=50] [seed=1] [rig=rig-d|rig-a]';

/** Reads `key=value` arguments. @throws Error with what is wrong. */
export function visionSoakSettings(args: readonly string[]): VisionSoakOptions {
  return soakSettingsOf(args, defaults, bounds, visionSoakUsage, { rig: ['rig-a', 'rig-d'] });
}

/** Every so manyth picture is a hostile one: with 20,000 pictures a kind of hostile picture comes 50 times (failures.md CAM-09 asks for 500 empty ones in 20,000). */
const hostileEvery = 5;
/** Resident memory that the process may never reach, MB (failures.md CAM-09). */
const rssMbMax = 512;
/** Growth from the end of the warm-up to the end of the run, as a share. */
const growthMax = 0.1;
/** Growth per 1,000 pictures, MB (failures.md CAM-09). */
const slopeMbMax = 1;
/** Time from a kill to the next answers, ms (failures.md CAM-09), judged by the median, since starting a process takes a busy machine longer now and then;
 *  a stopped process is noticed by the deadline of a picture first. Nobody waits for longer than `waitMsMax`. */
const backMsMax = 10_000;
/** Of fewer kills the median says nothing. */
const judgedKillsMin = 10;
const waitMsMax = 60_000;
/** Longest wait for an answer, ms: a table's own while the process is disturbed; before, a busy machine is no reason to replace it. */
const answerMsMax = 2_000;
const busyAnswerMsMax = 30_000;
/** A process that was killed is gone within this time, ms. */
const goneMsMax = 5_000;
/** A slope through fewer pictures than this is the noise of the garbage collector. */
const judgedFramesMin = 5_000;

/** Feeds the real vision process with labelled, damaged and nonsensical pictures and watches values and memory; then kills and stops it in the
 *  middle of pictures. Replacement for size and age is off, so that it hides no growth. */
export async function runVisionSoak(
  options: VisionSoakOptions,
  findings: Findings,
  say: (line: string) => void,
): Promise<MemorySeries> {
  const soak = new VisionSoak(options, findings, say);
  try {
    await soak.open();
    await soak.feed();
    await soak.disturb();
  } catch (error) {
    if (!findings.signal.aborted) findings.wrong(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await soak.close();
  }
  return soak.memory;
}

interface SoakPicture {
  readonly what: string;
  readonly jpeg: Buffer;
  /** The values that may be accepted; null for none. */
  readonly values: string | null;
}

class VisionSoak {
  readonly memory = new MemorySeries();
  readonly #options: VisionSoakOptions;
  readonly #findings: Findings;
  readonly #say: (line: string) => void;
  readonly #random;
  #reader: WorkerDiceReader;
  #good: readonly SoakPicture[] = [];
  #hostile: readonly SoakPicture[] = [];
  #frameNumber = 0;
  #upCount = 0;

  constructor(options: VisionSoakOptions, findings: Findings, say: (line: string) => void) {
    this.#options = options;
    this.#findings = findings;
    this.#say = say;
    this.#random = seededRandom(options.seed);
    this.#reader = this.#newReader(busyAnswerMsMax);
  }

  #newReader(answerMsMax: number): WorkerDiceReader {
    const reader = new WorkerDiceReader({
      calibrationFile: join(productRoot, 'test/fixtures/vision', this.#options.rig, 'calibration.json'),
      clock: new SystemClock(),
      log: silentLog,
      answerMsMax,
      openMsMax: busyAnswerMsMax,
      rssMbMax: Number.POSITIVE_INFINITY,
      picturesMax: Number.POSITIVE_INFINITY,
    });
    reader.onNotice(({ kind }) => {
      if (kind === 'up') this.#upCount += 1;
    });
    return reader;
  }

  async open(): Promise<void> {
    const [rig] = labelledRigs(join(productRoot, 'test/fixtures/vision'), this.#options.rig);
    if (rig === undefined) throw new Error(`no rig ${this.#options.rig}`);
    this.#good = rig.throws.map(({ file, values }) => ({ what: basename(file), jpeg: readFileSync(file), values }));
    const hostile = await Promise.all(
      this.#good.map(async ({ what, jpeg, values }) =>
        (await hostilePictures(jpeg, this.#random)).map((picture) => ({ ...picture, what: `${what} ${picture.what}`, values })),
      ),
    );
    this.#hostile = hostile.flat();
    await this.#reader.open();
  }

  async feed(): Promise<void> {
    const { frames, readEvery } = this.#options;
    const startedMs = performance.now();
    for (let frame = 1; frame <= frames && !this.#findings.signal.aborted; frame += 1) {
      await this.#show(this.#picture(frame), frame % readEvery === 0);
      this.memory.add(frame, this.#reader.counters.rssMb ?? 0);
      if (frame % Math.max(1, Math.floor(frames / 20)) === 0) {
        const msEach = (performance.now() - startedMs) / frame;
        this.#say(`${frame} pictures, ${Math.round(this.#reader.counters.rssMb ?? 0)} MB, ${msEach.toFixed(1)} ms each`);
      }
    }
    this.#judgeMemory(Math.min(frames, this.#frameNumber));
    this.#findings.counts['restarts without a kill'] = this.#reader.counters.restarts ?? 0;
    if ((this.#reader.counters.restarts ?? 0) > 0) this.#findings.wrong('the vision process ended by itself');
  }

  /** Kills or stops the process in the middle of pictures: each costs at most the question that was under way. */
  async disturb(): Promise<void> {
    await this.#reader.close();
    this.#reader = this.#newReader(answerMsMax);
    await this.#reader.open();
    const backMs: number[] = [];
    for (let number = 0; number < this.#options.kills && !this.#findings.signal.aborted; number += 1) {
      const signal = (['SIGKILL', 'SIGSEGV', 'SIGSTOP'] as const)[number % 3] ?? 'SIGKILL';
      const upCount = this.#upCount;
      const question = this.#reader.read(this.#frame(this.#picture(number))).then(
        () => 'answered' as const,
        (error: { code?: string }) => error.code ?? String(error),
      );
      await pause(this.#random.between(0, 15));
      const pid = childrenRunning('vision-process')[0];
      if (pid === undefined) throw new Error('no vision process runs');
      process.kill(pid, signal);
      const killedMs = performance.now();
      const outcome = await question;
      this.#findings.count(`${signal} in mid-picture: ${outcome}`);
      if (outcome !== 'answered' && outcome !== 'vision.lost' && outcome !== 'vision.timed-out')
        this.#findings.wrong(`after ${signal} a reading ended with ${outcome}`);
      // A process that was stopped behind its answer is missed by the next question.
      if (signal === 'SIGSTOP' && outcome === 'answered')
        await this.#reader.read(this.#frame(this.#picture(number))).catch(() => {});
      while (this.#upCount === upCount && performance.now() - killedMs < waitMsMax) await pause(5);
      for (let frame = 1; frame <= 3; frame += 1) await this.#show(this.#picture(frame), true);
      backMs.push(performance.now() - killedMs);
    }
    if (backMs.length >= judgedKillsMin && percentile(backMs, 0.5) > backMsMax)
      this.#findings.wrong(`back after ${percentile(backMs, 0.5).toFixed(0)} ms (median)`);
    this.#findings.counts['back after a kill, median ms'] = Math.round(percentile(backMs, 0.5));
    this.#findings.counts['back after a kill, longest ms'] = Math.round(Math.max(0, ...backMs));
  }

  async close(): Promise<void> {
    await this.#reader.close();
    const endMs = performance.now() + goneMsMax;
    while (childrenRunning('vision-process').length > 0 && performance.now() < endMs) await pause(20);
    const left = childrenRunning('vision-process');
    if (left.length > 0) this.#findings.wrong(`still running: ${left.join(' ')}`);
  }

  #picture(number: number): SoakPicture {
    const from = number % hostileEvery === 0 ? this.#hostile : this.#good;
    const picture = from[Math.floor(number / (from === this.#hostile ? hostileEvery : 1)) % from.length];
    if (picture === undefined) throw new Error('no pictures');
    return picture;
  }

  /** Looks at a picture for motion, and perhaps reads it. Whatever is accepted must be what lies in the tray. */
  async #show(picture: SoakPicture, isRead: boolean): Promise<void> {
    const frame = this.#frame(picture);
    await this.#reader.motion(frame);
    if (!isRead) return;
    const { reading } = await this.#reader.read(frame);
    const kind = this.#good.includes(picture) ? 'good pictures' : 'hostile pictures';
    if (reading.verdict === 'refused') this.#findings.count(`${kind} ${picture.values === null ? 'of bad throws ' : ''}refused`);
    else if (String([...reading.values].sort()) === picture.values) this.#findings.count(`${kind} read right`);
    else this.#findings.wrong(`${picture.what}: read as ${reading.values}, the dice show ${picture.values}`);
  }

  #frame({ jpeg }: SoakPicture): Frame {
    this.#frameNumber += 1;
    const nowMs = performance.now();
    return { frameNumber: this.#frameNumber, jpeg, arrivedMonoMs: nowMs, capturedMonoMs: nowMs, capturedWallMs: Date.now() };
  }

  /** @param frames pictures looked at; fewer than were asked for when somebody ended the run. */
  #judgeMemory(frames: number): void {
    const warmUp = Math.min(2_000, frames / 5);
    const before = this.memory.medianMb(warmUp, warmUp + frames / 20);
    const after = this.memory.medianMb(frames - frames / 20, frames);
    const slope = this.memory.slopeMb(warmUp);
    const { counts } = this.#findings;
    counts.pictures = frames;
    counts['memory after the warm-up, MB'] = before;
    counts['memory at the end, MB'] = after;
    counts['memory at its peak, MB'] = this.memory.peakMb;
    counts['memory growth per 1,000 pictures, kB'] = Math.round(1_000 * slope);
    this.#say(`memory of the vision process by tenths of the run, MB: ${this.memory.line()}`);
    if (this.memory.peakMb > rssMbMax) this.#findings.wrong(`the vision process took ${this.memory.peakMb} MB of ${rssMbMax}`);
    if (frames < judgedFramesMin) return;
    if (after > before * (1 + growthMax)) this.#findings.wrong(`the vision process grew from ${before} to ${after} MB`);
    if (slope > slopeMbMax) this.#findings.wrong(`the vision process grows by ${slope.toFixed(2)} MB per 1,000 pictures`);
  }
}
