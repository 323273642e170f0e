/** A moment as the table knows it. Order comes from journal sequence numbers, durations from `monoMs`, people read `wallMs`. */
export interface Instant {
  /** Milliseconds since 1970-01-01 UTC by the machine's wall clock, which may jump. */
  readonly wallMs: number;
  /** Milliseconds of the monotonic clock of this boot; comparable only within one `bootId`. */
  readonly monoMs: number;
}
