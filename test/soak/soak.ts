import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { demoCalibration } from '../../hardware-sim/demo-calibration.ts';
import { type DemoLamps, openDemoLamps } from '../../hardware-sim/demo-lamps.ts';
import { MachineProcess } from '../../hardware-sim/machine-process.ts';
import { type SeededRandom, seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { PublicEvent } from '../../src/api/public-event.ts';
import { markedNow, markedProcesses } from '../process/marked-processes.ts';
import { freePort, type TableFolder, tableFolder, tableToml } from '../process/table-folder.ts';
import { TableProcess } from '../process/table-process.ts';
import { Ears } from './ears.ts';
import { FeedLoad } from './feed-load.ts';
import type { Findings } from './findings.ts';
import { httpLoad } from './http-load.ts';
import { checkedJournal } from './journal-check.ts';
import { nextKill } from './kill-plan.ts';
import { watchLamps } from './lamp-check.ts';
import { MotionCheck } from './motion-check.ts';
import { operate } from './operator.ts';
import type { SoakOptions } from './soak-options.ts';
import { sicboVerify } from './verify-run.ts';
import { Witness } from './witness.ts';

/** Longer than this is a failure, ms: a start, a ready table of which nothing is heard, and a round without a kill. All are far above what a busy
 *  machine needs. */
const readyMsMax = 30_000;
const silentMsMax = 15_000;
const wholeRoundMsMax = 60_000;
/** Review window, whatever the speed, ms: longer than the lamps may lag, so that wrong ones show. */
const reviewMs = 1_200;
const pollerCount = 3;
const killsPerVerify = 25;
/** A round with quick countdowns, ms. */
const roundMs = 4_000;
/** Share of the runs in which the vision process is killed too (failures.md CAM-09), and how soon the table must be back then, ms: 10 s, and again
 *  as much for a busy machine. */
const visionKillShare = 0.25;
const visionBackMsMax = 20_000;

/** Kills a playing table again and again and checks that nothing which anybody saw is ever lost, changed or doubled. Everything is kept in one
 *  folder, and nothing is left running when the promise settles. Problems go to `findings`; the first one ends it. @returns the folder. */
export async function runSoak(options: SoakOptions, findings: Findings): Promise<TableFolder> {
  const places = tableFolder();
  const stop = (): void => findings.stop();
  options.signal.addEventListener('abort', stop);
  const soak = new Soak(options, findings, places);
  try {
    await soak.run();
  } catch (error) {
    // Whatever waits is broken off by the abort; only an error of a soak that was still going on is one.
    if (!findings.signal.aborted) findings.wrong(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await soak.close();
    options.signal.removeEventListener('abort', stop);
  }
  return places;
}

class Soak {
  readonly #options: SoakOptions;
  readonly #findings: Findings;
  readonly #places: TableFolder;
  readonly #random: SeededRandom;
  readonly #witness: Witness;
  readonly #motion: MotionCheck;
  readonly #ears: Ears;
  readonly #load: FeedLoad[] = [];
  #machine: MachineProcess | null = null;
  #lamps: DemoLamps | null = null;
  #table: TableProcess | null = null;
  #tasks: Promise<void>[] = [];
  /** Even while no table is ready. */
  #runNumber = 0;
  #startCount = 0;
  readonly #startsMs: number[] = [];
  #port = 0;

  constructor(options: SoakOptions, findings: Findings, places: TableFolder) {
    this.#options = options;
    this.#findings = findings;
    this.#places = places;
    this.#random = seededRandom(options.seed);
    this.#ears = new Ears(findings.signal);
    this.#witness = new Witness((problem) => findings.wrong(problem));
    this.#motion = new MotionCheck(places.journalPath, findings);
  }

  async run(): Promise<void> {
    const { kills, say } = this.#options;
    await this.#setUp();
    for (let kill = 1; kill <= kills && !this.#findings.signal.aborted; kill += 1) {
      await this.#startAndKill();
      this.#findings.count(`killed after ${this.#checkJournal()}`);
      // Beside the next table, as a person would.
      if (kill % killsPerVerify === 0) this.#tasks.push(this.#verify());
      if (kill % 10 === 0 || kill === kills) say(this.#progress(kill));
    }
    await this.#finish();
  }

  /** Ends all processes and connections, whatever happened before. */
  async close(): Promise<void> {
    this.#findings.stop();
    for (const listener of this.#load) listener.close();
    await this.#table?.end('SIGKILL');
    await Promise.all(this.#tasks);
    await this.#lamps?.close();
    await this.#machine?.close();
    const left = await markedProcesses(this.#places.folder, 5_000);
    if (left.length > 0) this.#findings.wrong(`still running: ${left.join('; ')}`);
  }

  async #setUp(): Promise<void> {
    const { seed, reader, speed, listeners, frameRate, say } = this.#options;
    const { folder, link } = this.#places;
    const { signal } = this.#findings;
    const calibrationFile = reader === 'real' ? await demoCalibration(folder, say) : 'calibration.json';
    const onShake = (shake: Parameters<MotionCheck['take']>[0]): void => this.#motion.take(shake);
    const machine = await MachineProcess.start({ link, memory: join(folder, 'shaker-memory.json'), seed, frameRate, onShake });
    this.#machine = machine;
    this.#lamps = await openDemoLamps(folder, say);
    this.#port = await freePort();
    const play = { reviewMs, ...(reader === 'real' ? { settleMs: 400 } : {}) };
    const { cameraUrl } = machine;
    const toml = { port: this.#port, link, cameraUrl, calibrationFile, lamps: this.#lamps.config, play, slowness: 1 / speed };
    this.#places.writeConfig(tableToml(toml));
    const address = `http://127.0.0.1:${this.#port}`;
    const base = { witness: this.#witness, findings: this.#findings };
    const random = (number: number): SeededRandom => seededRandom(seed * 1_009 + number);
    for (let number = 1; number <= listeners; number += 1) {
      const onEvent = number === 1 ? { onEvent: ({ event }: { event: PublicEvent }) => this.#ears.take(event) } : {};
      this.#load.push(
        new FeedLoad(
          { url: `${address.replace('http', 'ws')}/feed`, random: random(number), ...base, ...onEvent },
          number % 3 === 0,
        ),
      );
    }
    const lit = (): Promise<readonly number[] | null> => this.#lamps?.lit() ?? Promise.resolve(null);
    const { journalPath } = this.#places;
    this.#tasks = [
      ...Array.from({ length: pollerCount }, (_, index) => httpLoad({ address, random: random(2_000 + index), ...base }, signal)),
      operate(address, random(3_000), this.#findings, signal),
      watchLamps({ journalPath, lit, runNumber: () => this.#runNumber, findings: this.#findings }, signal),
    ];
  }

  #start(): TableProcess {
    this.#startCount += 1;
    const { reader, seed } = this.#options;
    const { configFile, folder } = this.#places;
    this.#table = new TableProcess({
      configFile,
      reader,
      seed: seed * 7_919 + this.#startCount,
      logFile: join(folder, 'daemon.log'),
      env: { ...process.env, SICBO_TEST_FOLDER: folder },
      ...(this.#lamps === null ? {} : { spawn: this.#lamps.spawn }),
    });
    return this.#table;
  }

  async #ready(table: TableProcess): Promise<void> {
    const late = pause(readyMsMax, 'late', { signal: this.#findings.signal });
    if ((await Promise.race([table.ready, late])) === 'late')
      throw new Error(`not ready within ${readyMsMax} ms:\n${table.output}`);
    this.#startsMs.push((table.readyMs ?? 0) - table.startedMs);
    this.#runNumber += 1;
  }

  async #startAndKill(): Promise<void> {
    const { signal } = this.#findings;
    const plan = nextKill(this.#random, this.#startsMs.at(-1) ?? 0, roundMs / this.#options.speed);
    const table = this.#start();
    if (plan.kind === 'while starting') {
      await Promise.race([pause(plan.afterMs, undefined, { signal }), table.ended]);
      // It may have become ready just now.
      if (table.readyMs !== null) this.#startsMs.push(table.readyMs - table.startedMs);
    } else {
      await this.#ready(table);
      if (this.#options.reader === 'real' && this.#random.next() < visionKillShare) await this.#killVision();
      if (plan.kind === 'after a record') await this.#ears.hears([plan.record], plan.waitMsMax);
      await pause(plan.afterMs, undefined, { signal });
    }
    this.#findings.count(`kills ${plan.kind}`);
    await this.#killed(table);
  }

  /** Kills the vision process while the dice come to rest: they are looked at again by the next one, or the round is held or void. */
  async #killVision(): Promise<void> {
    if (!(await this.#ears.hears(['restWatchOrdered'], visionBackMsMax))) return;
    const vision = markedNow(this.#places.folder).find((line) => line.includes('vision-process'));
    if (vision === undefined) throw new Error('no vision process runs while the dice come to rest');
    process.kill(Number.parseInt(vision, 10), 'SIGKILL');
    this.#findings.count('vision processes killed');
    if (!(await this.#ears.hears(['resultDeclared', 'throwVoided', 'roundHeld', 'roundVoided'], visionBackMsMax)))
      throw new Error(`the round stands still since the vision process was killed`);
  }

  async #killed(table: TableProcess): Promise<void> {
    if (!table.isRunning) throw new Error(`the table ended by itself:\n${table.output}`);
    if (table.readyMs !== null && performance.now() - Math.max(table.readyMs, this.#ears.lastMs) > silentMsMax)
      throw new Error(`nothing happened for ${silentMsMax} ms:\n${table.output}`);
    table.child.kill('SIGKILL');
    this.#motion.noteKill();
    this.#runNumber += this.#runNumber % 2;
    await table.ended;
  }

  /** Compares the journal with everything that was ever shown. @returns the kind of its last record. */
  #checkJournal(): string {
    const { records, problems } = checkedJournal(this.#places.journalPath, this.#places.anchorFolder);
    for (const problem of [...problems, ...this.#witness.problems(records)]) this.#findings.wrong(problem);
    this.#findings.counts.records = records.length;
    for (const kind of ['roundOpened', 'roundSettled', 'roundVoided', 'roundHeld', 'resultDeclared'] as const)
      this.#findings.counts[kind] = records.filter(({ event }) => event.kind === kind).length;
    this.#findings.counts['things shown'] = this.#witness.count;
    return records.at(-1)?.event.kind ?? 'nothing';
  }

  async #verify(): Promise<void> {
    const problem = await sicboVerify(this.#places.configFile);
    this.#findings.count('sicbo verify');
    if (problem !== null) this.#findings.wrong(problem);
  }

  /** One more start, a round from its opening to its end without a kill, an orderly end, and the last look at everything. */
  async #finish(): Promise<void> {
    if (this.#findings.signal.aborted) return;
    const table = this.#start();
    await this.#ready(table);
    for (const kind of ['roundOpened', 'roundSettled'] as const)
      if (!(await this.#ears.hears([kind], wholeRoundMsMax))) throw new Error(`no ${kind} within ${wholeRoundMsMax} ms`);
    const { code, signal } = await table.end('SIGTERM');
    this.#runNumber += 1;
    if (code !== 0) this.#findings.wrong(`the orderly end gave ${signal ?? code}:\n${table.output}`);
    const lit = await this.#lamps?.lit();
    if (lit !== null && lit !== undefined && lit.length > 0) this.#findings.wrong(`outputs ${lit} shine after the orderly end`);
    this.#checkJournal();
    await this.#verify();
    const sorted = [...this.#startsMs].sort((one, other) => one - other);
    this.#findings.counts['start to ready, median ms'] = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
    this.#findings.counts['start to ready, longest ms'] = Math.round(sorted.at(-1) ?? 0);
    this.#findings.counts.starts = this.#startCount;
  }

  #progress(kill: number): string {
    const of = (what: string): number => this.#findings.countOf(what);
    const rounds = `${of('roundOpened')} rounds (${of('roundSettled')} settled, ${of('roundVoided')} void)`;
    return `${kill} kills: ${rounds}, ${of('records')} records, ${of('motor runs')} motor runs, ${of('things shown')} things shown, all kept`;
  }
}
