/** The electrical side of the lamps: numbered outputs behind a chain or behind one line each. Used by `GpioLamps` only. */
export interface LampOutputs {
  /** Takes the lines that are not held yet, inactive level first. Never rejects: see `problems`. May be called again for missing lines. */
  take(): Promise<void>;
  /** Lights exactly these outputs and darkens all others. A refused write shows in `problems`. */
  write(lit: ReadonlySet<number>): void;
  /** Whether the lamp at this output can be lit at the moment. */
  isWorking(output: number): boolean;
  /** One readable line per missing line; empty when all work. */
  readonly problems: readonly string[];
  /** All dark, then gives the lines back. */
  close(): void;
}
