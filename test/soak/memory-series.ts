/** The resident memory of a process over a run, by the work done. */
export class MemorySeries {
  readonly #samples: { readonly at: number; readonly mb: number }[] = [];

  /** @param at work done so far, in whatever unit; only ever more. @param mb resident memory, MB (10^6 bytes). */
  add(at: number, mb: number): void {
    this.#samples.push({ at, mb });
  }

  get peakMb(): number {
    return Math.max(0, ...this.#samples.map(({ mb }) => mb));
  }

  /** Median of the samples taken from `from` up to `to`; 0 without any. */
  medianMb(from: number, to: number): number {
    const sorted = this.#samples
      .filter(({ at }) => at >= from && at <= to)
      .map(({ mb }) => mb)
      .sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }

  /** Growth by the line of least squares through all samples from `from` on, MB per 1,000 units of work. */
  slopeMb(from: number): number {
    const later = this.#samples.filter(({ at }) => at >= from);
    const mean = (of: (sample: { at: number; mb: number }) => number): number =>
      later.reduce((sum, sample) => sum + of(sample), 0) / later.length;
    const [meanAt, meanMb] = [mean(({ at }) => at), mean(({ mb }) => mb)];
    const spread = mean(({ at }) => (at - meanAt) ** 2);
    return spread === 0 ? 0 : (1_000 * mean(({ at, mb }) => (at - meanAt) * (mb - meanMb))) / spread;
  }

  /** Medians of equal parts of the run, for people: `181 184 183 …`. */
  line(partCount = 10): string {
    const last = this.#samples.at(-1)?.at ?? 0;
    return Array.from({ length: partCount }, (_, part) =>
      Math.round(this.medianMb((last * part) / partCount, (last * (part + 1)) / partCount)),
    ).join(' ');
  }
}
