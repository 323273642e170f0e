/** Durations of the shaker link, ms. Source of the defaults: firmware-protocol/README.md sections 6 and 7. */
export interface LinkTimings {
  /** An answer must be here this long after its request was written; the device promises 100. */
  readonly replyMsMax: number;
  /** Pause between two heartbeats. Silence is noticed after at most `heartbeatMs` + 2 × `replyMsMax`: two heartbeats with the defaults. */
  readonly heartbeatMs: number;
  /** How often the path is looked at. Twice in a row elsewhere or gone means that the device is: a hang-up of which the system said nothing (seen
   *  in 1 of 60 closed pseudo-terminals) is shown within `replyMsMax` all the same. */
  readonly presenceMs: number;
  /** `hello` is repeated this often until answered. */
  readonly helloMs: number;
  /** A port whose device has not shaken hands in this time is closed and opened again. Longer than a board's start (3 s). */
  readonly handshakeMsMax: number;
  /** An `open` that takes longer is left alone and shown as offline. */
  readonly openMsMax: number;
  /** A `close` that takes longer is left alone. */
  readonly closeMsMax: number;
  /** Pause before the next try after a failure: doubles from min to max. The maximum keeps the way back under 10 s. */
  readonly reconnectMsMin: number;
  readonly reconnectMsMax: number;
  /** Added to the device's own maximum for an order before the host gives up on it. */
  readonly orderMarginMs: number;
}

/** Timings for a shaker on a serial line. */
export const defaultLinkTimings: LinkTimings = {
  replyMsMax: 500,
  heartbeatMs: 1_000,
  presenceMs: 200,
  helloMs: 500,
  handshakeMsMax: 5_000,
  openMsMax: 2_000,
  closeMsMax: 1_000,
  reconnectMsMin: 200,
  reconnectMsMax: 2_000,
  orderMarginMs: 2_000,
};
