import type { AnswerFields } from '../../firmware-protocol/messages.ts';
import type { FaultCode } from '../core/round/faults.ts';
import type { ShakerNotice } from '../ports/shaker.ts';

/** Standing faults of the shaker as last heard: tells only changes. While the link is down the last word stands; the next handshake corrects it. */
export class ShakerFaults {
  readonly #tell: (notice: ShakerNotice) => void;
  readonly #standing = new Set<FaultCode>();
  #isTampered = false;

  constructor(tell: (notice: ShakerNotice) => void) {
    this.#tell = tell;
  }

  /** Raises or clears one fault; says nothing when it is so already. */
  set(fault: FaultCode, isStanding: boolean, detail: string): void {
    if (this.#standing.has(fault) === isStanding) return;
    if (isStanding) {
      this.#standing.add(fault);
      this.#tell({ kind: 'faultRaised', fault, detail });
    } else {
      this.#standing.delete(fault);
      this.#tell({ kind: 'faultCleared', fault });
    }
  }

  /** Tells tamper once per occurrence; it locks the table, so its end is no notice. */
  setTamper(isTampered: boolean, detail: string): void {
    const isNew = isTampered && !this.#isTampered;
    this.#isTampered = isTampered;
    if (isNew) this.#tell({ kind: 'tamper', detail });
  }

  /** Takes over all that a `status` answer says. */
  setAll(status: AnswerFields<'status'>): void {
    this.set('shaker.lid-open', status.lid === 'open', 'the lid is open');
    this.set('shaker.supply', status.supply === 'low', 'the motor supply is low');
    this.set('shaker.jammed', status.jam === 'on', 'the motor stalled');
    this.setTamper(status.tamper === 'on', 'the tamper contact was triggered');
  }
}
