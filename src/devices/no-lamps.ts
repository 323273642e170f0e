import type { LampStatus, Lamps } from '../ports/lamps.ts';

/** A table without lamps under its felt: nothing lights, and that is no fault. */
export class NoLamps implements Lamps {
  readonly status: LampStatus = { condition: 'ok', problems: [], lit: new Set() };

  async open(): Promise<void> {}

  show(): void {}

  close(): void {}
}
