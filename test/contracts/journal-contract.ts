import { describe, expect, it } from 'vitest';
import type { TableEvent } from '../../src/core/round/events.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { opening, roundEvents, settling, voiding } from '../journal/journal-events.ts';

/** What both journals guarantee.
 *  @param openEmpty Opens a journal without any record, with boot id `boot-a` and a clock that says it is synchronised. */
export function describeJournal(name: string, openEmpty: () => Journal): void {
  describe(`${name} as a journal`, () => {
    it('has a head of zeros while nothing was written', () => {
      const journal = openEmpty();

      expect(journal.head).toEqual({ recordNumber: 0, hash: '0'.repeat(64) });
      expect(journal.read(0, 10)).toEqual([]);
      journal.close();
    });

    it('numbers records from 1 without gaps, over several appends', () => {
      const journal = openEmpty();

      journal.append([opening('r-1', 1)], { wallMs: 1_000, monoMs: 1 });
      journal.append([settling('r-1'), opening('r-2', 2)], { wallMs: 2_000, monoMs: 2.5 });

      expect(journal.read(0, 10).map((record) => record.recordNumber)).toEqual([1, 2, 3]);
      expect(journal.head.recordNumber).toBe(3);
      journal.close();
    });

    it('gives back what it was given, with boot, time and state of the clock', () => {
      const journal = openEmpty();

      const [written] = journal.append([opening('r-1', 1)], { wallMs: 1_700_000_000_123, monoMs: 12.75 });

      expect(written).toEqual({
        recordNumber: 1,
        bootId: 'boot-a',
        at: { wallMs: 1_700_000_000_123, monoMs: 12.75 },
        isClockSynchronised: true,
        event: opening('r-1', 1),
        hash: journal.head.hash,
      });
      expect(journal.read(0, 1)).toEqual([written]);
      journal.close();
    });

    it('seals the same events with the same hash on every medium', () => {
      const journal = openEmpty();

      journal.append([{ kind: 'journalCreated', journalId: '0badcafe', tableId: 'table-ß' }], {
        wallMs: 1_700_000_000_000,
        monoMs: 0.5,
      });

      // Computed apart, with Python's hashlib, from the recipe in src/journal/README.md.
      expect(journal.head.hash).toBe('e86d4f07f1456cd6ce9909a5913b26eb3e7591be26722d26f36dbe9c9c5d1efd');
      journal.close();
    });

    it('reads on from a record number in pages', () => {
      const journal = openEmpty();
      journal.append(roundEvents('r-1', 1), { wallMs: 1, monoMs: 1 });

      expect(journal.read(1, 2).map((record) => record.recordNumber)).toEqual([2, 3]);
      expect(journal.read(journal.head.recordNumber, 5)).toEqual([]);
      journal.close();
    });

    it('gives all records of one round, oldest first, and none for a round that never was', () => {
      const journal = openEmpty();
      journal.append([opening('r-1', 1), settling('r-1'), opening('r-2', 2)], { wallMs: 1, monoMs: 1 });

      expect(journal.roundRecords('r-1').map((record) => record.event.kind)).toEqual(['roundOpened', 'roundSettled']);
      expect(journal.roundRecords('r-9')).toEqual([]);
      journal.close();
    });

    it('lists ended rounds newest first, pages back, and can leave voided ones out', () => {
      const journal = openEmpty();
      const events: TableEvent[] = [opening('r-1', 1), settling('r-1'), opening('r-2', 2), voiding('r-2')];
      journal.append([...events, opening('r-3', 3), settling('r-3'), opening('r-4', 4)], { wallMs: 1, monoMs: 1 });

      expect(journal.endedRounds(10)).toEqual(['r-3', 'r-2', 'r-1']);
      expect(journal.endedRounds(2)).toEqual(['r-3', 'r-2']);
      expect(journal.endedRounds(10, { beforeRecordNumber: 6 })).toEqual(['r-2', 'r-1']);
      expect(journal.endedRounds(10, { isSettledOnly: true })).toEqual(['r-3', 'r-1']);
      expect(journal.endedRounds(1, { isSettledOnly: true, beforeRecordNumber: 6 })).toEqual(['r-1']);
      journal.close();
    });

    it('never takes a second end of a round, nor a second opening under one id', () => {
      const journal = openEmpty();
      journal.append([opening('r-1', 1), settling('r-1')], { wallMs: 1, monoMs: 1 });
      const head = journal.head;

      for (const second of [voiding('r-1'), settling('r-1'), opening('r-1', 2)]) {
        expect(() => journal.append([opening('r-2', 2), second], { wallMs: 2, monoMs: 2 })).toThrow(
          expect.objectContaining({ code: 'journal.refused' }),
        );
      }
      expect(journal.head).toEqual(head);
      expect(journal.read(0, 10)).toHaveLength(2);
      journal.close();
    });

    it('writes all events of an append or none', () => {
      const journal = openEmpty();

      expect(() => journal.append([opening('r-1', 1), opening('r-1', 1)], { wallMs: 1, monoMs: 1 })).toThrow(
        expect.objectContaining({ code: 'journal.refused' }),
      );
      expect(journal.read(0, 10)).toEqual([]);
      expect(journal.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 })[0]?.recordNumber).toBe(1);
      journal.close();
    });

    it('keeps the order of writing when the wall clock goes back', () => {
      const journal = openEmpty();
      journal.append([opening('r-1', 1)], { wallMs: 1_700_000_000_000, monoMs: 10 });
      journal.append([settling('r-1')], { wallMs: 1_699_000_000_000, monoMs: 20 });

      expect(journal.read(0, 10).map((record) => record.event.kind)).toEqual(['roundOpened', 'roundSettled']);
      journal.close();
    });

    it('writes nothing for an append without events', () => {
      const journal = openEmpty();

      expect(journal.append([], { wallMs: 1, monoMs: 1 })).toEqual([]);
      expect(journal.head.recordNumber).toBe(0);
      journal.close();
    });

    it('takes nothing after it was closed, and can be closed twice', () => {
      const journal = openEmpty();
      journal.close();
      journal.close();

      expect(() => journal.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 })).toThrow(
        expect.objectContaining({ code: 'journal.unwritable' }),
      );
    });
  });
}
