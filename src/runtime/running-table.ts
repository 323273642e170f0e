import type { TableFact } from '../core/round/facts.ts';
import type { FaultCode } from '../core/round/faults.ts';
import { liveRound } from '../core/round/live-round.ts';
import type { PlaySettings } from '../core/round/settings.ts';
import type { TableState } from '../core/round/state.ts';
import type { StepContext } from '../core/round/step.ts';
import { InputError, TableError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { DiceReader } from '../ports/dice-reader.ts';
import type { FrameSource } from '../ports/frame-source.ts';
import type { EvidenceStore, Journal, JournalHead, JournalRecord } from '../ports/journal.ts';
import type { Lamps } from '../ports/lamps.ts';
import type { Log } from '../ports/log.ts';
import type { Shaker } from '../ports/shaker.ts';
import type { Act, ActOutcome, DeviceHealth, Table } from '../ports/table.ts';
import { DeviceWatch, type Surroundings } from './device-watch.ts';
import { DiceWatch } from './dice-watch.ts';
import { FaultBoard } from './fault-board.ts';
import { healthOf } from './health.ts';
import { OrderRunner } from './order-runner.ts';
import { type Past, TableRunner } from './table-runner.ts';

export interface TableParts {
  readonly tableId: string;
  readonly houseId: string;
  readonly play: PlaySettings;
  readonly houseSha256: StepContext['houseSha256'];
  readonly winningZones: StepContext['winningZones'];
  /** What the journal says up to this record, folded while it was checked; the rest is read from the journal. */
  readonly past?: Past;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly evidence: EvidenceStore;
  readonly shaker: Shaker;
  readonly frames: FrameSource;
  readonly reader: DiceReader;
  readonly lamps: Lamps;
  readonly surroundings: Surroundings;
  readonly log: Log;
  readonly bootId: string;
  readonly softwareVersion: string;
  readonly configSha256: string;
  /** Told of a mistake in the program, or of a journal that will never take a record again, after `abandon` has begun: the process is to end. */
  readonly onFailure: (error: unknown) => void;
}

/** Pause before a vision process or calibration that did not load is tried again, ms. */
const readerRetryMs = 5_000;

/** A table at work: the ports composed around the one queue. Open it with `start`, end it with `stop`; both once. */
export class RunningTable implements Table {
  readonly #parts: TableParts;
  readonly #runner: TableRunner;
  readonly #orders: OrderRunner;
  readonly #diceWatch: DiceWatch;
  readonly #board: FaultBoard;
  readonly #devices: DeviceWatch;
  #cancelReaderRetry: () => void = () => {};
  #isStopping = false;

  /** Rebuilds the state from the journal. Touches no device. */
  constructor(parts: TableParts) {
    this.#parts = parts;
    const { clock, log, lamps } = parts;
    // A round keeps the settings with which it opened, also when the table started anew with others.
    const playNow = (): PlaySettings => liveRound(this.#runner.state)?.play ?? parts.play;
    const dispatch = (fact: TableFact) => void this.#runner.dispatch(fact);
    this.#board = new FaultBoard(clock, dispatch);
    this.#devices = new DeviceWatch(this.#board, clock, lamps, parts.surroundings, () => this.#runner.state.orderCount);
    this.#runner = new TableRunner({
      tableId: parts.tableId,
      context: parts,
      clock,
      journal: parts.journal,
      ...(parts.past === undefined ? {} : { past: parts.past }),
      lamps,
      log,
      runEffect: (effect) => this.#orders.run(effect),
      onJournal: (isWritable, detail) => {
        if (isWritable) {
          this.#board.clear('journal.unwritable');
          // Once all that waited has been taken.
          queueMicrotask(() => this.#board.reconcile(this.#runner.state.faults.keys()));
        } else this.#board.raise('journal.unwritable', detail);
      },
      onFailure: (error) => {
        void this.abandon();
        parts.onFailure(error);
      },
    });
    this.#diceWatch = new DiceWatch({
      ...parts,
      board: this.#board,
      get play() {
        return playNow();
      },
    });
    this.#orders = new OrderRunner({
      clock,
      log,
      dispatch,
      shaker: parts.shaker,
      diceWatch: this.#diceWatch,
      shakeMsMax: () => playNow().shakeMsMax,
    });
  }

  get state(): TableState {
    return this.#runner.state;
  }

  get head(): JournalHead {
    return this.#parts.journal.head;
  }

  get standingFaults(): readonly FaultCode[] {
    return this.#board.standing;
  }

  get refusedCounts(): Readonly<Record<string, number>> {
    return this.#runner.refusedCounts;
  }

  /** Sets the lamps from the journal, records the start, then opens the devices. Resolves when the lamps are set; devices may come later. When the
   *  journal cannot be written, the start waits at the head of the queue, before all that the devices say: until then nothing is decided. */
  async start(): Promise<void> {
    const { lamps, clock, surroundings, bootId, softwareVersion, configSha256, shaker, frames, reader } = this.#parts;
    // Told first, the lamps show the journal's picture as soon as their lines are held.
    this.#runner.showLamps();
    await lamps.open();
    // Told to stop while it waited: what was given back is not taken again.
    if (this.#isStopping) return;
    void this.#runner.dispatch({
      kind: 'tableStarted',
      at: clock.now(),
      bootId,
      softwareVersion,
      configSha256,
      isClockSynchronised: surroundings.isClockSynchronised(),
    });
    if (this.#isStopping) return;
    this.#runner.onAppended((records) => this.#clearLatches(records));
    this.#devices.start(shaker, frames, reader, (fact) => void this.#runner.dispatch(fact));
    this.#diceWatch.start();
    shaker.open();
    frames.open();
    this.#openReader();
  }

  /** Ends the round as the design says (void before the shake, hold after it), stops the motor, darkens the lamps, lets the devices go. */
  async stop(signal: string): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#cancelReaderRetry();
    const { shaker, frames, reader, lamps, clock } = this.#parts;
    // An unwritable journal must not keep the process alive: the fact is then lost as in a power cut, and the start tells. Nor may what waits
    // for the disk be taken while the devices are let go.
    const stopping = this.#runner.isJournalWritable
      ? this.#runner.dispatch({ kind: 'tableStopping', at: clock.now(), signal })
      : null;
    if (this.#runner.isJournalWritable) await stopping;
    else this.#runner.close();
    this.#devices.close();
    this.#orders.close();
    this.#diceWatch.close();
    lamps.close();
    await Promise.all([shaker.close(), frames.close(), reader.close()]);
    this.#runner.close();
  }

  /** After a mistake in the program: decides and writes nothing more, stops the motor and darkens the lamps, whatever else fails. The next start
   *  finds the journal as after a power cut. Never rejects; resolves within the 2 s of `Shaker.close`. */
  async abandon(): Promise<void> {
    this.#isStopping = true;
    this.#runner.close();
    this.#cancelReaderRetry();
    const { shaker, lamps } = this.#parts;
    await Promise.all([
      this.#attempt(() => shaker.close()),
      this.#attempt(() => lamps.close()),
      this.#attempt(() => this.#orders.close()),
      this.#attempt(() => this.#devices.close()),
      this.#attempt(() => this.#diceWatch.close()),
    ]);
  }

  act(act: Act): Promise<ActOutcome> {
    return this.#runner.act(act);
  }

  onAppended(listener: (records: readonly JournalRecord[]) => void): () => void {
    return this.#runner.onAppended(listener);
  }

  remainingMs(): number | null {
    return this.#runner.remainingMs();
  }

  health(): readonly DeviceHealth[] {
    return healthOf(this.#board, this.#parts, this.#runner.isJournalWritable, this.#diceWatch.driftCounters);
  }

  /** Jam and tamper stay latched in the shaker until a person has said that all is well: with a resume, also one between rounds, or an unlock. */
  #clearLatches(records: readonly JournalRecord[]): void {
    const isWell = records.some(
      ({ event: { kind } }) => kind === 'tableUnlocked' || kind === 'roundResumed' || kind === 'tableResumed',
    );
    if (isWell) void this.#parts.shaker.clearFaults();
  }

  async #attempt(part: () => void | Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      this.#parts.log.error({ error: String(error) }, 'a part of the table could not be brought to rest');
    }
  }

  #openReader(): void {
    const { reader, log, clock } = this.#parts;
    reader.open().then(
      () => {
        this.#board.clear('vision.down');
        this.#board.clear('camera.not-calibrated');
      },
      (error: unknown) => {
        if (this.#isStopping) return;
        const detail = error instanceof Error ? error.message : String(error);
        const isCalibration = error instanceof InputError;
        this.#board.raise(isCalibration ? 'camera.not-calibrated' : 'vision.down', detail);
        log.error(
          { code: error instanceof TableError ? error.code : 'unexpected', detail },
          'dice reader does not open; trying again',
        );
        this.#cancelReaderRetry = clock.after(readerRetryMs, () => this.#openReader());
      },
    );
  }
}
