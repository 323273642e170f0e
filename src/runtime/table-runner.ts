import { applyEvent } from '../core/round/apply-event.ts';
import type { Effect } from '../core/round/effects.ts';
import type { ActFact, TableFact } from '../core/round/facts.ts';
import { initialState } from '../core/round/initial-state.ts';
import { lampsFor } from '../core/round/lamps-for.ts';
import type { TableState } from '../core/round/state.ts';
import type { StepContext } from '../core/round/step.ts';
import { stepTable } from '../core/round/step-table.ts';
import { StorageError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, JournalRecord } from '../ports/journal.ts';
import type { Lamps } from '../ports/lamps.ts';
import type { Log } from '../ports/log.ts';
import type { Act, ActOutcome } from '../ports/table.ts';
import { factOf } from './act-fact.ts';
import { FactQueue } from './fact-queue.ts';

/** Pause before a fact that could not be written is tried again, ms. */
export const journalRetryMs = 500;

/** Records folded per read while the past is rebuilt at start. */
const recordsPerRead = 2_000;

/** The state after a number of records. */
export interface Past {
  readonly state: TableState;
  readonly recordNumber: number;
}

export interface RunnerParts {
  readonly tableId: string;
  readonly context: StepContext;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly past?: Past;
  readonly lamps: Lamps;
  readonly log: Log;
  /** Carries out an order; its answer comes back through `dispatch`. */
  readonly runEffect: (effect: Effect) => void;
  /** Told when the journal cannot be written, and when it can again. */
  readonly onJournal: (isWritable: boolean, detail: string) => void;
  /** Told of a mistake in the program, or of a journal that will never take a record again: nothing is taken from then on. */
  readonly onFailure: (error: unknown) => void;
}

/** The one owner of the table's state. Every fact passes through its queue: decided by the pure core, written to disk, then the state
 *  changes, then lamps, listeners and devices follow. Stopping the motor and darkening the lamps never wait for the disk. */
export class TableRunner {
  readonly #parts: RunnerParts;
  readonly #queue: FactQueue;
  readonly #listeners = new Set<(records: readonly JournalRecord[]) => void>();
  readonly #refusedCounts: Record<string, number> = {};
  #state: TableState;
  #cancelTimer: () => void = () => {};
  #cancelRetry: (() => void) | null = null;
  #isJournalWritable = true;
  #isClosed = false;

