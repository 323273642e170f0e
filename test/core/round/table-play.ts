import type { RefusalCause, ThrowReading } from '../../../src/core/judging/reading.ts';
import { applyEvent } from '../../../src/core/round/apply-event.ts';
import type { Effect } from '../../../src/core/round/effects.ts';
import type { TableEvent } from '../../../src/core/round/events.ts';
import type { TableFact } from '../../../src/core/round/facts.ts';
import { foldRecords, initialState } from '../../../src/core/round/initial-state.ts';
import type { Person } from '../../../src/core/round/person.ts';
import type { PlaySettings } from '../../../src/core/round/settings.ts';
import type { TableState } from '../../../src/core/round/state.ts';
import type { StepContext, TableStep } from '../../../src/core/round/step.ts';
import { stepTable } from '../../../src/core/round/step-table.ts';
import type { Dice, Face } from '../../../src/core/rules/dice.ts';
import type { Instant } from '../../../src/core/time.ts';

export const dealer: Person = { name: 'Dana', role: 'dealer' };
export const supervisor: Person = { name: 'Sam', role: 'supervisor' };
export const technician: Person = { name: 'Toni', role: 'technician' };
export const administrator: Person = { name: 'Alex', role: 'administrator' };

/** An unattended bets-first table with small, different numbers, so that a mixed-up duration shows. */
export const basePlay: PlaySettings = {
  orderOfPlay: 'bets-first',
  unreadableThrow: 'reshake',
  tumblesMin: 3,
  shakeActivations: 1,
  reshakeActivations: 3,
  shakesMax: 3,
  readAttemptsMax: 2,
  bettingMs: 20_000,
  noMoreBetsMs: 2_000,
  shakeMsMax: 15_000,
  settleMs: 1_000,
  settleMsMax: 5_000,
  readMsMax: 3_000,
  reviewMs: 5_000,
  nextRoundMs: 4_000,
  isUnattended: true,
  roundsPerHourMax: 0,
};

/** A reading of three dice on which both readers agree. */
export function accepted(low: Face, middle: Face, high: Face): ThrowReading {
  return {
    verdict: 'accepted',
    values: [low, middle, high],
    cause: null,
    dice: [low, middle, high].map((value, index) => ({
      value,
      centrePx: [100 + 80 * index, 200],
      quadPx: [],
      angleDeg: 0,
      confidence: 0.99,
      votes: { geometric: value, appearance: value },
      tiltDeg: 0,
    })),
    pictureCount: 3,
    agreeingCount: 3,
    evidence: [{ sha256: 'e1'.repeat(32), capturedAtMs: 1_000 }],
    calibrationId: 'cal-1',
  };
}

export function refusedReading(cause: RefusalCause): ThrowReading {
  return { ...accepted(1, 1, 1), verdict: 'refused', values: null, cause, dice: [] };
}

type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A fact without its time; an operator's act also without the round and hold looked at, which are the present ones unless given. */
export type LooseFact = OmitEach<TableFact, 'at' | 'roundId' | 'holdNumber'> & {
  readonly roundId?: string | null;
  readonly holdNumber?: number;
};

/** Plays facts into a table and keeps what came of them. Time stands still unless moved. */
export class TablePlay {
  state: TableState = initialState('T1');
  at: Instant = { wallMs: 1_700_000_000_000, monoMs: 0 };
  context: StepContext;
  readonly records: { readonly event: TableEvent; readonly at: Instant }[] = [];
  last: TableStep | null = null;

  constructor(play: Partial<PlaySettings> = {}) {
    this.context = {
      houseId: 'macau',
      play: { ...basePlay, ...play },
      houseSha256: (houseId: string) => `file of ${houseId}`,
      winningZones: (dice: Dice, houseId: string) => [
        `${houseId}:total-${dice[0] + dice[1] + dice[2]}`,
        `${houseId}:single-${dice[0]}`,
      ],
    };
    const event: TableEvent = { kind: 'journalCreated', journalId: '0a1b2c3d', tableId: 'T1' };
    this.records.push({ event, at: this.at });
    this.state = applyEvent(this.state, event, this.at);
  }

