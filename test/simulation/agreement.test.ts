import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { HistoryRow, RoundView, TableView } from '../../src/api/views.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { TableConfig } from '../../src/config/table-config.ts';
import type { RefusalCause } from '../../src/core/judging/reading.ts';
import { type Dice, type Face, sortedDice } from '../../src/core/rules/dice.ts';
import { tableFolder, tableToml } from '../process/table-folder.ts';
import { type AgreementTable, openAgreementTable } from './agreement-table.ts';
import { DisplayPage } from './display-page.ts';
import { type GpioMirror, openGpioMirror } from './gpio-mirror.ts';

const roundCount = 1_000;
/** The table is stopped and started again on its journal after so many rounds. */
const roundsPerBoot = 250;
/** Real lamps and real sockets are looked at in every so manyth round. */
const sampleEvery = 20;
/** A real browser with the display is looked at in each of these rounds: one of fifty, and some that a person or a lost shaker ended. */
const isDisplayed = (number: number): boolean => number % 50 === 0 || number % 100 === 57 || number % 100 === 63;

const supervisor = { name: 'Sam', role: 'supervisor' } as const;
const refusals: readonly RefusalCause[] = ['tilted', 'overlapping', 'too-few-dice', 'out-of-tray'];

describe('all that can be seen of a round', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sicbo-agreement-'));
  let config: TableConfig;
  let mirror: GpioMirror | null;
  let display: DisplayPage;
  beforeAll(async () => {
    const places = tableFolder(folder);
    places.writeConfig(tableToml({ port: 0, link: places.link, play: { nextRoundMs: 300 } }));
    config = loadConfig(places.configFile);
    [mirror, display] = await Promise.all([openGpioMirror(), DisplayPage.open()]);
  });
  afterAll(async () => {
    await display?.close();
    await mirror?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`agrees after each of ${roundCount} rounds: file, feed, history, snapshot, lamps and the page of the display, also after a restart (OPS-03)`, async () => {
    const random = seededRandom(2026);
    const face = (): Face => random.pick<Face>([1, 2, 3, 4, 5, 6]);
    const nextThrow = (): Dice | RefusalCause =>
      random.next() < 0.1 ? random.pick(refusals) : sortedDice(face(), face(), face());
    const ends = { settled: 0, voided: 0 };
    const looks = { gpio: 0, snapshot: 0, dark: 0, result: 0, end: 0 };
    let wallMs = Date.UTC(2026, 0, 1);
    let historyBefore: readonly HistoryRow[] = [];
    for (let boot = 0; boot < roundCount / roundsPerBoot; boot += 1) {
      const table = await openAgreementTable(config, nextThrow, wallMs);
      expect(await historyOf(table)).toEqual(historyBefore);
      await display.show(table.address);
      for (let round = 1; round <= roundsPerBoot; round += 1) {
        const number = boot * roundsPerBoot + round;
        const isSampled = number % sampleEvery === 0;
        await table.until(() => table.built.table.state.round?.roundNumber === number);
        const end = await playAndCompare(table, number, isDisplayed(number) ? looks : null);
        ends[end] += 1;
        if (isSampled) looks.gpio += await compareLines(table);
        if (isSampled) looks.snapshot += await compareSnapshot(table);
      }
      wallMs = table.clock.now().wallMs + 1_000;
      historyBefore = await historyOf(table);
      await table.stop();
      expect([...table.lamps.status.lit]).toEqual([]);
    }

    expect(ends.settled + ends.voided).toBe(roundCount);
    expect(ends.voided).toBeGreaterThan(30);
    expect(looks).toEqual({
      gpio: mirror === null ? 0 : roundCount / sampleEvery,
      snapshot: roundCount / sampleEvery,
      dark: 40,
      result: 20,
      end: 40,
    });
  }, 300_000);

  /** Plays the round that has just opened and compares what can be seen of it while bets are taken, at the result and at the end. */
  async function playAndCompare(
    table: AgreementTable,
    number: number,
    looks: DisplayLooks | null,
  ): Promise<'settled' | 'voided'> {
    const state = () => table.built.table.state;
    const roundId = state().round?.roundId ?? '';
    expect([...table.lamps.status.lit]).toEqual([]);
    if (looks !== null) looks.dark += await compareDisplay(table, roundId);
    if (number % 25 === 7) {
      await table.built.table.act({ kind: 'void', by: supervisor, roundId, reason: 'test', second: null });
    }
    if (number % 25 === 13) table.shaker.queue({ fails: 'link-lost' });
    if (number % 25 === 19) table.shaker.queue({ tumbles: 1 });
    await table.until(() => state().round?.result !== null || state().round?.end !== null || state().phase === 'held');
    if (state().phase === 'held') {
      await table.built.table.act({ kind: 'void', by: supervisor, roundId, reason: 'held', second: null });
    }
    if (state().round?.end === null) {
      await compareResult(table, roundId);
      if (looks !== null) looks.result += await compareDisplay(table, roundId);
    }
    await table.until(() => state().round?.end !== null);
    const end = await compareEnd(table, roundId, number);
    if (looks !== null) looks.end += await compareDisplay(table, roundId);
    return end;
  }

  /** What lies in the tray, and what record, event, snapshot and lamps say of it. */
  async function compareResult(table: AgreementTable, roundId: string): Promise<void> {
    await table.heardAll();
    const declared = table.fileEvents(roundId).find(({ event }) => event.kind === 'resultDeclared');
    if (declared?.event.kind !== 'resultDeclared') throw new Error(`round ${roundId} shows a result that is not in the file`);
    const { dice, total, winningZones } = declared.event;
    expect(dice).toEqual(table.tray.lies);
    expect(total).toBe(dice[0] + dice[1] + dice[2]);
    const message = table.feed.messages.findLast(({ seq, type }) => type === 'event' && seq === declared.recordNumber);
    expect(message).toMatchObject({ event: { kind: 'resultDeclared', roundId, dice, total, winningZones } });
    const now = await table.get<{ seq: number; table: TableView }>('/api/table');
    expect(now.table.round).toMatchObject({ roundId, result: { dice, total, winningZones }, end: null });
    expect(sorted(table.lamps.status.lit)).toEqual(sorted(winningZones));
  }

  async function compareEnd(table: AgreementTable, roundId: string, number: number): Promise<'settled' | 'voided'> {
    await table.heardAll();
    const events = table.fileEvents(roundId);
    const [terminal, ...more] = events.filter(({ event }) => event.kind === 'roundSettled' || event.kind === 'roundVoided');
    if (terminal === undefined) throw new Error(`round ${roundId} has no end in the file`);
    expect(more).toEqual([]);
    const { event, recordNumber } = terminal;
    const declared = events.find((one) => one.event.kind === 'resultDeclared')?.event;
    const result = event.kind === 'roundSettled' && declared?.kind === 'resultDeclared' ? declared : null;
    const end = event.kind === 'roundSettled' ? 'settled' : 'voided';
    const wanted = {
      recordNumber,
      roundId,
      roundNumber: number,
      end,
      voidCause: event.kind === 'roundVoided' ? event.cause : null,
      dice: result?.dice ?? null,
      total: result?.total ?? null,
      winningZones: result?.winningZones ?? [],
      shakeCount: events.filter((one) => one.event.kind === 'shakeOrdered').length,
    };
    const { rounds } = await table.get<{ rounds: HistoryRow[] }>('/api/history?limit=1');
    expect(rounds[0]).toMatchObject(wanted);
    const message = table.feed.messages.findLast(({ seq, type }) => type === 'event' && seq === recordNumber);
    expect(message).toMatchObject({ event: { kind: event.kind, roundId }, row: rounds[0] });
    const now = await table.get<{ table: TableView }>('/api/table');
    expect(now.table.round).toMatchObject({ roundId, end });
    const view = await table.get<RoundView>(`/api/rounds/${roundId}`);
    expect(view.steps.map((step) => step.recordNumber)).toEqual(events.map((one) => one.recordNumber));
    expect(view.summary).toEqual(rounds[0]);
    // Winners stay lit until the next round; nothing shines after a void one.
    expect(sorted(table.lamps.status.lit)).toEqual(sorted(wanted.winningZones));
    return end;
  }

  /** What the page shows of the round is what the file says by now: its id, and dice, total and lit zones from the result on, unless the round was voided. @returns 1. */
  async function compareDisplay(table: AgreementTable, roundId: string): Promise<number> {
    const events = table.fileEvents(roundId).map(({ event }) => event);
    const declared = events.find((event) => event.kind === 'resultDeclared');
    const isVoid = events.some((event) => event.kind === 'roundVoided');
    const result = declared?.kind === 'resultDeclared' && !isVoid ? declared : null;
    expect(await display.shownAt(table.built.table.head.recordNumber)).toMatchObject({
      roundId,
      dice: result?.dice ?? [],
      total: result?.total ?? null,
      lit: sorted(result?.winningZones ?? []),
    });
    return 1;
  }

  /** The same zones on real lines. @returns 1 when they could be looked at. */
  async function compareLines(table: AgreementTable): Promise<number> {
    if (mirror === null) return 0;
    const shining = await mirror.light(table.lamps.status.lit);
    const roundId = table.built.table.state.round?.roundId ?? '';
    const events = table.fileEvents(roundId).map(({ event }) => event);
    const declared = events.find((event) => event.kind === 'resultDeclared');
    const isLit = declared?.kind === 'resultDeclared' && events.some((event) => event.kind === 'roundSettled');
    expect(shining).toEqual(isLit ? declared.winningZones : []);
    return 1;
  }

  /** A display that connects now sees what one sees that was there all the time. */
  async function compareSnapshot(table: AgreementTable): Promise<number> {
    const snapshot = await table.snapshot();
    if (snapshot.type !== 'snapshot') throw new Error(`the first message is ${snapshot.type}`);
    const settled = (await historyOf(table)).filter(({ end }) => end === 'settled').slice(0, 50);
    expect(snapshot.history).toEqual(settled);
    const { recordNumber, hash } = table.built.table.head;
    expect([snapshot.seq, snapshot.hash]).toEqual([recordNumber, hash]);
    return 1;
  }
});

/** How often the page was looked at in each part of a round. */
interface DisplayLooks {
  dark: number;
  result: number;
  end: number;
}

async function historyOf(table: AgreementTable): Promise<readonly HistoryRow[]> {
  return (await table.get<{ rounds: HistoryRow[] }>('/api/history?limit=200')).rounds;
}

function sorted(zones: Iterable<string>): readonly string[] {
  return [...zones].sort();
}
