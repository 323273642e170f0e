/** What can be wrong with a journal, its anchor or its evidence. */
export type DamageCause =
  /** The file is missing or empty although an anchor or a WAL says that there was a journal. */
  | 'file-missing'
  | 'file-empty'
  /** SQLite cannot read the record, or the file at all. */
  | 'unreadable'
  /** SQLite's own check of the file found something, although every record could be read. */
  | 'page-damaged'
  | 'record-missing'
  /** The record does not have the hash that it carries: something in it was changed. */
  | 'hash-mismatch'
  /** Another record stands in its place. */
  | 'swapped'
  /** The record is consistent in itself but is not the one upon which the next was written. */
  | 'replaced'
  /** Columns and body of a record, or its place in the journal, contradict each other. */
  | 'record-contradictory'
  | 'cut-below-anchor'
  | 'anchor-mismatch'
  | 'anchor-missing'
  /** The anchor is not one that this table signed. */
  | 'anchor-damaged'
  /** A rule about rounds is broken by the records, for example two ends of one round. */
  | 'rule-broken'
  | 'evidence-missing'
  | 'evidence-damaged';

/** One finding. `recordNumber` is the first record that is wrong or missing; null where the damage belongs to no record. */
export interface JournalDamage {
  readonly recordNumber: number | null;
  readonly cause: DamageCause;
  /** For a person: what was found and what was expected. */
  readonly detail: string;
}

/** One line for a person. */
export function damageLine(damage: JournalDamage): string {
  return damage.recordNumber === null
    ? `${damage.cause}: ${damage.detail}`
    : `record ${damage.recordNumber}: ${damage.cause}: ${damage.detail}`;
}
