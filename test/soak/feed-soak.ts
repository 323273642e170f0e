import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import { percentile } from '../bench/percentile.ts';
import { freePort, type TableFolder, tableFolder, tableToml } from '../process/table-folder.ts';
import { openStuckListener, pongUnread, startStoppedListener } from './bad-listeners.ts';
import { FeedProxy } from './feed-proxy.ts';
import type { FeedSoakOptions } from './feed-soak-options.ts';
import { FeedTableProcess } from './feed-table-process.ts';
import type { Findings } from './findings.ts';
import { MemorySeries } from './memory-series.ts';
import { SwiftListener } from './swift-listener.ts';

/** Listeners that come through the proxy, besides those that come straight. */
const proxiedCount = 5;
/** Unread pings that a stuck listener answers at a time, more than it can have been sent between two looks. */
const pongCount = 200;
/** Results reach all good listeners within this time, ms, in 99 of 100 cases (failures.md NET-01). */
const delayMsMax = 200;
/** The table's memory may end above where it was after the warm-up by this share, and so many MB for the collector's swings. */
const growthMax = 0.1;
const growthMbMax = 10;
/** Memory and times are judged only over a run of some length; below, the program is still being compiled. */
const judgedRecordsMin = 10_000;
/** One that answers no ping is cut within this time, ms: the deadline of a pong and two signs of life. */
const silentMsMax = 35_000;
/** Good listeners have what was sent, and are back after a restart, within this time, ms: the longest back-off and again as much. */
const caughtUpMsMax = 25_000;
/** The first round after a restart with everybody connected takes no longer than an ordinary one and this, ms. */
const firstRoundMsMax = 2_000;

/** Sends real rounds to good listeners while one never reads, one is stopped, one has vanished and some sit behind a proxy; lets the table stand still, kills it,
 *  and starts it again while all come back. @returns the folder, to be removed by whoever called. */
