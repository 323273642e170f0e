import type { TableEvent, TableLifeEvent } from './events.ts';
import { isBlocking } from './faults.ts';
import { type RoundWatch, roundEventProblems, roundWatchOf } from './round-invariants.ts';

/** A record that `stepTable` can never have written, or a sequence that must never be. */
export interface Violation {
  /** Position of the event among those checked, from 0. */
  readonly eventIndex: number;
  readonly kind: TableEvent['kind'];
  /** What is wrong, for people. */
  readonly problem: string;
}

/** Checks the journal's events, one after the other from the first, against what must hold in every journal: one terminal record a round, the
 *  order of play, never two results, a result only from a proven throw, one order at a time, round ids never used twice, nothing under a lock,
 *  hold or blocking fault. Made apart from `stepTable` and `applyEvent`, so that it can find their mistakes. Memory does not grow with the journal. */
export class EventInvariants {
  #eventCount = 0;
  #hasStarted = false;
  #isStopped = false;
  #isLocked = false;
  #isHeld = false;
  #roundCount = 0;
  #lastOrderNumber = 0;
  #journalId: string | null = null;
  readonly #blocking = new Set<string>();
  #watch: RoundWatch | null = null;

  /** @returns what is wrong with this event at this place; empty when nothing is. */
  check(event: TableEvent): readonly Violation[] {
    const problems = [...this.#orderProblems(event), ...this.#problemsOf(event)];
    const eventIndex = this.#eventCount++;
    return problems.map((problem) => ({ eventIndex, kind: event.kind, problem }));
  }

  #problemsOf(event: TableEvent): readonly string[] {
    switch (event.kind) {
      case 'journalCreated':
      case 'tableStarted':
      case 'tableStopped':
      case 'tableLocked':
      case 'tableUnlocked':
      case 'tableHeld':
      case 'tableResumed':
      case 'ordersSeen':
      case 'coverSensed':
      case 'nextRoundScheduled':
      case 'faultRaised':
      case 'faultCleared':
        return [...this.#runningProblems(event), ...this.#lifeProblems(event)];
      case 'roundOpened': {
        const problems = [...this.#runningProblems(event), ...this.#openProblems(event)];
        this.#roundCount = event.roundNumber;
        this.#watch = roundWatchOf(event.roundId, event.play);
        return problems;
      }
      default: {
        const problems = [...this.#runningProblems(event)];
        if (event.kind === 'shakeOrdered') problems.push(...this.#playProblems());
        if (this.#watch === null) return [...problems, 'no round is open'];
        problems.push(...roundEventProblems(this.#watch, event));
        if (event.kind === 'roundSettled' || event.kind === 'roundVoided') this.#watch = null;
        return problems;
      }
    }
  }

  #lifeProblems(event: TableLifeEvent): readonly string[] {
    switch (event.kind) {
      case 'journalCreated': {
        const problems = this.#eventCount === 0 ? [] : ['a journal is created once'];
        this.#journalId = event.journalId;
        return problems;
      }
      case 'tableStarted':
        this.#hasStarted = true;
        this.#isStopped = false;
        this.#blocking.clear();
        return [];
      case 'tableStopped':
        this.#isStopped = true;
        return [];
      case 'faultRaised':
        if (isBlocking(event.fault)) this.#blocking.add(event.fault);
        return [];
      case 'faultCleared':
        this.#blocking.delete(event.fault);
        return [];
      case 'tableLocked': {
        const problems = [
          ...(this.#isLocked ? ['the table is locked already'] : []),
          ...(this.#watch !== null && !this.#watch.hasResult ? ['a round without a result lives on under the lock'] : []),
        ];
        this.#isLocked = true;
        this.#isHeld = false;
        return problems;
      }
      case 'tableUnlocked':
        this.#isLocked = false;
        return event.by.name === event.second.name ? ['unlocked by one person'] : [];
      case 'tableHeld':
        this.#isHeld = true;
        return this.#watch === null ? [] : ['held between rounds while a round is open'];
      case 'tableResumed': {
        const problems = this.#isHeld ? [] : ['resumed without a hold'];
        this.#isHeld = false;
        return problems;
      }
      case 'nextRoundScheduled':
        return [...this.#playProblems(), ...(this.#watch === null ? [] : ['the next round is scheduled while one is open'])];
      case 'ordersSeen':
      case 'coverSensed':
        return [];
      default:
        return event satisfies never;
    }
  }

  #openProblems(event: TableEvent & { readonly kind: 'roundOpened' }): readonly string[] {
    const problems = [...this.#playProblems()];
    if (this.#watch !== null) problems.push(`round ${this.#watch.roundId} has no terminal record`);
    if (event.roundNumber !== this.#roundCount + 1) problems.push(`round number ${event.roundNumber} after ${this.#roundCount}`);
    const ending = `-${this.#journalId}-${String(event.roundNumber).padStart(6, '0')}`;
    if (!event.roundId.endsWith(ending)) problems.push(`round id ${event.roundId} does not end in ${ending}`);
    return problems;
  }

  /** What forbids that a round opens or a shake starts. */
  #playProblems(): readonly string[] {
    const problems = [...this.#blocking].map((fault) => `play under ${fault}`);
    if (this.#isLocked) problems.push('play under a lock');
    if (this.#isHeld) problems.push('play under a hold');
    return problems;
  }

  #runningProblems(event: TableEvent): readonly string[] {
    if (event.kind === 'journalCreated' || event.kind === 'tableStarted') return [];
    if (!this.#hasStarted) return ['before the first start'];
    return this.#isStopped ? ['between stop and start'] : [];
  }

  #orderProblems(event: TableEvent): readonly string[] {
    if (!('orderNumber' in event)) return [];
    const problems =
      event.orderNumber > this.#lastOrderNumber ? [] : [`order ${event.orderNumber} after ${this.#lastOrderNumber}`];
    this.#lastOrderNumber = Math.max(this.#lastOrderNumber, event.orderNumber);
    return problems;
  }
}

/** All violations of a whole journal's events, given from the first. */
export function violationsOf(events: Iterable<TableEvent>): readonly Violation[] {
  const invariants = new EventInvariants();
  const violations: Violation[] = [];
  for (const event of events) violations.push(...invariants.check(event));
  return violations;
}
