import { MemoryJournal } from '../../hardware-sim/memory-journal.ts';
import { SimDiceReader } from '../../hardware-sim/sim-dice-reader.ts';
import { SimFrames } from '../../hardware-sim/sim-frames.ts';
import { SimLamps } from '../../hardware-sim/sim-lamps.ts';
import { type ScriptedShake, SimShaker } from '../../hardware-sim/sim-shaker.ts';
import { SimTray } from '../../hardware-sim/sim-tray.ts';
import { loadHouse } from '../../src/config/load-house.ts';
import type { RefusalCause } from '../../src/core/judging/reading.ts';
import type { TableEvent } from '../../src/core/round/events.ts';
import type { Person } from '../../src/core/round/person.ts';
import type { PlaySettings } from '../../src/core/round/settings.ts';
import type { Phase } from '../../src/core/round/state.ts';
import type { Dice } from '../../src/core/rules/dice.ts';
import { winningZones } from '../../src/core/rules/house.ts';
import type { JournalRow } from '../../src/journal/record-hash.ts';
import type { Log } from '../../src/ports/log.ts';
import type { Act, ActOutcome } from '../../src/ports/table.ts';
import { RunningTable } from '../../src/runtime/running-table.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { MemoryEvidence } from './memory-evidence.ts';

export const dealer: Person = { name: 'Dana', role: 'dealer' };
export const supervisor: Person = { name: 'Sam', role: 'supervisor' };
export const technician: Person = { name: 'Toni', role: 'technician' };

/** Unattended bets-first play with small, different durations, so that a mixed-up one shows. */
export const quickPlay: PlaySettings = {
  orderOfPlay: 'bets-first',
  unreadableThrow: 'reshake',
  tumblesMin: 3,
  shakeActivations: 1,
  reshakeActivations: 1,
  shakesMax: 3,
  readAttemptsMax: 2,
  bettingMs: 2_000,
  noMoreBetsMs: 400,
  shakeMsMax: 6_000,
  settleMs: 500,
  settleMsMax: 4_000,
  readMsMax: 3_000,
  reviewMs: 1_000,
  nextRoundMs: 600,
  isUnattended: true,
  roundsPerHourMax: 0,
};

export interface TableOptions {
  readonly play?: Partial<PlaySettings>;
  /** One entry per shake; afterwards every shake is good. */
  readonly shakes?: readonly ScriptedShake[];
  /** What each activation throws; afterwards 2, 4, 5. Or a function that says it for each. */
  readonly throws?: readonly (Dice | RefusalCause)[] | (() => Dice | RefusalCause);
  /** The journal of an earlier boot: the table starts again on it. */
  readonly rows?: readonly JournalRow[];
  /** What lies in the tray and where the cover is when the process starts. */
  readonly lies?: Dice | RefusalCause;
  readonly cover?: 'open' | 'closed';
  readonly bootId?: string;
  /** The last order that the shaker remembers when the process starts. */
  readonly rememberedOrder?: number;
  /** See `SimFramesOptions`. */
  readonly unstampedDelayMs?: number;
  readonly wallStartMs?: number;
  /** The disk is full when the process starts. */
  readonly isJournalUnwritable?: boolean;
  /** Told of a mistake in the program; thrown where none is given, so that the test fails. */
  readonly onFailure?: (error: unknown) => void;
  /** Default: those of the house. */
  readonly winningZones?: () => readonly string[];
}

/** A whole table on a virtual clock: the real runtime between simulated devices, with its journal in memory. */
export interface OpenTable {
  readonly table: RunningTable;
  readonly clock: VirtualClock;
  readonly journal: MemoryJournal;
  readonly evidence: MemoryEvidence;
  readonly shaker: SimShaker;
  readonly tray: SimTray;
  readonly frames: SimFrames;
  readonly reader: SimDiceReader;
  readonly lamps: SimLamps;
  /** Messages of level `error`. */
  readonly errors: readonly string[];
  /** Events of this journal, oldest first. */
  events(): readonly TableEvent[];
  /** Kinds of the events of the present or last round, oldest first. */
  kinds(): readonly string[];
  /** Advances until the table is in `phase`. @throws Error when it is not within `msMax` (30,000). */
  until(phase: Phase, msMax?: number): Promise<void>;
  /** Advances until an event of `kind` was journalled beyond those there when called. */
  untilEvent(kind: TableEvent['kind'], msMax?: number): Promise<void>;
  /** A person acts on the round and the hold that are shown, unless others are given. */
  act(act: LooseAct): Promise<ActOutcome>;
}

