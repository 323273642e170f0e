import { StorageError } from '../errors.ts';
import type { EvidenceStore, JournalRecord } from '../ports/journal.ts';
import type { JournalDamage } from './journal-damage.ts';
import { evidenceOf, ProtectedEvidence } from './protected-evidence.ts';

export interface EvidenceSummary {
  /** Pictures that are there and have the hash that the journal names. */
  readonly soundCount: number;
  /** Pictures that are gone from rounds old enough to have been pruned. */
  readonly prunedCount: number;
}

/** Findings that are listed; further ones are only more of the same. */
const damageCountMax = 20;

/** Compares the pictures that the journal names with the store. A missing one is damage while its round is protected from pruning. */
export class EvidenceCheck {
  readonly #store: EvidenceStore;
  readonly #protected = new ProtectedEvidence();
  readonly #damaged: JournalDamage[] = [];
  /** Per round with missing pictures: the first record that names one. */
  readonly #missing = new Map<string, { readonly recordNumber: number; readonly sha256: string; count: number }>();
  readonly #seen = new Set<string>();
  #soundCount = 0;

  constructor(store: EvidenceStore) {
    this.#store = store;
  }

  take(record: JournalRecord): void {
    const { event, recordNumber } = record;
    this.#protected.take(record);
    if (!('roundId' in event) || event.roundId === null) return;
    // A result names the pictures of its reading again; pictures are shared within a round only.
    if (event.kind === 'roundOpened') this.#seen.clear();
    for (const sha256 of evidenceOf(event)) {
      if (this.#seen.has(sha256)) continue;
      this.#seen.add(sha256);
      const state = this.#stateOf(sha256);
      if (state === 'sound') this.#soundCount += 1;
      else if (state === 'missing') this.#noteMissing(event.roundId, recordNumber, sha256);
      else if (this.#damaged.length < damageCountMax) {
        this.#damaged.push({ recordNumber, cause: 'evidence-damaged', detail: state.detail });
      }
    }
  }

  damages(): readonly JournalDamage[] {
    const missing = [...this.#missing]
      .filter(([roundId]) => this.#protected.isProtected(roundId))
      .map(([roundId, { recordNumber, sha256, count }]): JournalDamage => {
        const detail = `${count} pictures of round ${roundId} are missing, the first is ${sha256}`;
        return { recordNumber, cause: 'evidence-missing', detail };
      });
    return [...this.#damaged, ...missing].sort((a, b) => (a.recordNumber ?? 0) - (b.recordNumber ?? 0)).slice(0, damageCountMax);
  }

  summary(): EvidenceSummary {
    let prunedCount = 0;
    for (const [roundId, { count }] of this.#missing) if (!this.#protected.isProtected(roundId)) prunedCount += count;
    return { soundCount: this.#soundCount, prunedCount };
  }

  #stateOf(sha256: string): 'sound' | 'missing' | { readonly detail: string } {
    try {
      return this.#store.read(sha256) === null ? 'missing' : 'sound';
    } catch (error) {
      if (error instanceof StorageError) return { detail: error.message };
      throw error;
    }
  }

  #noteMissing(roundId: string, recordNumber: number, sha256: string): void {
    const noted = this.#missing.get(roundId);
    if (noted === undefined) this.#missing.set(roundId, { recordNumber, sha256, count: 1 });
    else noted.count += 1;
  }
}
