import type { MachineShake } from '../../hardware-sim/machine-process.ts';
import type { Findings } from './findings.ts';
import { newestRecords } from './journal-peek.ts';

/** A motor run may be told this long after the table that ordered it was killed, ms: its bytes were on the line already. */
const onTheLineMsMax = 2_000;

/** Looks at every motor run at the moment the machine tells of it: its order must be on disk by then, must be the only one of its number, and must not come
 *  from a table that is gone. */
export class MotionCheck {
  readonly #journalPath: string;
  readonly #findings: Findings;
  readonly #seen = new Set<string>();
  #killedAtMs = Number.NEGATIVE_INFINITY;

  constructor(journalPath: string, findings: Findings) {
    this.#journalPath = journalPath;
    this.#findings = findings;
  }

  /** To be called when the table was killed. */
  noteKill(): void {
    this.#killedAtMs = Date.now();
  }

  take({ orderNumber, activationNumber, atMs }: MachineShake): void {
    const run = `order ${orderNumber}, activation ${activationNumber}`;
    this.#findings.count('motor runs');
    if (this.#seen.has(run)) this.#findings.wrong(`the motor ran twice for ${run}`);
    this.#seen.add(run);
    const records = newestRecords(this.#journalPath);
    const order = records.findLast(({ event }) => event.kind === 'shakeOrdered' && event.orderNumber === orderNumber);
    if (order?.event.kind !== 'shakeOrdered') {
      this.#findings.wrong(`the motor ran for ${run}, which is not among the newest records of the journal`);
      return;
    }
    if (order.at.wallMs > atMs)
      this.#findings.wrong(`the motor ran for ${run} ${order.at.wallMs - atMs} ms before the order was decided`);
    if (activationNumber > order.event.activationCount)
      this.#findings.wrong(`${run}: ${order.event.activationCount} activations were ordered`);
    const isOfRunningTable = records.findLast(({ event }) => event.kind === 'tableStarted')?.bootId === order.bootId;
    if (!isOfRunningTable && atMs - this.#killedAtMs > onTheLineMsMax)
      this.#findings.wrong(`the motor ran for ${run} of a table that is gone`);
  }
}
