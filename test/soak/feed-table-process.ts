import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productRoot } from '../../src/product-root.ts';
import type { FeedTableOrder, FeedTableWord } from './feed-table.ts';

type WordOf<Kind extends FeedTableWord['kind']> = Extract<FeedTableWord, { kind: Kind }>;

/** The table of `feed-table.ts` as a process of its own, from dist. */
export class FeedTableProcess {
  readonly #child: ChildProcess;
  /** When each result was written, ns of CLOCK_MONOTONIC, by record number. */
  readonly resultNs = new Map<number, bigint>();
  address = '';
  head = 0;
  /** The table's own time, ms. */
  wallMs = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (word: FeedTableWord) => {
      if (word.kind === 'result') this.resultNs.set(word.seq, BigInt(word.atNs));
    });
  }

  /** @param wallMs the table's time goes on from here. @throws Error when it ends before it is ready. */
  static async start(configFile: string, wallMs: number): Promise<FeedTableProcess> {
    const args = ['--config', configFile, '--wall', String(wallMs)];
    const table = new FeedTableProcess(fork(join(productRoot, 'dist/test/soak/feed-table.js'), args, { execArgv: [] }));
    const { address, head, wallMs: nowMs } = await table.#word('ready');
    Object.assign(table, { address, head, wallMs: nowMs });
    return table;
  }

  /** Plays one round to its end. */
  async play(): Promise<void> {
    const played = this.#word('played');
    this.#tell({ kind: 'play' });
    const { head, wallMs } = await played;
    Object.assign(this, { head, wallMs });
  }

  /** Counters of its feed. */
  async counters(): Promise<Readonly<Record<string, number>>> {
    const counted = this.#word('counted');
    this.#tell({ kind: 'count' });
    return (await counted).counters;
  }

  /** Resident memory of the process, MB (10^6 bytes). */
  get rssMb(): number {
    const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))?.[1];
    return (Number(kb) * 1_024) / 1e6;
  }

  /** A power cut. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  #tell(order: FeedTableOrder): void {
    this.#child.send(order);
  }

  #word<Kind extends FeedTableWord['kind']>(kind: Kind): Promise<WordOf<Kind>> {
    return new Promise((resolve, reject) => {
      const take = (word: FeedTableWord): void => {
        if (word.kind !== kind) return;
        this.#child.off('message', take).off('exit', ended);
        resolve(word as WordOf<Kind>);
      };
      const ended = (code: number | null, signal: string | null): void =>
        reject(new Error(`the table ended with ${signal ?? code}`));
      this.#child.on('message', take).once('exit', ended);
    });
  }
}
