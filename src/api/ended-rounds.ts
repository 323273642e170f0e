import type { Journal } from '../ports/journal.ts';
import { historyRow } from './history-view.ts';
import type { HistoryRow } from './views.ts';

/** Rows kept: five of the largest pages, about 1 MB. */
const rowsKeptMax = 1_000;

/** Rows of ended rounds. Nothing changes the row of a round that has ended, so each is made from its records once and kept, the oldest going first: 200
 *  rounds are 20 to 40 ms of the table's own time from the journal, and next to nothing from here. */
export class EndedRounds {
  readonly #journal: Pick<Journal, 'endedRounds' | 'roundRecords'>;
  readonly #keptMax: number;
  readonly #kept = new Map<string, HistoryRow>();

  constructor(journal: Pick<Journal, 'endedRounds' | 'roundRecords'>, keptMax: number = rowsKeptMax) {
    this.#journal = journal;
    this.#keptMax = keptMax;
  }

  /** Newest first. @param options `beforeRecordNumber` pages back: only rounds whose terminal record is older. */
  rows(
    limit: number,
    options: { readonly isSettledOnly?: boolean; readonly beforeRecordNumber?: number } = {},
  ): readonly HistoryRow[] {
    return this.#journal
      .endedRounds(limit, options)
      .map((roundId) => this.#row(roundId))
      .filter((row) => row !== null);
  }

  #row(roundId: string): HistoryRow | null {
    const row = this.#kept.get(roundId) ?? historyRow(this.#journal.roundRecords(roundId));
    if (row === null) return null;
    // Deleted first, so that the order of the map is that of the last use.
    this.#kept.delete(roundId);
    this.#kept.set(roundId, row);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#keptMax && oldest !== undefined) this.#kept.delete(oldest);
    return row;
  }
}
