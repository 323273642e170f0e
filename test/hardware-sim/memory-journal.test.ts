import { expect, it } from 'vitest';
import { MemoryJournal } from '../../hardware-sim/memory-journal.ts';
import { describeJournal } from '../contracts/journal-contract.ts';
import { opening, settling } from '../journal/journal-events.ts';

describeJournal('MemoryJournal', () => new MemoryJournal({ bootId: 'boot-a' }));

it('fails like a full disk while it is made unwritable, and takes the next record afterwards', () => {
  const journal = new MemoryJournal({ bootId: 'boot-a' });
  journal.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 });

  journal.isUnwritable = true;
  expect(() => journal.append([settling('r-1')], { wallMs: 2, monoMs: 2 })).toThrow(
    expect.objectContaining({ code: 'journal.unwritable' }),
  );
  journal.isUnwritable = false;

  expect(journal.append([settling('r-1')], { wallMs: 3, monoMs: 3 })[0]?.recordNumber).toBe(2);
});

it('goes on with the rows of an earlier run', () => {
  const before = new MemoryJournal({ bootId: 'boot-a' });
  before.append([opening('r-1', 1)], { wallMs: 1, monoMs: 1 });

  const after = new MemoryJournal({ bootId: 'boot-b', rows: before.rows });

  expect(after.head).toEqual(before.head);
  expect(() => after.append([opening('r-1', 2)], { wallMs: 2, monoMs: 2 })).toThrow(
    expect.objectContaining({ code: 'journal.refused' }),
  );
  expect(after.append([settling('r-1')], { wallMs: 2, monoMs: 2 })[0]?.bootId).toBe('boot-b');
});
