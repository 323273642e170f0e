import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryJournal } from '../../hardware-sim/memory-journal.ts';
import { canonicalJson } from '../../src/journal/canonical-json.ts';
import { checkChain } from '../../src/journal/check-chain.ts';
import { schemaVersion1 } from '../../src/journal/migrations.ts';
import type { JournalRow } from '../../src/journal/record-hash.ts';
import { roundEvents } from './journal-events.ts';

describe('canonical JSON', () => {
  it('sorts keys, leaves white space and undefined out, and writes numbers as ECMAScript does', () => {
    expect(canonicalJson({ b: [1, 0.5, -0, 1e21], a: { ü: 'é\n"', 10: true, 9: null }, gone: undefined })).toBe(
      '{"a":{"10":true,"9":null,"ü":"é\\n\\""},"b":[1,0.5,0,1e+21]}',
    );
  });

  it('gives the same text after it was read back', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => canonicalJson(JSON.parse(canonicalJson(value))) === canonicalJson(value)));
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, new Date(0), new Map()])('refuses %s', (value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
  });
});

describe('the chain', () => {
  const db = new Database(':memory:');

  beforeAll(() => {
    db.exec(schemaVersion1.split('CREATE TRIGGER')[0] ?? '');
    const journal = new MemoryJournal({ bootId: 'boot-a' });
    journal.append([{ kind: 'journalCreated', journalId: '0badcafe', tableId: 'table-1' }], {
      wallMs: 1_700_000_000_000,
      monoMs: 0,
    });
    for (let number = 1; number <= 5; number += 1) {
      journal.append(roundEvents(`r-${number}`, number), { wallMs: 1_700_000_000_000 + number, monoMs: number + 0.25 });
    }
    const insert = db.prepare<JournalRow>(
      'INSERT INTO events VALUES (@record_number, @boot_id, @wall_ms, @mono_ms, @is_clock_synchronised, @kind, @round_id, @body, @prev_hash, @hash)',
    );
    for (const row of journal.rows) insert.run(row);
  });

  afterAll(() => db.close());

  /** What the check says while `change` stands; the change is taken back afterwards. */
  function damageAfter(change: () => void) {
    db.exec('BEGIN');
    try {
      change();
      return checkChain(db).damage;
    } finally {
      db.exec('ROLLBACK');
    }
  }

  it('is sound as it was written', () => {
    expect(checkChain(db)).toMatchObject({ head: { recordNumber: 56 }, damage: null });
  });

  const recordNumber = fc.integer({ min: 1, max: 56 });

  it('shows any change of any text, at the record in which it was made', () => {
    const column = fc.constantFrom('boot_id', 'kind', 'body', 'prev_hash', 'hash', 'round_id');
    fc.assert(
      fc.property(recordNumber, column, fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), (number, name, position, text) => {
        const before =
          db.prepare<[number], string | null>(`SELECT ${name} FROM events WHERE record_number = ?`).pluck().get(number) ?? '';
        const at = position % (before.length + 1);
        const after = before.slice(0, at) + text + before.slice(at + text.length);
        fc.pre(after !== before);
        // A round cannot be opened or ended twice even by hand.
        fc.pre(name !== 'round_id' && name !== 'kind' ? true : !/^r-\d$|^round/.test(after));
        const damage = damageAfter(() => db.prepare(`UPDATE events SET ${name} = ? WHERE record_number = ?`).run(after, number));
        expect(damage).toMatchObject({ recordNumber: number, cause: 'hash-mismatch' });
      }),
      { numRuns: 300 },
    );
  });

  it('shows any change of any number, at the record in which it was made', () => {
    const column = fc.constantFrom('wall_ms', 'mono_ms', 'is_clock_synchronised');
    fc.assert(
      fc.property(recordNumber, column, fc.integer({ min: -1_000_000, max: 1_000_000 }), (number, name, difference) => {
        fc.pre(difference !== 0);
        const damage = damageAfter(() =>
          db.prepare(`UPDATE events SET ${name} = ${name} + ? WHERE record_number = ?`).run(difference, number),
        );
        expect(damage).toMatchObject({ recordNumber: number, cause: 'hash-mismatch' });
      }),
      { numRuns: 200 },
    );
  });

  it('shows any record that was taken out, unless it is the last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 55 }), (number) => {
        const damage = damageAfter(() => db.prepare('DELETE FROM events WHERE record_number = ?').run(number));
        expect(damage).toEqual({ recordNumber: number, cause: 'record-missing', detail: 'it is missing' });
      }),
    );
  });

  it('shows any two records that were swapped, at the first of them', () => {
    fc.assert(
      fc.property(recordNumber, recordNumber, (a, b) => {
        fc.pre(a !== b);
        const damage = damageAfter(() => {
          const move = db.prepare('UPDATE events SET record_number = ? WHERE record_number = ?');
          move.run(1_000, a);
          move.run(a, b);
          move.run(b, 1_000);
        });
        const first = Math.min(a, b);
        expect(damage).toMatchObject({ recordNumber: first, cause: 'swapped' });
        expect(damage?.detail).toContain(`number ${Math.max(a, b)}`);
      }),
    );
  });

  it('shows a record below the first number', () => {
    const damage = damageAfter(() => db.exec("INSERT INTO events VALUES (-3, 'b', 0, 0, 0, 'tableStopped', NULL, '{}', '', '')"));
    expect(damage).toMatchObject({ recordNumber: -3, cause: 'record-contradictory' });
  });
});
