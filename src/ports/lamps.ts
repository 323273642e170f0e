/** The lit felt. Real: `GpioLamps` over a 74HC595 chain or direct lines. Simulated: `SimLamps`. Both pass `test/contracts/lamps-contract.ts`. */
export interface Lamps {
  /** Takes the lines, inactive level first, so that no lamp flashes at start. Never rejects for a bad line: see `status`. */
  open(): Promise<void>;
  /** Lights exactly these zones and darkens all others; the last call wins. Zones without a lamp are skipped and counted in `status`. */
  show(zones: ReadonlySet<string>): void;
  readonly status: LampStatus;
  /** All dark, then releases the lines. */
  close(): void;
}

export interface LampStatus {
  /** `offline`: no lamp works. `degraded`: some lines are missing. */
  readonly condition: 'ok' | 'degraded' | 'offline';
  /** One readable line per problem, e.g. "line 23 (zone big): busy". At most 120. */
  readonly problems: readonly string[];
  readonly lit: ReadonlySet<string>;
}
