/** An order to a device. Answers carry `orderNumber`; an answer to an older question is refused as stale. Lamps, feed and timers are
 *  not effects: they follow from the state. Orders run once their event is on disk, except `stopShaker`, which never waits for the journal. */
export type Effect =
  | {
      readonly kind: 'shake';
      readonly orderNumber: number;
      readonly roundId: string;
      readonly shakeNumber: number;
      readonly activationCount: number;
      readonly tumblesMin: number;
    }
  | { readonly kind: 'stopShaker' }
  | { readonly kind: 'moveCover'; readonly orderNumber: number; readonly position: 'open' | 'closed' }
  /** Watch until all dice rest and count the motion bursts since the shake began; never ordered while the cover is closed. */
  | { readonly kind: 'watchRest'; readonly orderNumber: number; readonly shakeNumber: number }
  | { readonly kind: 'readDice'; readonly orderNumber: number; readonly shakeNumber: number };
