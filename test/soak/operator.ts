import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '../../hardware-sim/seeded-random.ts';
import type { TableView } from '../../src/api/views.ts';
import type { Findings } from './findings.ts';

const supervisor = { name: 'Sam', role: 'supervisor' } as const;
const dealer = { name: 'Dana', role: 'dealer' } as const;

/** A supervisor looks this often, ms, and thinks for at most `thoughtMsMax` before acting. */
const lookMs = 80;
const thoughtMsMax = 400;
/** Resumes that a fault blocks (the shaker is not found yet) are tried this often before the round is voided instead. */
const resumesMax = 40;

/** A supervisor at the table: resumes held rounds and voids them, in turn, through the API; sometimes two pages ask at the same moment, and exactly one
 *  of them may be obeyed. Resolves when the signal aborts. */
export async function operate(address: string, random: SeededRandom, findings: Findings, signal: AbortSignal): Promise<void> {
  let turn = 0;
  let blockedCount = 0;
  const sleep = (ms: number): Promise<unknown> => pause(ms, undefined, { signal }).catch(() => {});
  const post = async (act: 'resume' | 'void', table: TableView): Promise<{ status: number; code: string } | null> => {
    const details = act === 'void' ? { reason: 'soak', second: dealer } : { holdNumber: table.hold?.holdNumber };
    const body = { by: supervisor, roundId: table.round?.roundId ?? null, ...details };
    const response = await fetch(`${address}/api/acts/${act}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    }).catch(() => null);
    if (response === null) return null;
    const answer = (await response.json().catch(() => ({}))) as { code?: string };
    return { status: response.status, code: answer.code ?? '' };
  };
  while (!signal.aborted) {
    await sleep(lookMs);
    const table = await presentTable(address, signal);
    if (table?.phase === 'locked') findings.wrong(`the table is locked: ${table.lock?.cause}`);
    if (table?.phase !== 'held') continue;
    await sleep(random.between(0, thoughtMsMax));
    const act = turn % 2 === 0 && blockedCount < resumesMax ? 'resume' : 'void';
    const roundId = table.round?.roundId ?? null;
    const isDoubled = random.next() < 0.3;
    const answers = (await Promise.all([post(act, table), ...(isDoubled ? [post(act, table)] : [])])).filter(
      (answer) => answer !== null,
    );
    const doneCount = answers.filter(({ status }) => status === 200).length;
    if (doneCount > 1) findings.wrong(`two persons each did "${act}" of the one hold of round ${roundId}`);
    const bad = answers.find(({ status }) => status !== 200 && status !== 409);
    if (bad !== undefined) findings.wrong(`the act ${act} was answered with ${bad.status} ${bad.code}`);
    if (answers.some(({ code }) => code === 'act.blocked-by-fault')) blockedCount += 1;
    if (doneCount !== 1) continue;
    findings.count(act === 'resume' ? 'holds resumed' : 'holds voided');
    if (isDoubled && answers.length === 2) findings.count('acts asked twice, done once');
    turn += 1;
    blockedCount = 0;
  }
}

async function presentTable(address: string, signal: AbortSignal): Promise<TableView | null> {
  const response = await fetch(`${address}/api/table`, { signal }).catch(() => null);
  const answer = (await response?.json().catch(() => null)) as { table: TableView } | null | undefined;
  return answer?.table ?? null;
}
