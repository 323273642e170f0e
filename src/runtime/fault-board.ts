import type { FaultFact } from '../core/round/facts.ts';
import { type FaultCode, isBlocking } from '../core/round/faults.ts';
import type { Clock } from '../ports/clock.ts';

/** A fault stands at least this long in the journal before it may clear, so that a flapping device costs at most two records per period. */
export const faultHoldMs = 5_000;

interface Standing {
  readonly detail: string;
  readonly raisedMonoMs: number;
  /** Set while the device says that all is well again but the hold time has not passed. */
  cancelClear: (() => void) | null;
}

/** Turns what devices report into `faultRaised` and `faultCleared` facts, once per change, and remembers first and last times for the health page. */
export class FaultBoard {
  readonly #clock: Clock;
  readonly #report: (fact: FaultFact) => void;
  readonly #standing = new Map<FaultCode, Standing>();
  readonly #history = new Map<FaultCode, { firstMs: number; lastMs: number; count: number }>();

  constructor(clock: Clock, report: (fact: FaultFact) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  get standing(): readonly FaultCode[] {
    return [...this.#standing.keys()];
  }

  get hasBlocking(): boolean {
    return this.standing.some(isBlocking);
  }

  detailOf(fault: FaultCode): string | null {
    return this.#standing.get(fault)?.detail ?? null;
  }

  /** First and last wall time at which any fault with this prefix (`shaker.`) was raised since start, ms; and how often. */
  historyOf(prefix: string): { firstMs: number | null; lastMs: number | null; count: number } {
    let firstMs: number | null = null;
    let lastMs: number | null = null;
    let count = 0;
    for (const [code, entry] of this.#history) {
      if (!code.startsWith(prefix)) continue;
      firstMs = firstMs === null ? entry.firstMs : Math.min(firstMs, entry.firstMs);
      lastMs = lastMs === null ? entry.lastMs : Math.max(lastMs, entry.lastMs);
      count += entry.count;
    }
    return { firstMs, lastMs, count };
  }

  raise(fault: FaultCode, detail: string): void {
    const standing = this.#standing.get(fault);
    if (standing !== undefined) {
      standing.cancelClear?.();
      standing.cancelClear = null;
      return;
    }
    const at = this.#clock.now();
    const entry = this.#history.get(fault) ?? { firstMs: at.wallMs, lastMs: at.wallMs, count: 0 };
    this.#history.set(fault, { firstMs: entry.firstMs, lastMs: at.wallMs, count: entry.count + 1 });
    this.#standing.set(fault, { detail, raisedMonoMs: at.monoMs, cancelClear: null });
    this.#report({ kind: 'faultRaised', at, fault, detail });
  }

  clear(fault: FaultCode): void {
    const standing = this.#standing.get(fault);
    if (standing === undefined || standing.cancelClear !== null) return;
    // A first fault clears at once, so that devices found at start do not delay the first round; a repeated one is held.
    const isRepeated = (this.#history.get(fault)?.count ?? 0) > 1;
    const holdMs = isRepeated ? standing.raisedMonoMs + faultHoldMs - this.#clock.now().monoMs : 0;
    if (holdMs <= 0) this.#clearNow(fault);
    else standing.cancelClear = this.#clock.after(holdMs, () => this.#clearNow(fault));
  }

  /** Reports what stands here and not in `known`, and the end of what is known and stands no more: after a time in which reports may have been lost. */
  reconcile(known: Iterable<FaultCode>): void {
    const at = this.#clock.now();
    const knownFaults = new Set(known);
    for (const [fault, { detail }] of this.#standing) {
      if (!knownFaults.has(fault)) this.#report({ kind: 'faultRaised', at, fault, detail });
    }
    for (const fault of knownFaults) if (!this.#standing.has(fault)) this.#report({ kind: 'faultCleared', at, fault });
  }

  #clearNow(fault: FaultCode): void {
    if (!this.#standing.delete(fault)) return;
    this.#report({ kind: 'faultCleared', at: this.#clock.now(), fault });
  }
}
