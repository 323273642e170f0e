import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { constants as signals } from 'node:os';
import type { Readable, Writable } from 'node:stream';

const startMsMax = 5_000;

/** One pseudo-terminal whose other end is this process: what a program reads and writes at `link` goes through the kernel's terminal layer. Made by a
 *  socat child that joins the terminal to its own standard input and output, so a dead master is a killed child and a stuck one a stopped child. */
export class Pty {
  readonly link: string;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #exited: Promise<void>;
  #heldFd: number | null = null;

  private constructor(link: string, child: ChildProcessByStdio<Writable, Readable, null>) {
    this.link = link;
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    // A write to a child that has just gone is no event for anybody.
    child.stdin.on('error', () => undefined);
  }

  /** Makes the terminal and the symbolic link to it. @throws Error when socat is missing or the link does not appear within 5 s. */
  static async open(link: string): Promise<Pty> {
    rmSync(link, { force: true });
    const child = spawn('socat', [`pty,raw,echo=0,link=${link}`, 'stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const failed = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(new Error(`socat: ${error.message}`)));
      child.once('exit', (code) => reject(new Error(`socat ended with ${code} before the terminal was there`)));
    });
    await Promise.race([linkAppears(link), failed]);
    failed.catch(() => undefined);
    const pty = new Pty(link, child);
    // Holds the terminal open, so that the master does not see a hang-up each time the program closes it. Never read from.
    pty.#heldFd = openSync(link, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    return pty;
  }

  /** Descriptor of the program's side of the terminal, for filling its buffer; null once closed. */
  get heldFd(): number | null {
    return this.#heldFd;
  }

  onBytes(listener: (chunk: Buffer) => void): void {
    this.#child.stdout.on('data', listener);
  }

  /** Sends bytes to the program. @returns false when they queue here; `drained` then tells when to go on. */
  write(bytes: Uint8Array): boolean {
    return this.#child.stdin.writable && this.#child.stdin.write(bytes);
  }

  /** Resolves when nothing queues any more, or the master is closed. */
  async drained(): Promise<void> {
    if (!this.#child.stdin.writableNeedDrain) return;
    await Promise.race([new Promise<void>((resolve) => this.#child.stdin.once('drain', resolve)), this.#exited]);
  }

  /** The master neither reads nor writes until `resume`. */
  pause(): void {
    this.#child.kill(signals.signals.SIGSTOP);
  }

  resume(): void {
    this.#child.kill(signals.signals.SIGCONT);
  }

  /** Closes the master: the program sees a hang-up. The link is removed. */
  async close(): Promise<void> {
    if (this.#heldFd !== null) closeSync(this.#heldFd);
    this.#heldFd = null;
    this.#child.kill('SIGKILL');
    await this.#exited;
    rmSync(this.link, { force: true });
  }
}

async function linkAppears(link: string): Promise<void> {
  const giveUpMs = performance.now() + startMsMax;
  while (!existsSync(link)) {
    if (performance.now() > giveUpMs) throw new Error(`no terminal at ${link} after ${startMsMax} ms`);
    await new Promise((wake) => setTimeout(wake, 5));
  }
}
