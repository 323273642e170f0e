import { onTestFinished } from 'vitest';
import { type DemoLamps, openDemoLamps } from '../../hardware-sim/demo-lamps.ts';
import { FirmwareProcess } from '../../hardware-sim/firmware-process.ts';
import { evenTumbles } from '../../hardware-sim/shaker-physics.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';
import { checkedJournal } from '../soak/journal-check.ts';
import { freePort, type TableFolder, type TableTomlOptions, tableFolder, tableToml } from './table-folder.ts';
import { TableProcess, type TableProcessOptions } from './table-process.ts';

/** A folder, a port and whatever stands around one daemon under test; everything is ended and removed when the running test ends. */
export class ProcessBench {
  readonly places: TableFolder = tableFolder();
  /** Numbers of the orders for which the motor ran. */
  readonly shakes: number[] = [];
  readonly port: number;
  #lamps: DemoLamps | null = null;

  private constructor(port: number) {
    this.port = port;
    onTestFinished(() => this.places.remove());
  }

  static async open(): Promise<ProcessBench> {
    return new ProcessBench(await freePort());
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Writes the `table.toml`. */
  configure(options: Partial<TableTomlOptions> = {}): void {
    const lamps = this.#lamps === null ? {} : { lamps: this.#lamps.config };
    this.places.writeConfig(tableToml({ port: this.port, link: this.places.link, ...lamps, ...options }));
  }

  /** Puts a shaker on the line: real terminal, dice that do as they are told, a tumble every 120 ms. */
  async plugInShaker(): Promise<FirmwareProcess> {
    const firmware = await FirmwareProcess.start({
      link: this.places.link,
      onActivation: (activation) => {
        this.shakes.push(activation.orderNumber);
        return evenTumbles(activation);
      },
    });
    onTestFinished(() => firmware.close());
    return firmware;
  }

  /** Hangs lamps on simulated lines. To be called before `configure`. */
  async hangLamps(): Promise<DemoLamps> {
    const lamps = await openDemoLamps(this.places.folder, () => {});
    this.#lamps = lamps;
    onTestFinished(() => lamps.close());
    return lamps;
  }

  /** Starts the daemon; killed at the end of the test should it still run. */
  start(options: Partial<TableProcessOptions> = {}): TableProcess {
    const spawn = this.#lamps === null ? {} : { spawn: this.#lamps.spawn };
    const table = new TableProcess({ configFile: this.places.configFile, reader: 'sim', ...spawn, ...options });
    onTestFinished(async () => {
      await table.end('SIGKILL');
    });
    return table;
  }

  /** All records of the journal, which is checked whole. @throws Error when anything is wrong with it. */
  records(): readonly JournalRecord[] {
    const { records, problems } = checkedJournal(this.places.journalPath, this.places.anchorFolder);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return records;
  }

  /** Kinds of all records. */
  kinds(): readonly string[] {
    return this.records().map(({ event }) => event.kind);
  }

  /** Does an act as a supervisor. @returns HTTP status and code of a refusal. */
  async act(act: string, body: object): Promise<{ readonly status: number; readonly code: string | null }> {
    const response = await fetch(`${this.address}/api/acts/${act}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: { name: 'Sam', role: 'supervisor' }, ...body }),
    });
    const answer = (await response.json()) as { code?: string };
    return { status: response.status, code: answer.code ?? null };
  }
}
