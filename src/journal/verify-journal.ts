import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StorageError } from '../errors.ts';
import type { EvidenceStore, JournalHead, JournalRecord } from '../ports/journal.ts';
import { type Anchor, readAnchor } from './anchor.ts';
import { checkChain } from './check-chain.ts';
import type { JournalDamage } from './journal-damage.ts';
import { checkedSchemaVersion } from './migrations.ts';
import { openReadOnly, type ReadOnlyDatabase } from './read-only-database.ts';
import { emptyHead, terminalKinds } from './record-hash.ts';
import { AnchorCheck } from './verify-anchor.ts';
import { EvidenceCheck, type EvidenceSummary } from './verify-evidence.ts';
import { RuleCheck } from './verify-rules.ts';

export interface VerifyOptions {
  readonly journalPath: string;
  /** Folder of the anchor; null for a copy of a journal that has none at hand, which leaves a cut end unnoticed. */
  readonly anchorFolder: string | null;
  /** Checks the pictures too; null leaves them out. */
  readonly evidence: EvidenceStore | null;
  /** Checks the rules about rounds too: what may follow what, and that each round ends once. A start leaves it out: it is no matter of storage. */
  readonly isWithRules: boolean;
  /** `full` also compares every index with the table; `quick` is what a start can afford. */
  readonly pages: 'quick' | 'full';
  /** Called for every sound record, in order. */
  readonly onRecord?: (record: JournalRecord) => void;
}

export interface JournalReport {
  readonly journalPath: string;
  /** Null when there is no sound first record. */
  readonly journalId: string | null;
  readonly tableId: string | null;
  /** Sound records from the first on; the head after the last of them. */
  readonly head: JournalHead;
  readonly roundCount: number;
  readonly endedRoundCount: number;
  readonly anchor: Anchor | null;
  readonly evidence: EvidenceSummary | null;
  /** Empty when all is well. The first record that is wrong or missing comes first. */
  readonly damages: readonly JournalDamage[];
}

/** Checks a journal without writing to it: SQLite's own check, every hash and its place, the anchor, the rules about rounds and the pictures. A
 *  journal that does not exist yet (no file, no anchor) is sound and empty. Can run beside the table.
 *  @throws StorageError `journal.not-a-journal`, `journal.newer-version`, `journal.unwritable` (cannot be opened). */
export function verifyJournal(options: VerifyOptions): JournalReport {
  // Before the journal: a table that runs meanwhile only moves the head further from this anchor.
  const { anchor, isWanted, damages } = anchorOf(options.anchorFolder);
  const progress = new Progress(options);
  damages.push(...fileDamages(options.journalPath, anchor));
  let head = emptyHead;
  if (byteCount(options.journalPath) > 0) {
    const opened = openChecked(options.journalPath);
    if ('damage' in opened) damages.push(opened.damage);
    else {
      try {
        const anchorCheck = new AnchorCheck(anchor, isWanted);
        let isChainBroken = false;
        if (checkedSchemaVersion(opened.db) > 0) {
          const chain = checkChain(opened.db, (record, row) => {
            anchorCheck.take(row);
            progress.take(record);
          });
          head = chain.head;
          isChainBroken = chain.damage !== null;
          if (chain.damage !== null) damages.unshift(chain.damage);
        }
        damages.push(...anchorCheck.damages(head, isChainBroken), ...progress.damages());
        damages.push(...pageDamages(opened.db, options.pages));
      } finally {
        opened.close();
      }
    }
  }
  return { journalPath: options.journalPath, head, anchor, ...progress.summary(), damages };
}

/** The anchor with its signature checked. A damaged one is a finding like any other and leaves nothing to compare with. */
function anchorOf(folder: string | null): {
  readonly anchor: Anchor | null;
  readonly isWanted: boolean;
  readonly damages: JournalDamage[];
} {
  if (folder === null) return { anchor: null, isWanted: false, damages: [] };
  try {
    return { anchor: readAnchor(folder), isWanted: true, damages: [] };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return { anchor: null, isWanted: false, damages: [{ recordNumber: null, cause: 'anchor-damaged', detail: error.message }] };
  }
}

/** Size of the file, 0 when there is none. */
function byteCount(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** A file that vanished or was emptied, told from one that was never there. */
function fileDamages(path: string, anchor: Anchor | null): JournalDamage[] {
  if (byteCount(path) > 0) return [];
  const cause = statSync(path, { throwIfNoEntry: false }) === undefined ? 'file-missing' : 'file-empty';
  const said = cause === 'file-missing' ? `${path} does not exist` : `${path} is empty`;
  if (anchor !== null)
    return [{ recordNumber: 1, cause, detail: `${said}, the anchor vouches for records 1 to ${anchor.recordNumber}` }];
  // SQLite writes the database's first page before there is a WAL, so a WAL alone means that the database was taken away.
  if (byteCount(`${path}-wal`) > 0) return [{ recordNumber: 1, cause, detail: `${said}, but its WAL has content` }];
  return [];
}

function openChecked(path: string): ReadOnlyDatabase | { readonly damage: JournalDamage } {
  try {
    return openReadOnly(path);
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    if (code === 'SQLITE_NOTADB' || (typeof code === 'string' && code.startsWith('SQLITE_CORRUPT'))) {
      return { damage: { recordNumber: 1, cause: 'unreadable', detail: `SQLite cannot read the file: ${String(error)}` } };
    }
    throw new StorageError('journal.unwritable', `${path} cannot be opened: ${String(error)}`, { cause: error });
  }
}

function pageDamages(db: Database, pages: 'quick' | 'full'): readonly JournalDamage[] {
  const asDamage = (detail: string): JournalDamage => ({ recordNumber: null, cause: 'page-damaged', detail });
  try {
    const lines = db
      .prepare<[], string>(`PRAGMA ${pages === 'full' ? 'integrity_check' : 'quick_check'}(5)`)
      .pluck()
      .all();
    return lines.filter((line) => line !== 'ok').map(asDamage);
  } catch (error) {
    return [asDamage(String(error))];
  }
}

/** What is counted and checked along the way. */
class Progress {
  readonly #options: VerifyOptions;
  readonly #rules: RuleCheck | null;
  readonly #evidence: EvidenceCheck | null;
  #journalId: string | null = null;
  #tableId: string | null = null;
  #roundCount = 0;
  #endedRoundCount = 0;

  constructor(options: VerifyOptions) {
    this.#options = options;
    this.#rules = options.isWithRules ? new RuleCheck() : null;
    this.#evidence = options.evidence === null ? null : new EvidenceCheck(options.evidence);
  }

  take(record: JournalRecord): void {
    const { event } = record;
    if (event.kind === 'journalCreated') {
      this.#journalId = event.journalId;
      this.#tableId = event.tableId;
    }
    if (event.kind === 'roundOpened') this.#roundCount += 1;
    if (terminalKinds.has(event.kind)) this.#endedRoundCount += 1;
    this.#rules?.take(record);
    this.#evidence?.take(record);
    this.#options.onRecord?.(record);
  }

  damages(): readonly JournalDamage[] {
    return [...(this.#rules?.damages() ?? []), ...(this.#evidence?.damages() ?? [])];
  }

  summary(): Pick<JournalReport, 'journalId' | 'tableId' | 'roundCount' | 'endedRoundCount' | 'evidence'> {
    return {
      journalId: this.#journalId,
      tableId: this.#tableId,
      roundCount: this.#roundCount,
      endedRoundCount: this.#endedRoundCount,
      evidence: this.#evidence?.summary() ?? null,
    };
  }
}
