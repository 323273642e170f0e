import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../../src/journal/open-journal.ts';
import { verifyJournal } from '../../src/journal/verify-journal.ts';
import { roundEvents } from '../journal/journal-events.ts';
import type { BenchRow } from './bench-row.ts';

const roundCount = 200;

/** Times single-event appends, each with its fsync and each round's end with its anchor, and the check at start.
 *  @param parent Folder on the disk that is measured; the temporary folder may be memory, where fsync costs nothing. */
export async function journalBench(parent: string = tmpdir()): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(parent, 'sicbo-journal-bench-'));
  try {
    const places = { journalPath: join(folder, 'table.db'), anchorFolder: join(folder, 'anchor') };
    const journal = openJournal({
      ...places,
      tableId: 'bench',
      bootId: 'boot-a',
      isClockSynchronised: () => true,
      at: { wallMs: 1_700_000_000_000, monoMs: 0 },
    });
    const appendMs: number[] = [];
    for (let number = 1; number <= roundCount; number += 1) {
      for (const event of roundEvents(`bench-${number}`, number, ['0'.repeat(64)])) {
        const startMs = performance.now();
        journal.append([event], { wallMs: 1_700_000_000_000 + number, monoMs: startMs });
        appendMs.push(performance.now() - startMs);
      }
    }
    const recordCount = journal.head.recordNumber;
    journal.close();
    const startMs = performance.now();
    verifyJournal({ ...places, evidence: null, isWithRules: false, pages: 'quick' });
    const checkUs = ((performance.now() - startMs) * 1_000) / recordCount;
    return rows(appendMs, checkUs, recordCount);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rows(appendMs: readonly number[], checkUs: number, recordCount: number): BenchRow[] {
  const sorted = [...appendMs].sort((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  const totalMs = sorted.reduce((sum, ms) => sum + ms, 0);
  const note = `${sorted.length} appends of one event, WAL, synchronous=FULL, an anchor each round`;
  return [
    { name: 'journal: appends with fsync', value: (sorted.length * 1_000) / totalMs, unit: '1/s', target: '', note },
    { name: 'journal: append, median', value: share(0.5), unit: 'ms', target: '0.27 idle, 2.6 busy (bare insert)', note },
    { name: 'journal: append, p99', value: share(0.99), unit: 'ms', target: '0.6 idle, 19 busy (bare insert)', note },
    {
      name: 'journal: check at start',
      value: checkUs,
      unit: 'us/record',
      target: '',
      note: `${recordCount} records, every hash`,
    },
  ];
}