type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type LooseAct = OmitEach<Act, 'roundId' | 'by' | 'holdNumber'> & {
  readonly roundId?: string | null;
  readonly holdNumber?: number;
  readonly by?: Person;
};

/** Builds a table without starting it. */
export function newTable(options: TableOptions = {}): OpenTable {
  const clock = new VirtualClock(options.wallStartMs);
  const bootId = options.bootId ?? 'boot-1';
  const journal = new MemoryJournal({ bootId, rows: options.rows ?? [] });
  if (journal.head.recordNumber === 0) {
    journal.append([{ kind: 'journalCreated', journalId: '0a1b2c3d', tableId: 'T1' }], clock.now());
  }
  journal.isUnwritable = options.isJournalUnwritable ?? false;
  const throws = typeof options.throws === 'function' ? [] : [...(options.throws ?? [])];
  const shaker = new SimShaker({
    clock,
    script: options.shakes ?? [],
    cover: options.cover ?? 'open',
    rememberedOrder: options.rememberedOrder ?? 0,
  });
  const tray = new SimTray({
    clock,
    shaker,
    nextThrow: typeof options.throws === 'function' ? options.throws : () => throws.shift() ?? [2, 4, 5],
    ...(options.lies === undefined ? {} : { lies: options.lies }),
  });
  const frames = new SimFrames({
    clock,
    frameRate: 30,
    picture: () => tray.picture(),
    unstampedDelayMs: options.unstampedDelayMs ?? 0,
  });
  const reader = new SimDiceReader();
  const lamps = new SimLamps();
  const evidence = new MemoryEvidence();
  const errors: string[] = [];
  const log: Log = { info() {}, warn() {}, error: (_fields, message) => errors.push(message) };
  const house = loadHouse('macau');
  const table = new RunningTable({
    tableId: 'T1',
    houseId: house.id,
    play: { ...quickPlay, ...options.play },
    houseSha256: () => house.sha256,
    winningZones: options.winningZones ?? ((dice) => winningZones(dice, house).map(({ zone }) => zone)),
    clock,
    journal,
    evidence,
    shaker,
    frames,
    reader,
    lamps,
    surroundings: { diskProblem: () => null, isClockSynchronised: () => true },
    log,
    bootId,
    softwareVersion: '0.1.0',
    configSha256: 'c0'.repeat(32),
    onFailure: (error) => {
      if (options.onFailure === undefined) throw error;
      options.onFailure(error);
    },
  });
  const events = (): readonly TableEvent[] => journal.read(0, 1_000_000).map(({ event }) => event);
  return {
    table,
    clock,
    journal,
    evidence,
    shaker,
    tray,
    frames,
    reader,
    lamps,
    errors,
    events,
    kinds: () => journal.roundRecords(table.state.round?.roundId ?? '').map(({ event }) => event.kind),
    until: (phase, msMax = 30_000) => clock.advanceUntil(() => table.state.phase === phase, msMax),
    untilEvent: (kind, msMax = 30_000) => {
      const from = journal.head.recordNumber;
      let isSeen = false;
      const stop = table.onAppended((records) => {
        if (records.some((record) => record.recordNumber > from && record.event.kind === kind)) isSeen = true;
      });
      return clock.advanceUntil(() => isSeen, msMax).finally(stop);
    },
    act: (act) => {
      const roundId = table.state.round?.roundId ?? null;
      const shown = act.kind === 'resume' ? { roundId, holdNumber: table.state.hold?.holdNumber ?? 1 } : { roundId };
      const outcome = table.act({ ...shown, by: supervisor, ...act } as Act);
      return clock.advance(0).then(() => outcome);
    },
  };
}

/** A table that has started and whose devices were found. The first betting is open after `nextRoundMs` in unattended play. */
export async function openTable(options: TableOptions = {}): Promise<OpenTable> {
  const open = newTable(options);
  await open.table.start();
  await open.clock.advance(100);
  return open;
}

/** The power goes and comes back: the old process does nothing more, a new one starts on what the journal held.
 *  @param options what differs after the restart; what lies in the tray and where the cover is stays as it was. */
export function restarted(before: OpenTable, options: TableOptions = {}): Promise<OpenTable> {
  before.journal.close();
  return openTable({
    rows: before.journal.rows,
    bootId: `${before.table.state.bootId}-again`,
    lies: before.tray.lies,
    cover: before.shaker.cover,
    wallStartMs: before.clock.now().wallMs + 60_000,
    ...options,
  });
}
