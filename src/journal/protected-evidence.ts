import type { TableEvent } from '../core/round/events.ts';
import type { JournalRecord } from '../ports/journal.ts';

/** Rounds whose pictures are kept whatever the quota says: twenty times the 10 games of recall that gaming rules ask for (design section 8). */
const protectedRoundCount = 200;

/** SHA-256 of all pictures that an event names. */
export function evidenceOf(event: TableEvent): readonly string[] {
  if (event.kind === 'diceRead') return event.reading.evidence.map((picture) => picture.sha256);
  if (event.kind === 'resultDeclared') return event.evidence;
  return [];
}

/** Follows the journal and knows which pictures may not be removed: those of the last 200 rounds and of every round that was held or voided. */
export class ProtectedEvidence {
  readonly #recent = new Map<string, Set<string>>();
  readonly #disputed = new Map<string, Set<string>>();

  /** Takes the next record of the journal, in order. */
  take(record: JournalRecord): void {
    const { event } = record;
    if (!('roundId' in event) || event.roundId === null) return;
    const { roundId } = event;
    const pictures = this.#recent.get(roundId) ?? this.#disputed.get(roundId) ?? new Set<string>();
    for (const sha256 of evidenceOf(event)) pictures.add(sha256);
    if (event.kind === 'roundHeld' || event.kind === 'roundVoided') this.#disputed.set(roundId, pictures);
    if (this.#recent.has(roundId)) return;
    this.#recent.set(roundId, pictures);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= protectedRoundCount) break;
      this.#recent.delete(oldest);
    }
  }

  isProtected(roundId: string): boolean {
    return this.#recent.has(roundId) || this.#disputed.has(roundId);
  }

  /** What `EvidenceFiles.prune` must keep. */
  sha256s(): ReadonlySet<string> {
    const all = new Set<string>();
    for (const pictures of [...this.#recent.values(), ...this.#disputed.values()]) for (const sha256 of pictures) all.add(sha256);
    return all;
  }
}
