import { setTimeout as pause } from 'node:timers/promises';
import { allZones } from '../../src/core/rules/zones.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';
import type { Findings } from './findings.ts';
import { newestRecords } from './journal-peek.ts';

export interface LampCheckOptions {
  readonly journalPath: string;
  /** Outputs of the chain that shine now; null where nobody can see them. */
  readonly lit: () => Promise<readonly number[] | null>;
  /** Counts the starts and ends of the table; odd while one is ready. */
  readonly runNumber: () => number;
  readonly findings: Findings;
}

const sampleMs = 120;
/** The lamps may be this far behind the journal, ms: a write of the whole chain on a busy machine. */
const lagMsMax = 800;
const againMs = 20;

/** Looks at the lamps now and then: they show the result of the journal, and nothing else. Resolves when the signal aborts. */
export async function watchLamps(options: LampCheckOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(sampleMs, undefined, { signal }).catch(() => {});
    await sample(options, signal).catch((error: unknown) => {
      if (!signal.aborted) options.findings.wrong(`the lamps cannot be looked at: ${String(error)}`);
    });
  }
}

/** One look: agrees, or the journal or the table moves on meanwhile (no look at all), or the lamps stay wrong. */
async function sample({ journalPath, lit, runNumber, findings }: LampCheckOptions, signal: AbortSignal): Promise<void> {
  const run = runNumber();
  const before = newestRecords(journalPath);
  const endMs = performance.now() + lagMsMax;
  for (;;) {
    const shining = await lit();
    if (shining === null || signal.aborted) return;
    const after = newestRecords(journalPath);
    checkShown(shining, after, findings);
    if (run % 2 === 0 || runNumber() !== run || after.at(-1)?.recordNumber !== before.at(-1)?.recordNumber) return;
    const wanted = litOutputs(before);
    if (String(shining) === String(wanted)) {
      findings.count(wanted.length > 0 ? 'lamp looks, lit' : 'lamp looks, dark');
      return;
    }
    if (performance.now() > endMs) {
      findings.wrong(`record ${after.at(-1)?.recordNumber}: outputs ${shining} shine; by the journal it should be ${wanted}`);
      return;
    }
    await pause(againMs, undefined, { signal });
  }
}

/** Whatever shines, also while no table runs, is the whole result of a round that the journal has by then. */
function checkShown(shining: readonly number[], records: readonly JournalRecord[], findings: Findings): void {
  if (shining.length === 0) return;
  const results = records.flatMap(({ event }) =>
    event.kind === 'resultDeclared' ? [String(outputsOf(event.winningZones))] : [],
  );
  if (!results.includes(String(shining))) findings.wrong(`outputs ${shining} shine, which are no result of the newest records`);
}

/** Outputs that should shine by these records: the winners of the newest round, from its result on, unless it was voided; none once the table stopped. */
export function litOutputs(records: readonly JournalRecord[]): readonly number[] {
  let lit: readonly number[] = [];
  if (records.at(-1)?.event.kind === 'tableStopped') return lit;
  for (const { event } of records) {
    if (event.kind === 'roundOpened' || event.kind === 'roundVoided') lit = [];
    if (event.kind === 'resultDeclared') lit = outputsOf(event.winningZones);
  }
  return lit;
}

/** A zone's output is its place in the list of all zones. */
function outputsOf(zones: readonly string[]): readonly number[] {
  return zones.map((zone) => allZones.findIndex(({ id }) => id === zone)).sort((one, other) => one - other);
}
