import type { FaultCode, ShakeFailure } from '../core/round/faults.ts';

export interface ShakeOrder {
  /** Makes a repeated order harmless: the firmware runs each number once, over reboots too. Positive, grows for ever, below 2^31. */
  readonly orderNumber: number;
  /** Runs of the motor, 1 to 5. */
  readonly activationCount: number;
  /** Tumbles that each activation should make, 1 to 9. */
  readonly tumbleCount: number;
}

export type ShakeOutcome =
  | {
      readonly kind: 'finished';
      /** Tumbles of the last activation proven by the firmware's sensor. */
      readonly tumbleCount: number;
      readonly activationCount: number;
      readonly isSettled: boolean;
    }
  | { readonly kind: 'failed'; readonly cause: ShakeFailure };

export interface ShakerIdentity {
  readonly deviceId: string;
  readonly firmwareVersion: string;
  readonly protocolVersion: number;
  /** Grows by one at each start of the firmware. */
  readonly bootCount: number;
}

export type ShakerNotice =
  | { readonly kind: 'online'; readonly identity: ShakerIdentity }
  | { readonly kind: 'offline'; readonly detail: string }
  /** The firmware began an activation; frames before this moment are not part of it. */
  | { readonly kind: 'activationStarted'; readonly orderNumber: number; readonly activationNumber: number }
  | { readonly kind: 'tumble'; readonly orderNumber: number; readonly tumbleNumber: number; readonly strengthMilliG: number }
  /** The last order that the device remembers, told after a handshake with a device that has had one. Lower numbers, and this one, run no more. */
  | { readonly kind: 'ordersSeen'; readonly orderNumber: number }
  /** Where the cover's sensor says that it is: told after each handshake and when it changes without an order, never for an ordered move, whose
   *  answer says it. Silent while the cover is on its way, and on a shaker without one. */
  | { readonly kind: 'coverSensed'; readonly position: 'open' | 'closed' }
  | { readonly kind: 'tamper'; readonly detail: string }
  | { readonly kind: 'faultRaised'; readonly fault: FaultCode; readonly detail: string }
  | { readonly kind: 'faultCleared'; readonly fault: FaultCode };

export interface ShakerStatus {
  readonly isOnline: boolean;
  readonly identity: ShakerIdentity | null;
  /** Counters since the process started: lines refused by cause, stale answers, sessions opened, boots seen. */
  readonly counters: Readonly<Record<string, number>>;
}

/** Throws the dice. Real: `SerialShaker`. Simulated: `SimShaker`. Both pass `test/contracts/shaker-contract.ts`. */
export interface Shaker {
  readonly status: ShakerStatus;
  /** Starts to look for the device and keeps looking until `close`; a missing device is an `offline` notice, not an error. */
  open(): void;
  /** One order at a time; one whose predecessor is aborted and still stops waits for that. Never rejects: whatever happens becomes an outcome, at the latest after the link's own deadline. A device that is
   *  not online at this moment gives `failed: link-lost` and no byte is sent, then or later. Aborting stops the motor and gives `failed: aborted`. */
  shake(order: ShakeOrder, signal: AbortSignal): Promise<ShakeOutcome>;
  /** Stops the motor now. Resolves when the firmware confirmed or the link is gone; never rejects. */
  stop(): Promise<void>;
  /** Moves the cover and resolves with the sensor's word. */
  moveCover(
    orderNumber: number,
    position: 'open' | 'closed',
  ): Promise<{ readonly kind: 'moved' } | { readonly kind: 'failed'; readonly cause: ShakeFailure }>;
  /** A person has looked at the shaker: makes it forget a jam and tamper, which stand until then, also over restarts. Moves nothing. Never rejects;
   *  what still stands afterwards stays raised. */
  clearFaults(): Promise<void>;
  /** Listeners are called in the order of arrival; a listener must not throw. @returns unsubscribe. */
  onNotice(listener: (notice: ShakerNotice) => void): () => void;
  /** Stops the motor, closes the port; resolves within 2 s whatever the device does. */
  close(): Promise<void>;
}
