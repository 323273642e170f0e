import { existsSync } from 'node:fs';
import { openReadOnly } from '../../src/journal/read-only-database.ts';
import { type JournalRow, recordOf } from '../../src/journal/record-hash.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';

/** Records looked at; a round has about 15. */
const newestCount = 200;

/** The newest records of a journal, oldest first, read beside the running table; empty while there is no journal yet. */
export function newestRecords(journalPath: string): readonly JournalRecord[] {
  if (!existsSync(journalPath)) return [];
  try {
    const { db, close } = openReadOnly(journalPath);
    try {
      const rows = db.prepare<[number], JournalRow>('SELECT * FROM events ORDER BY record_number DESC LIMIT ?').all(newestCount);
      return rows.map(recordOf).reverse();
    } finally {
      close();
    }
  } catch (error) {
    // The table has just begun to make the file.
    if (String(error).includes('no such table')) return [];
    throw error;
  }
}
