import type { JournalHead } from '../ports/journal.ts';
import type { Anchor } from './anchor.ts';
import type { JournalDamage } from './journal-damage.ts';
import type { JournalRow } from './record-hash.ts';

/** Compares the anchor with the record that it names. */
export class AnchorCheck {
  readonly #anchor: Anchor | null;
  readonly #isWanted: boolean;
  #journalId: string | null = null;
  #anchoredHash: string | null = null;
  #endCount = 0;

  /** @param isWanted False when nobody knows where the anchor is; then nothing is missed. */
  constructor(anchor: Anchor | null, isWanted: boolean) {
    this.#anchor = anchor;
    this.#isWanted = isWanted;
  }

  /** Takes the next sound record. */
  take(row: JournalRow): void {
    if (row.record_number === 1) this.#journalId = (JSON.parse(row.body) as { readonly journalId?: string }).journalId ?? null;
    if (row.record_number === this.#anchor?.recordNumber) this.#anchoredHash = row.hash;
    if (row.kind === 'roundSettled' || row.kind === 'roundVoided') this.#endCount += 1;
  }

  /** What the anchor contradicts, given where the sound records end.
   *  @param isChainBroken The walk ended early: records may well exist after `head`. */
  damages(head: JournalHead, isChainBroken: boolean): readonly JournalDamage[] {
    const anchor = this.#anchor;
    if (anchor === null) {
      if (!this.#isWanted || this.#endCount === 0) return [];
      // The anchor is written with the end of each round, so it can only have been taken away.
      const detail = `${this.#endCount} rounds have ended, and no anchor vouches for them`;
      return [{ recordNumber: null, cause: 'anchor-missing', detail }];
    }
    if (head.recordNumber > 0 && anchor.journalId !== this.#journalId) {
      const detail = `the anchor belongs to journal ${anchor.journalId}, this is journal ${this.#journalId}`;
      return [{ recordNumber: 1, cause: 'anchor-mismatch', detail }];
    }
    if (this.#anchoredHash !== null && this.#anchoredHash !== anchor.hash) {
      const detail = `the anchor vouches for hash ${anchor.hash}, the record has ${this.#anchoredHash}: it or one before it was rewritten`;
      return [{ recordNumber: anchor.recordNumber, cause: 'anchor-mismatch', detail }];
    }
    if (this.#anchoredHash !== null || isChainBroken) return [];
    const detail = `the journal ends at record ${head.recordNumber}, the anchor vouches for record ${anchor.recordNumber}`;
    return [{ recordNumber: head.recordNumber + 1, cause: 'cut-below-anchor', detail }];
  }
}
