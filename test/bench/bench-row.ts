/** One line of `npm run bench`. */
export interface BenchRow {
  /** What was measured, e.g. "lamps: full update of 110 lamps". */
  readonly name: string;
  readonly value: number;
  /** Unit of `value`, e.g. "ms". */
  readonly unit: string;
  /** The bound that the design sets, in words, e.g. "<= 20"; empty when the row is only there to compare with. */
  readonly target: string;
  /** What the figure was taken on, for the reader of the table. */
  readonly note: string;
}
