/** What a soak finds: the first thing that is wrong ends it. Also counts what was done, for the summary. */
export class Findings {
  readonly problems: string[] = [];
  readonly counts: Record<string, number> = {};
  readonly #controller = new AbortController();

  /** Aborted by the first problem, or by `stop`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  wrong(problem: string): void {
    if (this.problems.length < 20) this.problems.push(problem);
    this.#controller.abort();
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  countOf(what: string): number {
    return this.counts[what] ?? 0;
  }

  /** Ends the soak without a problem. */
  stop(): void {
    this.#controller.abort();
  }
}
