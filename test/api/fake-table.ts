import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { applyEvent } from '../../src/core/round/apply-event.ts';
import type { RoundEvent, TableEvent } from '../../src/core/round/events.ts';
import type { FaultCode } from '../../src/core/round/faults.ts';
import { initialState } from '../../src/core/round/initial-state.ts';
import type { PlaySettings } from '../../src/core/round/settings.ts';
import type { TableState } from '../../src/core/round/state.ts';
import type { Instant } from '../../src/core/time.ts';
import type { Journal, JournalHead, JournalRecord } from '../../src/ports/journal.ts';
import type { Act, ActOutcome, DeviceHealth, Table } from '../../src/ports/table.ts';

export const play: PlaySettings = {
  orderOfPlay: 'bets-first',
  unreadableThrow: 'reshake',
  tumblesMin: 3,
  shakeActivations: 1,
  reshakeActivations: 1,
  shakesMax: 5,
  readAttemptsMax: 3,
  bettingMs: 20_000,
  noMoreBetsMs: 1_000,
  shakeMsMax: 20_000,
  settleMs: 1_000,
  settleMsMax: 5_000,
  readMsMax: 2_000,
  reviewMs: 5_000,
  nextRoundMs: 4_000,
  isUnattended: true,
  roundsPerHourMax: 0,
};

/** Any event without the round's id, which the table fills in. */
export type RoundStep = RoundEvent extends infer Event ? (Event extends RoundEvent ? Omit<Event, 'roundId'> : never) : never;

/** A table that does what the test tells it, with a journal in memory; state is the product's own fold of the events. */
export class FakeTable implements Table {
  readonly records: JournalRecord[] = [];
  readonly acts: Act[] = [];
  readonly refusedCounts: Record<string, number> = {};
  readonly #listeners = new Set<(records: readonly JournalRecord[]) => void>();
  #answer: ActOutcome = { kind: 'done' };
  #roundNumber = 0;
  #orderNumber = 0;
  state: TableState = initialState('t1');
  standingFaults: readonly FaultCode[] = [];

  constructor() {
    this.append([
      { kind: 'journalCreated', journalId: '0a1b2c3d', tableId: 't1' },
      {
        kind: 'tableStarted',
        bootId: 'boot-1',
        softwareVersion: '0.1.0',
        configSha256: '0'.repeat(64),
        houseSha256: 'f0'.repeat(32),
        isClockSynchronised: true,
        isAfterCrash: false,
      },
    ]);
  }

  get head(): JournalHead {
    const last = this.records.at(-1);
    return last === undefined ? { recordNumber: 0, hash: '0'.repeat(64) } : { recordNumber: last.recordNumber, hash: last.hash };
  }

  /** The number for the next order. */
  get nextOrder(): number {
    this.#orderNumber += 1;
    return this.#orderNumber;
  }

  get roundId(): string {
    return `0a1b2c3d-${this.#roundNumber}`;
  }

  readonly journal: Pick<Journal, 'read' | 'roundRecords' | 'endedRounds'> = {
    read: (after, limit) => this.records.slice(after, after + limit),
    roundRecords: (roundId) => this.records.filter(({ event }) => 'roundId' in event && event.roundId === roundId),
    endedRounds: (limit, options = {}) =>
      this.records
        .filter(({ recordNumber }) => recordNumber < (options.beforeRecordNumber ?? Number.POSITIVE_INFINITY))
        .flatMap(({ event }) =>
          event.kind === 'roundSettled' || (event.kind === 'roundVoided' && options.isSettledOnly !== true)
            ? [event.roundId]
            : [],
        )
        .slice(-limit)
        .reverse(),
  };

  append(events: readonly TableEvent[]): void {
    const at: Instant = { wallMs: Date.UTC(2026, 0, 1) + this.records.length, monoMs: performance.now() };
    const records = events.map((event) => {
      const hash = createHash('sha256').update(this.head.hash).update(JSON.stringify(event)).digest('hex');
      const record = { recordNumber: this.records.length + 1, bootId: 'boot-1', at, isClockSynchronised: true, event, hash };
      this.records.push(record);
      this.state = applyEvent(this.state, event, at);
      return record;
    });
    for (const listener of this.#listeners) listener(records);
  }

  /** Events of the present round, in one append. */
  round(...steps: readonly RoundStep[]): void {
    this.append(steps.map((step) => ({ roundId: this.roundId, ...step }) as RoundEvent));
  }

  openRound(settings: Partial<PlaySettings> = {}): void {
    this.#roundNumber += 1;
    const settled = { ...play, ...settings };
    this.round(
      {
        kind: 'roundOpened',
        roundNumber: this.#roundNumber,
        houseId: 'live',
        houseSha256: 'f0'.repeat(32),
        play: settled,
        by: null,
      },
      { kind: 'bettingOpened', orderNumber: this.nextOrder, durationMs: settled.bettingMs },
    );
  }

  act(act: Act): Promise<ActOutcome> {
    this.acts.push(act);
    if (act.roundId !== (this.state.round?.roundId ?? null)) {
      return Promise.resolve({ kind: 'refused', cause: 'stale-round' });
    }
    return Promise.resolve(this.#answer);
  }

  /** What acts on the present round get from now on. */
  answerActs(answer: ActOutcome): void {
    this.#answer = answer;
  }

  onAppended(listener: (records: readonly JournalRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  remainingMs(): number | null {
    const { timer } = this.state;
    return timer === null ? null : Math.max(0, timer.startedAt.monoMs + timer.durationMs - performance.now());
  }

  health(): readonly DeviceHealth[] {
    return [{ device: 'shaker', isUp: true, detail: 'online', firstFaultMs: null, lastFaultMs: null, counters: { badLines: 2 } }];
  }
}