  /** Rebuilds the state from the journal; runs nothing and lights nothing yet. */
  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#queue = new FactQueue((fact) => this.#unlessFailed(() => this.#take(fact)));
    this.#state = rebuiltState(parts.past ?? { state: initialState(parts.tableId), recordNumber: 0 }, parts.journal);
  }

  get state(): TableState {
    return this.#state;
  }

  get refusedCounts(): Readonly<Record<string, number>> {
    return this.#refusedCounts;
  }

  get isJournalWritable(): boolean {
    return this.#isJournalWritable;
  }

  /** Puts a fact into the queue. Resolves when it is on disk, or refused. */
  dispatch(fact: TableFact): Promise<ActOutcome> {
    if (this.#isClosed) return Promise.resolve({ kind: 'refused', cause: 'stopping' });
    return this.#queue.put(fact);
  }

  /** A person's act. Refused at once while the journal cannot be written; one that would stop the motor stops it all the same. */
  act(act: Act): Promise<ActOutcome> {
    const fact = factOf(act, this.#parts.clock);
    if (this.#isJournalWritable) return this.dispatch(fact);
    const outcome = this.#unlessFailed<never>(() => {
      const step = stepTable(this.#state, fact, this.#parts.context);
      this.#makeSafe(step.state, step.effects);
      return { kind: 'refused', cause: step.refused ?? 'journal-unwritable' };
    });
    return Promise.resolve(outcome);
  }

  onAppended(listener: (records: readonly JournalRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  remainingMs(): number | null {
    const { timer } = this.#state;
    if (timer === null) return this.#state.hold?.remainingMs ?? null;
    return Math.max(0, timer.startedAt.monoMs + timer.durationMs - this.#parts.clock.now().monoMs);
  }

  /** Shows on the lamps what the journal says; the first thing at start. */
  showLamps(): void {
    this.#light(lampsFor(this.#state));
  }

  /** Cancels every timer of the runner; nothing is taken any more. Facts that still wait for the disk are lost with the process, as in a power cut. */
  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#cancelRetry?.();
  }

  /** A state after a mistake may not be believed, so nothing more is decided by it. */
  #unlessFailed<Outcome>(take: () => ActOutcome | Outcome): ActOutcome | Outcome {
    if (this.#isClosed) return { kind: 'refused', cause: 'stopping' };
    try {
      return take();
    } catch (error) {
      this.close();
      this.#parts.onFailure(error);
      return { kind: 'refused', cause: 'stopping' };
    }
  }

  #take(arrived: TableFact): ActOutcome | 'try-again' {
    // A fact that waited for the disk happens to the table now: a countdown that it starts is to run in full.
    const fact: TableFact = { ...arrived, at: this.#parts.clock.now() };
    const step = stepTable(this.#state, fact, this.#parts.context);
    if (step.refused !== null) {
      this.#refusedCounts[step.refused] = (this.#refusedCounts[step.refused] ?? 0) + 1;
      this.#parts.log.warn({ fact: fact.kind, cause: step.refused, phase: this.#state.phase }, 'fact refused');
      return { kind: 'refused', cause: step.refused };
    }
    if (step.events.length === 0) return { kind: 'done' };
    this.#makeSafe(step.state, step.effects);
    const records = this.#append(fact, step.events);
    if (records === null) return isAct(fact) ? { kind: 'refused', cause: 'journal-unwritable' } : 'try-again';
    this.#state = step.state;
    this.#armTimer();
    this.showLamps();
    for (const listener of this.#listeners) this.#tell(listener, records);
    for (const effect of step.effects) if (effect.kind !== 'stopShaker') this.#parts.runEffect(effect);
    return { kind: 'done' };
  }

  /** What may never wait for the disk: the motor stops, and lamps that will be dark go dark. */
  #makeSafe(next: TableState, effects: readonly Effect[]): void {
    for (const effect of effects) if (effect.kind === 'stopShaker') this.#parts.runEffect(effect);
    const stillLit = lampsFor(next);
    const { lit } = this.#parts.lamps.status;
    if ([...lit].some((zone) => !stillLit.has(zone))) {
      this.#light(new Set([...lit].filter((zone) => stillLit.has(zone))));
    }
  }

  /** Lamps follow the journal; a driver with a mistake must not keep an order from its device. */
  #light(zones: ReadonlySet<string>): void {
    try {
      this.#parts.lamps.show(zones);
    } catch (error) {
      this.#parts.log.error({ error: String(error) }, 'the lamps failed');
    }
  }

  /** The records are on disk and the state has moved on: a listener with a mistake must not keep the table from giving its orders. */
  #tell(listener: (records: readonly JournalRecord[]) => void, records: readonly JournalRecord[]): void {
    try {
      listener(records);
    } catch (error) {
      this.#parts.log.error({ error: String(error) }, 'a listener failed');
    }
  }

  #append(fact: TableFact, events: Parameters<Journal['append']>[0]): readonly JournalRecord[] | null {
    try {
      const records = this.#parts.journal.append(events, fact.at);
      if (!this.#isJournalWritable) {
        this.#isJournalWritable = true;
        this.#parts.log.info({ waitingCount: this.#queue.waitingCount }, 'journal is writable again');
        this.#parts.onJournal(true, '');
      }
      return records;
    } catch (error) {
      // A full disk has space again; a damaged journal or one that refuses the record stays so.
      if (!(error instanceof StorageError) || error.code !== 'journal.unwritable') throw error;
      if (this.#isJournalWritable) {
        this.#isJournalWritable = false;
        this.#parts.log.error(
          { code: error.code, detail: error.message },
          'journal cannot be written; no result leaves and no round opens',
        );
        this.#parts.onJournal(false, error.message);
      }
      this.#cancelRetry?.();
      this.#cancelRetry = this.#parts.clock.after(journalRetryMs, () => this.#queue.takeAll());
      return null;
    }
  }

  #armTimer(): void {
    this.#cancelTimer();
    const { timer } = this.#state;
    if (timer === null) return;
    const leftMs = timer.startedAt.monoMs + timer.durationMs - this.#parts.clock.now().monoMs;
    this.#cancelTimer = this.#parts.clock.after(Math.max(0, leftMs), () => {
      void this.dispatch({
        kind: 'timerElapsed',
        at: this.#parts.clock.now(),
        timer: timer.name,
        orderNumber: timer.orderNumber,
      });
    });
  }
}

/** Folds all records of the journal after the given past. */
function rebuiltState(past: Past, journal: Journal): TableState {
  let { state, recordNumber } = past;
  for (;;) {
    const records = journal.read(recordNumber, recordsPerRead);
    for (const record of records) state = applyEvent(state, record.event, record.at);
    const newest = records.at(-1);
    if (newest === undefined) return state;
    recordNumber = newest.recordNumber;
  }
}

function isAct(fact: TableFact): fact is ActFact {
  return fact.kind.endsWith('Requested');
}
