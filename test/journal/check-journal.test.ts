import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/open-journal.ts';
import { productRoot } from '../../src/product-root.ts';
import { roundEvents } from './journal-events.ts';
import { temporaryFolder } from './temporary-folder.ts';

const hasPython = spawnSync('python3', ['-c', 'import sqlite3']).status === 0;

describe.runIf(hasPython)('a third party with the recipe and no part of this product', () => {
  function playedJournal() {
    const folder = temporaryFolder();
    const places = { journalPath: join(folder, 'table.db'), anchorFolder: join(folder, 'anchor') };
    const journal = openJournal({
      ...places,
      tableId: 'table-ß "1"',
      bootId: 'boot-a',
      isClockSynchronised: () => true,
      at: { wallMs: 1_700_000_000_000, monoMs: 0 },
    });
    const held = {
      kind: 'tableHeld',
      by: { name: 'Zoë \u2028\u0007\u007f 🎲', role: 'dealer' },
      reason: 'tab\t, line\n, quote "',
    } as const;
    journal.append([held], { wallMs: 1_700_000_000_001, monoMs: 123.456789 });
    for (let number = 1; number <= 3; number += 1) {
      journal.append(roundEvents(`r-${number}`, number), { wallMs: 1_700_000_000_000 + number, monoMs: number * 1_000.1 });
    }
    const { hash } = journal.head;
    journal.close();
    return { ...places, hash };
  }

  const check = ({ journalPath, anchorFolder }: ReturnType<typeof playedJournal>) =>
    spawnSync('python3', [join(productRoot, 'src/journal/check-journal.py'), journalPath, join(anchorFolder, 'anchor.json')]);

  it('comes to the same head', () => {
    const played = playedJournal();

    expect(check(played).stdout.toString()).toBe(`35 records, head ${played.hash}\n`);
  });

  it.each([
    ['UPDATE events SET mono_ms = 1 WHERE record_number = 2', 'record 2 was changed'],
    ['DELETE FROM events WHERE record_number = 9', 'record 9 is missing'],
    ['DELETE FROM events WHERE record_number > 33', 'the journal ends at record 33, the anchor names 35'],
  ])('finds %s', (statement, said) => {
    const played = playedJournal();
    const db = new Database(played.journalPath);
    db.exec(`DROP TRIGGER events_never_change; DROP TRIGGER events_never_go; ${statement}`);
    db.close();

    expect(check(played)).toMatchObject({ status: 1, stderr: Buffer.from(`${said}\n`) });
  });
});
