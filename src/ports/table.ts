import type { FaultCode } from '../core/round/faults.ts';
import type { Person } from '../core/round/person.ts';
import type { TableState } from '../core/round/state.ts';
import type { Refusal } from '../core/round/step.ts';
import type { JournalHead, JournalRecord } from './journal.ts';

/** What a person asks of the table. `roundId`: the round they were looking at, null when none was shown. */
export type Act = { readonly by: Person; readonly roundId: string | null } & (
  | { readonly kind: 'open' }
  | { readonly kind: 'closeBetting' }
  | { readonly kind: 'shake' }
  | { readonly kind: 'hold'; readonly reason: string }
  /** `holdNumber`: the hold they were looking at. */
  | { readonly kind: 'resume'; readonly holdNumber: number }
  | { readonly kind: 'void'; readonly reason: string; readonly second: Person | null }
  | { readonly kind: 'unlock'; readonly reason: string; readonly second: Person | null }
);

export type ActOutcome = { readonly kind: 'done' } | { readonly kind: 'refused'; readonly cause: RefusedCause };

/** Why an act was not taken. */
export type RefusedCause = Refusal | 'journal-unwritable';

/** Health of one device for people. */
export interface DeviceHealth {
  readonly device: 'shaker' | 'camera' | 'vision' | 'lamps' | 'journal' | 'clock' | 'disk';
  readonly isUp: boolean;
  readonly detail: string;
  /** Wall ms of the first and last fault since start; null when there was none. */
  readonly firstFaultMs: number | null;
  readonly lastFaultMs: number | null;
  readonly counters: Readonly<Record<string, number>>;
}

/** The running table as the API sees it. */
export interface Table {
  readonly state: TableState;
  readonly head: JournalHead;
  readonly standingFaults: readonly FaultCode[];
  health(): readonly DeviceHealth[];
  /** Refused facts by cause since start. */
  readonly refusedCounts: Readonly<Record<string, number>>;
  /** Takes effect in the one queue; resolves when the event is on disk or refused. */
  act(act: Act): Promise<ActOutcome>;
  /** Called after each append, in order, once the records are on disk and `state` is the state after them. Must not throw. */
  onAppended(listener: (records: readonly JournalRecord[]) => void): () => void;
  /** Milliseconds left on the running countdown by the table's own clock, null when none runs. */
  remainingMs(): number | null;
}
