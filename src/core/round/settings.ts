/** How a house plays, fixed into the round when it opens. Sources: rules R1 to R6, design section 2. Names carry units. */
export interface PlaySettings {
  /** `bets-first`: bets, then the shake. `shake-first`: the shake under a cover, then bets, then the uncovering. */
  readonly orderOfPlay: 'bets-first' | 'shake-first';
  /** What an unreadable throw does: shake again with wagers standing (R3), or void the round with refund. */
  readonly unreadableThrow: 'reshake' | 'void';
  /** Tumbles that the last activation of a shake must show, 1 to 9 (R5: 3). */
  readonly tumblesMin: number;
  /** Activations of the first shake, and of a re-shake (R4: macau 3). 1 to 5. */
  readonly shakeActivations: number;
  readonly reshakeActivations: number;
  /** Shakes in a round before the table holds and calls, 1 to 20. */
  readonly shakesMax: number;
  /** Times the dice at rest are read again on fresh frames before the table holds, 1 to 10. */
  readonly readAttemptsMax: number;
  /** Betting countdown, ms. */
  readonly bettingMs: number;
  /** Between "no more bets" and the shake (or the uncovering), ms. Not used where the dealer orders the shake. */
  readonly noMoreBetsMs: number;
  /** Time a shake may take from order to answer, ms; the link's own deadline is shorter. */
  readonly shakeMsMax: number;
  /** Settle window: how long nothing may move before the dice count as at rest, ms. */
  readonly settleMs: number;
  /** Time the dice may take to come to rest after the shake, ms; longer than `settleMs`. */
  readonly settleMsMax: number;
  /** Time a reading of several pictures may take while the camera delivers, ms: room for a slow machine, or for a vision process that is replaced. A single picture
   *  has 2,000 ms, and a silent camera ends a reading within as much (failures.md CAM-08; `runtime/look-failures.ts`). */
  readonly readMsMax: number;
  /** Review window between `resultDeclared` and `roundSettled`, ms (design: 5,000). */
  readonly reviewMs: number;
  /** Pause after a round before the next opens by itself, ms. */
  readonly nextRoundMs: number;
  /** True: rounds open and dice are shaken without a dealer. False: the dealer opens each round and orders each first shake;
   *  in shake-first play the act that opens the round is that order. Re-shakes are ordered by the table in both. */
  readonly isUnattended: boolean;
  /** Cap on rounds an hour in unattended play (design section 8: 50). 0 means no cap. */
  readonly roundsPerHourMax: number;
}
