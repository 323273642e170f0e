import type { TableFact } from '../core/round/facts.ts';
import type { ActOutcome } from '../ports/table.ts';

/** Facts that may wait while the journal cannot be written. Devices answer one question at a time, so a healthy table needs a handful. */
export const waitingFactsMax = 1_000;

/** Of these, the last may be taken only by facts that come once, such as tamper or an answer: faults that come and go must not crowd them out. */
const waitingFaultsMax = 500;

interface WaitingFact {
  readonly fact: TableFact;
  readonly settle: (outcome: ActOutcome) => void;
}

/** The table's one queue: facts are taken strictly in the order of arrival, one at a time, also when taking one brings another. */
export class FactQueue {
  readonly #waiting: WaitingFact[] = [];
  readonly #take: (fact: TableFact) => ActOutcome | 'try-again';
  #isTaking = false;

  /** @param take decides about one fact; `try-again` leaves it at the head, and nothing overtakes it. One for which it throws is not tried again. */
  constructor(take: (fact: TableFact) => ActOutcome | 'try-again') {
    this.#take = take;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Adds a fact and takes all that can be taken. Resolves with what became of this one. Beyond `waitingFactsMax` it is refused as unwritable;
   *  a fault that begins or ends already beyond half of that: which faults stand is told anew when the journal can be written. */
  put(fact: TableFact): Promise<ActOutcome> {
    const isFault = fact.kind === 'faultRaised' || fact.kind === 'faultCleared';
    if (this.#waiting.length >= (isFault ? waitingFaultsMax : waitingFactsMax))
      return Promise.resolve({ kind: 'refused', cause: 'journal-unwritable' });
    const { promise, resolve } = withResolver();
    this.#waiting.push({ fact, settle: resolve });
    this.takeAll();
    return promise;
  }

  /** Takes facts from the head until the queue is empty or the head must wait. @returns true when the queue is empty. @throws what `take` throws. */
  takeAll(): boolean {
    if (this.#isTaking) return false;
    this.#isTaking = true;
    try {
      for (let head = this.#waiting[0]; head !== undefined; head = this.#waiting[0]) {
        const outcome = this.#takenOrDropped(head);
        if (outcome === 'try-again') return false;
        this.#waiting.shift();
        head.settle(outcome);
      }
      return true;
    } finally {
      this.#isTaking = false;
    }
  }

  #takenOrDropped(head: WaitingFact): ActOutcome | 'try-again' {
    try {
      return this.#take(head.fact);
    } catch (error) {
      this.#waiting.shift();
      head.settle({ kind: 'refused', cause: 'stopping' });
      throw error;
    }
  }
}

function withResolver(): { promise: Promise<ActOutcome>; resolve: (outcome: ActOutcome) => void } {
  let resolve: (outcome: ActOutcome) => void = () => {};
  const promise = new Promise<ActOutcome>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
