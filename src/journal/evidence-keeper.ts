import type { Clock } from '../ports/clock.ts';
import type { EvidenceStore, JournalRecord } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import { EvidenceFiles } from './evidence-files.ts';
import { ProtectedEvidence } from './protected-evidence.ts';

/** Time between two looks at the size of the evidence, ms. */
const pruneMs = 600_000;

/** Evidence files within their quota: removes the oldest pictures now and then, never those that a dispute may still need. */
export class EvidenceKeeper implements EvidenceStore {
  readonly #files: EvidenceFiles;
  readonly #protected = new ProtectedEvidence();
  readonly #log: Log;
  #cancel: () => void = () => {};

  /** @param quotaMb see `EvidenceFiles`. */
  constructor(folder: string, quotaMb: number, log: Log) {
    this.#files = new EvidenceFiles(folder, quotaMb);
    this.#log = log;
  }

  keep(jpeg: Buffer): string {
    return this.#files.keep(jpeg);
  }

  read(sha256: string): Buffer | null {
    return this.#files.read(sha256);
  }

  /** Follows the journal, record by record. */
  take(record: JournalRecord): void {
    this.#protected.take(record);
  }

  start(clock: Clock): void {
    this.#cancel = clock.after(pruneMs, () => {
      this.#files.prune(this.#protected.sha256s(), clock.now().wallMs).then(
        ({ removedCount }) => {
          if (removedCount > 0) this.#log.info({ removedCount }, 'old evidence removed');
        },
        (error: unknown) => this.#log.warn({ detail: String(error) }, 'old evidence cannot be removed'),
      );
      this.start(clock);
    });
  }

  stop(): void {
    this.#cancel();
  }
}
