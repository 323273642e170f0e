import { type SeededRandom, seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { RefusalCause } from '../../src/core/judging/reading.ts';
import { EventInvariants } from '../../src/core/round/invariants.ts';
import type { PlaySettings } from '../../src/core/round/settings.ts';
import { type Dice, type Face, sortedDice } from '../../src/core/rules/dice.ts';
import { dealer, type OpenTable, openTable, restarted, supervisor, technician } from '../runtime/open-table.ts';

/** What one seed came to. */
export interface StormReport {
  readonly roundCount: number;
  readonly settledCount: number;
  readonly voidedCount: number;
  readonly restartCount: number;
  /** Every record that must never have been, in words; empty when all is well. */
  readonly problems: readonly string[];
  /** Hash of the last record: the same for the same seed. */
  readonly headHash: string;
}

const badThrows: readonly RefusalCause[] = ['tilted', 'overlapping', 'too-few-dice', 'foreign-object', 'glare'];

/** Plays a table through a storm of faults and acts, all from one seed, until `roundCount` rounds have ended, then lets the weather clear and
 *  expects one more result. @param calm true: no faults at all, to measure the speed. */
export async function playStorm(
  seed: number,
  roundCount: number,
  play: Partial<PlaySettings> = {},
  calm = false,
): Promise<StormReport> {
  const storm = new Storm(seed, play, calm);
  await storm.begin();
  while (storm.endedCount < roundCount) await storm.blow();
  await storm.clear();
  return storm.report();
}

class Storm {
  readonly #random: SeededRandom;
  readonly #play: Partial<PlaySettings>;
  readonly #isCalm: boolean;
  readonly #invariants = new EventInvariants();
  readonly #problems: string[] = [];
  #table: OpenTable | null = null;
  #checkedCount = 0;
  #settledCount = 0;
  #voidedCount = 0;
  #restartCount = 0;

  constructor(seed: number, play: Partial<PlaySettings>, isCalm: boolean) {
    this.#random = seededRandom(seed);
    this.#play = play;
    this.#isCalm = isCalm;
  }

  get endedCount(): number {
    return this.#settledCount + this.#voidedCount;
  }

  async begin(): Promise<void> {
    this.#follow(await openTable(this.#options()));
  }

  /** A while of play with at most one new fault or act in it. */
  async blow(): Promise<void> {
    const open = this.#open;
    if (!this.#isCalm) await this.#strike(open);
    await this.#open.clock.advance(this.#random.between(20, 1_500));
    this.#look();
    // Somebody is always there who heals what was broken, sooner or later, and lets the table go on.
    if (!this.#isCalm && this.#random.next() < 0.35) await this.#heal();
  }

  /** All faults end, persons let the table go on, and it has to come to a result by itself. */
  async clear(): Promise<void> {
    const settledBefore = this.#settledCount;
    for (let tries = 0; tries < 60 && this.#settledCount === settledBefore; tries += 1) {
      await this.#heal();
      await this.#open.clock.advance(5_000);
      this.#look();
    }
    if (this.#settledCount > settledBefore) return;
    const { phase, hold, pending, faults } = this.#open.table.state;
    this.#problems.push(`stuck in ${phase} (${hold?.cause}), pending ${pending?.kind}, faults ${[...faults.keys()].join(' ')}`);
  }

  report(): StormReport {
    return {
      roundCount: this.#open.table.state.roundCount,
      settledCount: this.#settledCount,
      voidedCount: this.#voidedCount,
      restartCount: this.#restartCount,
      problems: this.#problems,
      headHash: this.#open.journal.head.hash,
    };
  }

  get #open(): OpenTable {
    if (this.#table === null) throw new Error('the storm has not begun');
    return this.#table;
  }

  #options(): Parameters<typeof openTable>[0] {
    return { play: { ...this.#play }, throws: () => this.#throw() };
  }

  #throw(): Dice | RefusalCause {
    if (!this.#isCalm && this.#random.next() < 0.1) return this.#random.pick(badThrows);
    const face = (): Face => this.#random.pick([1, 2, 3, 4, 5, 6] as const);
    return sortedDice(face(), face(), face());
  }

  /** Checks each record as it is written, against the rules of every journal and against what really lies in the tray. */
  #follow(open: OpenTable): void {
    this.#table = open;
    this.#check(open);
    open.table.onAppended(() => this.#check(open));
  }

  #check(open: OpenTable): void {
    for (const { event, recordNumber } of open.journal.read(this.#checkedCount, 1_000)) {
      this.#checkedCount = recordNumber;
      for (const { problem } of this.#invariants.check(event)) this.#problems.push(`record ${recordNumber}: ${problem}`);
      if (event.kind === 'roundSettled') this.#settledCount += 1;
      if (event.kind === 'roundVoided') this.#voidedCount += 1;
      if (event.kind === 'resultDeclared' && String(event.dice) !== String(open.tray.lies)) {
        this.#problems.push(`record ${recordNumber}: ${event.dice} declared, ${open.tray.lies} lie in the tray`);
      }
    }
  }

  /** What must hold at any moment. */
  #look(): void {
    const { table, lamps, shaker } = this.#open;
    const { phase, round, pending } = table.state;
    const winners = round?.result !== null && round?.end !== 'voided' ? (round?.result?.winningZones ?? []) : [];
    const { lit, condition } = lamps.status;
    // Lamps that will be dark do not wait for the disk.
    const isSame = lit.size === winners.length || table.standingFaults.includes('journal.unwritable');
    if (condition !== 'offline' && !(isSame && [...lit].every((zone) => winners.includes(zone)))) {
      this.#problems.push(`${phase}: lamps show ${[...lit]}, the journal says ${winners}`);
    }
    if (shaker.isShaking && pending?.kind !== 'shake') {
      this.#problems.push(`${phase}: the shaker runs and nothing was ordered`);
    }
  }

  async #heal(): Promise<void> {
    const { shaker, frames, reader, tray, journal, evidence, lamps, table, act } = this.#open;
    journal.isUnwritable = false;
    evidence.isUnwritable = false;
    lamps.fail(null);
    shaker.plug(true);
    frames.setFault(null);
    reader.revive();
    tray.defect = null;
    tray.isShaking = false;
    tray.isMotionHidden = false;
    const { phase } = table.state;
    if (phase === 'locked') await act({ kind: 'unlock', reason: 'looked', second: technician });
    else if (phase === 'held') {
      const outcome = await act({ kind: 'resume' });
      if (outcome.kind === 'refused') await act({ kind: 'void', reason: 'cannot go on', second: dealer });
    } else if (table.state.faults.has('shaker.jammed')) await act({ kind: 'hold', reason: 'jam' });
  }

  async #strike(open: OpenTable): Promise<void> {
    const { shaker, frames, reader, tray, journal, evidence, lamps, table, act } = open;
    const random = this.#random;
    const roundId = random.next() < 0.2 ? 'T1-0a1b2c3d-999999' : (table.state.round?.roundId ?? null);
    switch (random.index(26)) {
      case 0:
        return shaker.befall(random.pick(['rebooted', 'jammed', 'lid-open', 'supply', 'tamper'] as const));
      case 1:
        return shaker.plug(false);
      case 2:
        return shaker.queue(
          random.pick([{ tumbles: 2 }, { tumbles: 0 }, { fails: 'link-lost' }, { fails: 'no-answer' }, { isSettled: false }]),
        );
      case 3:
        return reader.kill();
      case 4:
        return frames.setFault(
          random.pick([{ kind: 'silent' }, { kind: 'frozen' }, { kind: 'cut' }, { kind: 'stale', frameCount: 5 }]),
        );
      case 5:
        tray.defect = random.pick(['black', 'blurred', 'frozen', 'scene-changed', 'blown-out'] as const);
        return;
      case 6:
        tray.isMotionHidden = true;
        return;
      case 7:
        tray.isShaking = true;
        return;
      case 8:
        journal.isUnwritable = true;
        return;
      case 9:
        evidence.isUnwritable = true;
        return;
      case 10:
        lamps.fail('simulated');
        return;
      case 11:
        await act({ kind: 'hold', reason: 'storm', by: dealer, roundId });
        return;
      case 12:
        await act({ kind: 'resume', roundId });
        return;
      case 13:
        await act({ kind: 'void', reason: 'storm', second: random.next() < 0.5 ? dealer : null, roundId });
        return;
      case 14:
        // Two clients at the same moment.
        await Promise.all([
          act({ kind: 'closeBetting', by: dealer, roundId }),
          act({ kind: 'closeBetting', roundId }),
          act({ kind: 'shake', by: supervisor, roundId }),
        ]);
        return;
      case 15:
        await act({ kind: 'open', by: dealer, roundId });
        return;
      case 16: {
        this.#restartCount += 1;
        const isOrderly = random.next() < 0.3;
        if (isOrderly) await open.table.stop('SIGTERM');
        this.#follow(await restarted(open, this.#options()));
        return;
      }
      default:
        return;
    }
  }
}