  /** @returns kinds of the events decided, or `refused <cause>`. */
  take(fact: LooseFact): string {
    const roundId = fact.roundId === undefined ? (this.state.round?.roundId ?? null) : fact.roundId;
    const holdNumber = fact.holdNumber ?? this.state.hold?.holdNumber ?? 1;
    const step = stepTable(this.state, { ...fact, roundId, holdNumber, at: this.at } as TableFact, this.context);
    this.last = step;
    for (const event of step.events) this.records.push({ event, at: this.at });
    this.state = step.state;
    return step.refused === null ? step.events.map((event) => event.kind).join(' ') : `refused ${step.refused}`;
  }

  wait(ms: number): void {
    this.at = { wallMs: this.at.wallMs + ms, monoMs: this.at.monoMs + ms };
  }

  start(bootId = 'boot-1'): string {
    const facts = { softwareVersion: '0.1.0', configSha256: 'c0'.repeat(32), isClockSynchronised: true };
    return this.take({ kind: 'tableStarted', bootId, ...facts });
  }

  /** Runs the present countdown out. */
  elapse(): string {
    const { timer } = this.state;
    if (timer === null) throw new Error(`no countdown runs in ${this.state.phase}`);
    this.wait(Math.max(0, timer.startedAt.monoMs + timer.durationMs - this.at.monoMs));
    return this.take({ kind: 'timerElapsed', timer: timer.name, orderNumber: timer.orderNumber });
  }

  get pendingNumber(): number {
    return this.state.pending?.orderNumber ?? 9_999;
  }

  shaken(tumbleCount = 3, activationCount = 3, isSettled = true): string {
    return this.take({ kind: 'shakeFinished', orderNumber: this.pendingNumber, tumbleCount, activationCount, isSettled });
  }

  rested(motionBurstCount: number | null = 3): string {
    return this.take({ kind: 'diceRested', orderNumber: this.pendingNumber, motionBurstCount });
  }

  read(reading: ThrowReading): string {
    return this.take({ kind: 'diceRead', orderNumber: this.pendingNumber, reading });
  }

  cover(position: 'open' | 'closed'): string {
    return this.take({ kind: 'coverMoved', orderNumber: this.pendingNumber, position });
  }

  /** The orders of the last fact. */
  get effects(): readonly Effect[] {
    return this.last?.effects ?? [];
  }

  get kinds(): readonly string[] {
    return this.records.map((record) => record.event.kind);
  }

  get lastEvent(): TableEvent | undefined {
    return this.records.at(-1)?.event;
  }

  /** The state as a start would rebuild it. */
  rebuilt(): TableState {
    return foldRecords('T1', this.records);
  }
}

const stages = ['closed', 'betting', 'no-more-bets', 'shaking', 'settling', 'reading', 'result'] as const;

/** A started table whose first round has come to `stage` in bets-first play (the stage `closed` is before the first round). */
export function playTo(stage: (typeof stages)[number], play: Partial<PlaySettings> = {}): TablePlay {
  const table = new TablePlay(play);
  table.start();
  const moves: readonly (() => void)[] = [
    () => table.take({ kind: 'openRequested', by: dealer }),
    () => table.take({ kind: 'closeBettingRequested', by: dealer }),
    () => table.take({ kind: 'shakeRequested', by: dealer }),
    () => table.shaken(),
    () => table.rested(),
    () => table.read(accepted(2, 4, 5)),
  ];
  for (const move of moves.slice(0, stages.indexOf(stage))) move();
  if (table.state.phase !== stage) throw new Error(`came to ${table.state.phase} instead of ${stage}`);
  return table;
}

const coveredStages = ['closing', 'shaking', 'betting', 'no-more-bets', 'uncovering', 'settling', 'reading', 'result'] as const;

/** A started table whose first round has come to `stage` in shake-first play; `closing` is the cover on its way before the shake. */
export function playCoveredTo(stage: (typeof coveredStages)[number], play: Partial<PlaySettings> = {}): TablePlay {
  const table = new TablePlay({ orderOfPlay: 'shake-first', ...play });
  table.start();
  table.take({ kind: 'openRequested', by: dealer });
  const moves: readonly (() => void)[] = [
    () => table.cover('closed'),
    () => table.shaken(),
    () => table.take({ kind: 'closeBettingRequested', by: dealer }),
    () => table.elapse(),
    () => table.cover('open'),
    () => table.rested(null),
    () => table.read(accepted(2, 4, 5)),
  ];
  for (const move of moves.slice(0, coveredStages.indexOf(stage))) move();
  return table;
}
