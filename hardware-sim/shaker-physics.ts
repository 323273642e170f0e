/** One run of the motor that the firmware asks the physics for. */
export interface Activation {
  readonly orderNumber: number;
  /** From 1, per order. */
  readonly activationNumber: number;
  /** Tumbles after which the motor stops, 1 to 9. */
  readonly tumbleCount: number;
}

/** What the dice did in one activation. Times in ms from its start. */
export interface ActivationCourse {
  /** In the order of time; strength in thousandths of g, 0 to 65,535. */
  readonly tumbles: readonly { readonly atMs: number; readonly strengthMilliG: number }[];
  /** Null when the dice did not come to rest. */
  readonly settledAtMs: number | null;
}

/** Throws the dice. The firmware knows of them only what this tells: their faces are for the camera. A course that comes later than its own times is played at once. */
export type OnActivation = (activation: Activation) => Promise<ActivationCourse>;

/** A shaker that always does what is asked: a tumble every 120 ms, at rest 300 ms after the last. */
export const evenTumbles: OnActivation = async ({ tumbleCount }) => ({
  tumbles: Array.from({ length: tumbleCount }, (_, index) => ({ atMs: 120 * (index + 1), strengthMilliG: 1_200 + 40 * index })),
  settledAtMs: 120 * tumbleCount + 300,
});
