import type { AnswerFields, Report } from '../../firmware-protocol/messages.ts';
import type { FaultCode } from '../core/round/faults.ts';
import type { ShakerNotice } from '../ports/shaker.ts';

/** Standing faults of the shaker as last heard: tells only changes. While the link is down the last word stands; the next handshake corrects it. */
export class ShakerFaults {
  readonly #tell: (notice: ShakerNotice) => void;
  readonly #standing = new Set<FaultCode>();
  #isTampered = false;
  #cover: AnswerFields<'status'>['cover'] = 'none';
  /** What listeners believe of the cover; null when they know nothing. */
  #toldCover: 'open' | 'closed' | null = null;

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

  /** Nobody watched the cover while the link was down: whatever the sensor says next is told. */
  forgetCover(): void {
    this.#toldCover = null;
  }

  /** Where the cover is now. Where it was put without an order is told; leaving `closed` so also as tamper: someone may have seen the dice.
   *  @param isOrdered true while an order moves the cover, and when its answer comes; that answer tells the position. */
  setCover(position: AnswerFields<'status'>['cover'], isOrdered: boolean): void {
    const hasLeftClosed = this.#cover === 'closed' && position !== 'closed' && !isOrdered;
    this.#cover = position;
    const isKnown = position === 'open' || position === 'closed';
    const isNews = isKnown && !isOrdered && position !== this.#toldCover;
    this.#toldCover = isKnown ? position : null;
    if (isNews) this.#tell({ kind: 'coverSensed', position });
    if (hasLeftClosed) this.#tell({ kind: 'tamper', detail: 'the cover left its closed position without an order' });
  }

  /** Takes over one changed condition. */
  takeReport(report: Extract<Report, { readonly verb: 'lid' | 'supply' | 'jam' | 'tamper' }>): void {
    switch (report.verb) {
      case 'lid':
        this.set('shaker.lid-open', report.fields.state === 'open', 'the lid is open');
        return;
      case 'supply':
        this.set('shaker.supply', report.fields.state === 'low', 'the motor supply is low');
        return;
      case 'jam':
        this.set('shaker.jammed', report.fields.state === 'on', 'the motor stalled');
        return;
      case 'tamper':
        this.setTamper(report.fields.state === 'on', 'the tamper contact was triggered');
        return;
      default:
        report satisfies never;
    }
  }

  /** Takes over all that a `status` answer says. */
  setAll(status: AnswerFields<'status'>): void {
    this.set('shaker.lid-open', status.lid === 'open', 'the lid is open');
    this.set('shaker.supply', status.supply === 'low', 'the motor supply is low');
    this.set('shaker.jammed', status.jam === 'on', 'the motor stalled');
    this.setTamper(status.tamper === 'on', 'the tamper contact was triggered');
  }
}
