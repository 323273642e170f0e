import { existsSync, writeSync } from 'node:fs';
import { openJournal } from '../../src/journal/open-journal.ts';
import { roundEvents } from './journal-events.ts';

/** Program: appends rounds, one event an append, and prints one line after each step, as the table publishes only what is on the disk.
 *  Arguments: journal file, anchor folder, mode.
 *  - `until-killed`: goes on for ever.
 *  - `until-full`: goes on until an append fails, prints the failure, waits for the file `<journal>.go-on`, and appends one more event. */
export type AppendingMode = 'until-killed' | 'until-full';

const [journalPath, anchorFolder, mode] = process.argv.slice(2);
if (journalPath === undefined || anchorFolder === undefined) throw new Error('journal file and anchor folder are missing');
// A write beyond RLIMIT_FSIZE then fails with EFBIG; by default the kernel would end the process.
process.on('SIGXFSZ', () => {});

const journal = openJournal({
  journalPath,
  anchorFolder,
  tableId: 'table-1',
  bootId: 'boot-a',
  isClockSynchronised: () => true,
  at: { wallMs: 1_700_000_000_000, monoMs: 0 },
});

/** Not `console.log`: the line must be out before the next append begins. */
function print(line: string): void {
  writeSync(1, `${line}\n`);
}

function appendRounds(): void {
  // A killed run leaves its round open; the next begins one under an id that was never used.
  for (let round = journal.head.recordNumber; ; round += 1) {
    for (const event of roundEvents(`r-${round}`, round)) {
      const [record] = journal.append([event], { wallMs: 1_700_000_000_000 + round, monoMs: round });
      print(`record ${record?.recordNumber} ${record?.hash}`);
    }
  }
}

if (mode === 'until-killed') appendRounds();
try {
  appendRounds();
} catch (error) {
  print(`failed ${(error as { readonly code?: string }).code} head ${journal.head.recordNumber}`);
}
const waiting = setInterval(() => {
  if (!existsSync(`${journalPath}.go-on`)) return;
  clearInterval(waiting);
  const event = { kind: 'faultCleared', fault: 'journal.unwritable' } as const;
  const [record] = journal.append([event], { wallMs: 1_700_000_100_000, monoMs: 100_000 });
  print(`record ${record?.recordNumber} ${record?.hash}`);
  journal.close();
}, 20);
