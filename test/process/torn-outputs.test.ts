import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DemoLamps } from '../../hardware-sim/demo-lamps.ts';
import type { HistoryRow, RoundView, TableView } from '../../src/api/views.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';
import { DisplayPage, type ShownRound } from '../simulation/display-page.ts';
import { litOutputs } from '../soak/lamp-check.ts';
import type { DyingMoment } from './dying-devices.ts';
import { ProcessBench } from './process-bench.ts';
import { eventsOf, listener, untilTable } from './table-clients.ts';

/** After the restart the last round can be looked at for this long before the next one opens. */
const play = { reviewMs: 1_000, nextRoundMs: 15_000 };
const waiting = { timeout: 20_000, interval: 20 };
/** First round of a busy machine, ms. */
const resultMsMax = 60_000;

describe('a table that is killed between the outputs of a result (OPS-03)', { timeout: 120_000 }, () => {
  let display: DisplayPage;
  beforeAll(async () => {
    display = await DisplayPage.open();
  });
  afterAll(() => display?.close());

  it.each<[string, DyingMoment, boolean]>([
    ['with the result on disk and no lamp lit', 'before-lamps', false],
    ['with the lamps lit and no listener told', 'after-lamps', false],
    ['with listeners told and nobody having asked', 'never', true],
  ])('shows that very result everywhere once it is back: killed %s', async (_moment, dies, isHeard) => {
    const bench = await ProcessBench.open();
    const lamps = await bench.hangLamps();
    await bench.plugInShaker();
    bench.configure();
    const first = bench.start({ dies });
    const client = await listener(await first.ready);
    if (dies === 'never') {
      await vi.waitUntil(() => eventsOf(client, 'resultDeclared').length > 0, { timeout: resultMsMax, interval: 1 });
      first.child.kill('SIGKILL');
    }
    expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' });

    const declared = theResult(bench);
    expect(eventsOf(client, 'resultDeclared').length).toBe(isHeard ? 1 : 0);
    const litAfterKill = await lamps.lit();
    if (litAfterKill !== null) expect(litAfterKill).toEqual(dies === 'before-lamps' ? [] : litOutputs(bench.records()));
    bench.configure({ play });
    const second = bench.start({ seed: 2 });
    await display.show(await second.ready);
    await untilTable(bench.address, ({ round }) => round?.result !== null && round?.result !== undefined);
    await agree(bench, lamps, declared.recordNumber);
    await untilTable(bench.address, ({ round }) => round?.end === 'settled');
    await agree(bench, lamps, declared.recordNumber);
    const history = await get<{ rounds: HistoryRow[] }>(bench, '/api/history');
    const { roundId, dice, total, winningZones } = declared.event;
    expect(history.rounds).toMatchObject([{ roundId, dice, total, winningZones, end: 'settled' }]);
    await shows({ roundId, phase: 'closed', dice, total, lit: [...winningZones].sort() });
    expect(bench.kinds().filter((kind) => kind === 'resultDeclared' || kind === 'roundSettled')).toHaveLength(2);
  });

  it('shows no result anywhere when it was killed while the dice were read', async () => {
    const bench = await ProcessBench.open();
    const lamps = await bench.hangLamps();
    await bench.plugInShaker();
    bench.configure();
    const first = bench.start({ dies: 'in-reading' });
    await first.ended;
    bench.configure({ play });
    const second = bench.start({ seed: 2 });
    await display.show(await second.ready);
    await untilTable(bench.address, ({ phase }) => phase === 'held');

    const roundId = bench.records().flatMap(({ event }) => (event.kind === 'roundOpened' ? [event.roundId] : []))[0] ?? null;
    await shows({ roundId, phase: 'held', dice: [], total: null, lit: [] });
    expect(bench.kinds()).not.toContain('resultDeclared');
    expect((await get<{ table: TableView }>(bench, '/api/table')).table.round).toMatchObject({ roundId, result: null });
    expect((await lamps.lit()) ?? []).toEqual([]);
  });

  const shows = (round: Omit<ShownRound, 'isLive'>): Promise<void> =>
    vi.waitFor(async () => expect(await display.shownNow()).toEqual({ ...round, isLive: true }), waiting);

  /** Table, round, a new listener and the lamps say what the file says of the result with this record number. */
  async function agree(bench: ProcessBench, lamps: DemoLamps, recordNumber: number): Promise<void> {
    const declared = theResult(bench);
    expect(declared.recordNumber).toBe(recordNumber);
    const { roundId, dice, total, winningZones } = declared.event;
    const result = { dice, total, winningZones };
    expect((await get<{ table: TableView }>(bench, '/api/table')).table.round).toMatchObject({ roundId, result });
    const view = await get<RoundView>(bench, `/api/rounds/${roundId}`);
    expect(view.steps.find((step) => step.event.kind === 'resultDeclared')).toMatchObject({ recordNumber, event: result });
    const client = await listener(bench.address);
    expect(client.messages[0]).toMatchObject({ type: 'snapshot', table: { round: { roundId, result } } });
    const wanted = litOutputs(bench.records());
    expect(wanted.length).toBeGreaterThan(0);
    await vi.waitUntil(async () => String((await lamps.lit()) ?? wanted) === String(wanted), waiting);
  }
});

type Declared = JournalRecord & { readonly event: Extract<JournalRecord['event'], { kind: 'resultDeclared' }> };

/** The one result of the journal. */
function theResult(bench: ProcessBench): Declared {
  const results = bench.records().filter((record): record is Declared => record.event.kind === 'resultDeclared');
  const [declared] = results;
  if (declared === undefined || results.length > 1) throw new Error(`${results.length} results`);
  return declared;
}

async function get<Answer>(bench: ProcessBench, path: string): Promise<Answer> {
  return (await fetch(`${bench.address}${path}`)).json() as Promise<Answer>;
}