export async function runFeedSoak(
  options: FeedSoakOptions,
  findings: Findings,
  say: (line: string) => void,
): Promise<TableFolder> {
  const places = tableFolder();
  const soak = new FeedSoak(options, findings, say, places);
  try {
    await soak.run();
  } catch (error) {
    if (!findings.signal.aborted) findings.wrong(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await soak.close();
  }
  return places;
}

class FeedSoak {
  readonly #options: FeedSoakOptions;
  readonly #findings: Findings;
  readonly #say: (line: string) => void;
  readonly #places: TableFolder;
  readonly #random;
  readonly #listeners: SwiftListener[] = [];
  readonly #memory = new MemorySeries();
  readonly #arrivedNs = new Map<number, bigint[]>();
  readonly #delaysMs: number[] = [];
  readonly #roundsMs: number[] = [];
  #table: FeedTableProcess | null = null;
  #proxy: FeedProxy | null = null;
  #cable: FeedProxy | null = null;
  #stuck: Socket | null = null;
  #stopped: ChildProcess | null = null;
  #port = 0;
  #startedMs = 0;

  constructor(options: FeedSoakOptions, findings: Findings, say: (line: string) => void, places: TableFolder) {
    this.#options = options;
    this.#findings = findings;
    this.#say = say;
    this.#places = places;
    this.#random = seededRandom(options.seed);
  }

  async run(): Promise<void> {
    await this.#setUp();
    await this.#send();
    await this.#standStill();
    await this.#startAgain();
  }

  async close(): Promise<void> {
    for (const listener of this.#listeners) listener.close();
    this.#stuck?.destroy();
    this.#stopped?.kill('SIGKILL');
    await this.#proxy?.close();
    await this.#cable?.close();
    await this.#table?.kill();
  }

  get #running(): FeedTableProcess {
    if (this.#table === null) throw new Error('no table runs');
    return this.#table;
  }

  async #setUp(): Promise<void> {
    const { heartbeatMs, proxyIdleMs, listeners } = this.#options;
    this.#port = await freePort();
    const { link, configFile } = this.#places;
    this.#places.writeConfig(tableToml({ port: this.#port, link, heartbeatMs }));
    this.#table = await FeedTableProcess.start(configFile, Date.UTC(2026, 0, 1));
    this.#proxy = await FeedProxy.start({ port: this.#port, idleMsMax: proxyIdleMs });
    this.#cable = await FeedProxy.start({ port: this.#port, idleMsMax: 2 ** 31 - 1 });
    for (let number = 0; number < listeners; number += 1) this.#listen(this.#port);
    for (let number = 0; number < proxiedCount; number += 1) this.#listen(this.#proxy.port);
    await this.#allHave('their first message', 0);
    const feedUrl = (port: number): string => `ws://127.0.0.1:${port}/feed`;
    this.#stuck = await openStuckListener(this.#port);
    this.#stopped = await startStoppedListener(feedUrl(this.#port));
    const vanished = await openStuckListener(this.#cable.port);
    this.#cable.pullCable();
    vanished.destroy();
    this.#startedMs = performance.now();
    const { listening } = await this.#running.counters();
    this.#findings.counts['listeners at the start'] = listening ?? 0;
    if (listening !== listeners + proxiedCount + 3) this.#findings.wrong(`${listening} listeners are there`);
  }

  #listen(port: number): void {
    this.#listeners.push(
      new SwiftListener({
        url: `ws://127.0.0.1:${port}/feed`,
        chance: () => this.#random.next(),
        wrong: (problem) => this.#findings.wrong(problem),
        onResult: (seq) => {
          const arrived = this.#arrivedNs.get(seq) ?? [];
          arrived.push(process.hrtime.bigint());
          this.#arrivedNs.set(seq, arrived);
        },
      }),
    );
  }

  /** Round after round, each as soon as all good listeners have the one before. */
  async #send(): Promise<void> {
    const { records } = this.#options;
    const table = this.#running;
    const startHead = table.head;
    let told = 0;
    while (table.head - startHead < records && !this.#findings.signal.aborted) {
      const startedMs = performance.now();
      await table.play();
      this.#roundsMs.push(performance.now() - startedMs);
      await this.#allHave(`record ${table.head}`, table.head);
      this.#takeDelays(table);
      if (this.#stuck !== null && !this.#stuck.destroyed) pongUnread(this.#stuck, pongCount);
      const sent = table.head - startHead;
      this.#memory.add(sent, table.rssMb);
      if (sent < told + records / 20) continue;
      told = sent;
      this.#say(`${sent} records, ${Math.round(table.rssMb)} MB, ${words(await table.counters())}`);
    }
    this.#judgeMemory(table.head - startHead);
    this.#judgeDelays();
  }

  /** Nothing happens for longer than the proxy's patience; only signs of life go out. The bad listeners are cut by then. */
  async #standStill(): Promise<void> {
    if (this.#findings.signal.aborted) return;
    const { quietMs } = this.#options;
    await pause(quietMs, undefined, { signal: this.#findings.signal });
    const counters = await this.#running.counters();
    const { counts } = this.#findings;
    counts['cut: takes nothing'] = counters.tooSlow ?? 0;
    counts['cut: answers no ping'] = counters.noPong ?? 0;
    counts['cut by the proxy'] = this.#proxy?.cutCount ?? 0;
    counts['connections lost by good listeners'] = this.#listeners.reduce((sum, { lossCount }) => sum + lossCount, 0);
    const stuckCount = this.#stuckCutCount(counters.tooSlow ?? 0);
    const silentCount = performance.now() - this.#startedMs > silentMsMax ? 2 : (counters.noPong ?? 0);
    if (counters.tooSlow !== stuckCount || counters.noPong !== silentCount)
      this.#findings.wrong(`the three bad listeners were not cut once each: ${words(counters)}`);
    if (counters.listening !== this.#listeners.length + 3 - stuckCount - silentCount)
      this.#findings.wrong(`${counters.listening} listen, of ${this.#listeners.length} good ones: ${words(counters)}`);
    if (counts['connections lost by good listeners'] > 0) this.#findings.wrong('good listeners lost their connection');
  }

  /** The table is killed and starts again while all listeners come back: none misses or doubles a record, and the first round is not delayed. */
  async #startAgain(): Promise<void> {
    if (this.#findings.signal.aborted) return;
    const { wallMs } = this.#running;
    await this.#running.kill();
    const table = await FeedTableProcess.start(this.#places.configFile, wallMs + 1_000);
    this.#table = table;
    const startedMs = performance.now();
    await table.play();
    const firstMs = performance.now() - startedMs;
    await this.#allHave(`record ${table.head} after the restart`, table.head);
    const { counts } = this.#findings;
    counts['all back after the restart, ms'] = Math.round(performance.now() - startedMs);
    counts['first round after the restart, ms'] = Math.round(firstMs);
    counts['a round before it, median ms'] = Math.round(percentile(this.#roundsMs, 0.5));
    if (this.#isJudged && firstMs > percentile(this.#roundsMs, 0.5) + firstRoundMsMax)
      this.#findings.wrong(`the first round took ${firstMs} ms`);
    const resultCounts = new Set(this.#listeners.map(({ resultCount }) => resultCount));
    counts.results = Math.max(...resultCounts);
    if (resultCounts.size !== 1) this.#findings.wrong(`good listeners have ${[...resultCounts].join(' or ')} results`);
  }

  get #isJudged(): boolean {
    return this.#options.records >= judgedRecordsMin;
  }

  /** One that takes nothing is cut when the buffers of the system and its own in the table are full, which needs thousands of records. */
  #stuckCutCount(counted: number): number {
    return this.#isJudged ? 1 : counted;
  }

  async #allHave(what: string, seq: number): Promise<void> {
    const endMs = performance.now() + caughtUpMsMax;
    while (!this.#listeners.every(({ lastSeq }) => lastSeq >= seq)) {
      if (this.#findings.signal.aborted) return;
      if (performance.now() > endMs) {
        const late = this.#listeners.filter(({ lastSeq }) => lastSeq < seq).length;
        throw new Error(`${late} good listeners do not have ${what} after ${caughtUpMsMax} ms`);
      }
      await pause(1);
    }
  }

  #takeDelays({ resultNs }: FeedTableProcess): void {
    for (const [seq, atNs] of resultNs) {
      for (const arrivedNs of this.#arrivedNs.get(seq) ?? []) this.#delaysMs.push(Number(arrivedNs - atNs) / 1e6);
      this.#arrivedNs.delete(seq);
    }
    resultNs.clear();
  }

  #judgeDelays(): void {
    const { counts } = this.#findings;
    const delayMs = percentile(this.#delaysMs, 0.99);
    counts['result to good listener, median ms'] = Math.round(percentile(this.#delaysMs, 0.5));
    counts['result to good listener, p99 ms'] = Math.round(delayMs);
    counts['result to good listener, longest ms'] = Math.round(percentile(this.#delaysMs, 1));
    if (this.#isJudged && delayMs > delayMsMax)
      this.#findings.wrong(`results took ${delayMs.toFixed(0)} ms of ${delayMsMax} (p99)`);
  }

  #judgeMemory(sent: number): void {
    const before = this.#memory.medianMb(sent * 0.1, sent * 0.2);
    const after = this.#memory.medianMb(sent * 0.9, sent);
    const { counts } = this.#findings;
    counts.records = sent;
    counts['memory of the table after the warm-up, MB'] = Math.round(before);
    counts['memory of the table at the end, MB'] = Math.round(after);
    counts['memory of the table at its peak, MB'] = Math.round(this.#memory.peakMb);
    this.#say(`memory of the table by tenths of the run, MB: ${this.#memory.line()}`);
    if (this.#isJudged && after > before * (1 + growthMax) + growthMbMax)
      this.#findings.wrong(`the table grew from ${before.toFixed(0)} to ${after.toFixed(0)} MB`);
  }
}

function words(counters: Readonly<Record<string, number>>): string {
  return Object.entries(counters)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ');
}
