import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { SqliteJournal, walBytesAfterRestart } from '../../src/journal/sqlite-journal.ts';
import { roundEvents } from './journal-events.ts';
import { temporaryFolder } from './temporary-folder.ts';

it('lets the WAL grow no further once a reader that held it for long is gone', () => {
  const path = join(temporaryFolder(), 'table.db');
  const journal = new SqliteJournal({ path, bootId: 'boot-a', isClockSynchronised: () => true, anchor: null });
  let round = 0;
  const play = (roundCount: number) => {
    for (const last = round + roundCount; round < last; round += 1) {
      journal.append(roundEvents(`r-${round}`, round), { wallMs: round, monoMs: round });
    }
  };
  play(1);
  const reader = new Database(path, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM events').get();
  play(300);
  const heldBytes = statSync(`${path}-wal`).size;
  expect(heldBytes).toBeGreaterThan(1.2 * walBytesAfterRestart);
  expect(journal.walByteCount).toBe(heldBytes);

  reader.exec('COMMIT');
  play(20);

  expect(statSync(`${path}-wal`).size).toBeLessThanOrEqual(walBytesAfterRestart);
  expect(journal.head.recordNumber).toBe(321 * 11);
  reader.close();
  journal.close();
});
