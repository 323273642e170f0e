import { EventInvariants } from '../core/round/invariants.ts';
import type { JournalRecord } from '../ports/journal.ts';
import type { JournalDamage } from './journal-damage.ts';

/** Findings that are listed; further ones are mostly consequences of the first. */
const findingCountMax = 20;

/** Checks the records against what must hold in every round, whoever wrote them. */
export class RuleCheck {
  readonly #invariants = new EventInvariants();
  readonly #found: JournalDamage[] = [];

  /** Takes the next sound record. */
  take({ event, recordNumber }: JournalRecord): void {
    for (const { kind, problem } of this.#invariants.check(event)) {
      if (this.#found.length === findingCountMax) return;
      this.#found.push({ recordNumber, cause: 'rule-broken', detail: `${kind}: ${problem}` });
    }
  }

  damages(): readonly JournalDamage[] {
    return this.#found;
  }
}
