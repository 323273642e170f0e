import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Shaker, ShakerNotice } from '../../src/ports/shaker.ts';

/** A shaker under test and hands on its device. */
export interface ShakerRig {
  readonly shaker: Shaker;
  /** Waits in the rig's own time. @throws Error when `isReached` stays false for `msMax`. */
  until(isReached: () => boolean, msMax?: number): Promise<void>;
  /** Lets the next activation prove at most this many tumbles. */
  limitTumbles(count: number): void;
  befall(what: 'rebooted' | 'jammed' | 'lid-open' | 'tamper'): void;
  /** A hand moves the cover. */
  pushCover(position: 'open' | 'closed'): void;
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
  /** Activations that the device has begun. */
  motionCount(): number;
  close(): Promise<void>;
}

/** What every `Shaker` must do, on any medium. */
export function shakerContract(name: string, openRig: () => Promise<ShakerRig>): void {
  describe(`${name} as a shaker`, () => {
    let rig: ShakerRig;
    let notices: ShakerNotice[];
    const covers = (): readonly string[] => notices.flatMap((notice) => (notice.kind === 'coverSensed' ? [notice.position] : []));
    /** Without what a handshake tells of cover and orders, which has tests of its own. */
    const kinds = (): readonly string[] =>
      notices.map(({ kind }) => kind).filter((kind) => kind !== 'coverSensed' && kind !== 'ordersSeen');
    const never = (): AbortSignal => new AbortController().signal;
    const order = (orderNumber: number, activationCount = 1) => ({ orderNumber, activationCount, tumbleCount: 3 });

    async function ended<Value>(work: Promise<Value>): Promise<Value> {
      let outcome: { readonly value: Value } | null = null;
      void work.then((value) => {
        outcome = { value };
      });
      await rig.until(() => outcome !== null);
      return work;
    }

    beforeEach(async () => {
      notices = [];
      rig = await openRig();
      rig.shaker.onNotice((notice) => notices.push(notice));
      rig.shaker.open();
      await rig.until(() => rig.shaker.status.isOnline);
    });
    afterEach(() => rig.close());

    it('is online with its identity once the device was found', () => {
      expect(kinds()).toEqual(['online']);
      expect(rig.shaker.status.identity).toMatchObject({ firmwareVersion: '1.0.0', protocolVersion: 1 });
    });

    it('throws the dice as ordered and reports each tumble', async () => {
      const outcome = await ended(rig.shaker.shake(order(1), never()));
      expect(outcome).toEqual({ kind: 'finished', tumbleCount: 3, activationCount: 1, isSettled: true });
      expect(kinds()).toEqual(['online', 'activationStarted', 'tumble', 'tumble', 'tumble']);
      expect(notices).toContainEqual({ kind: 'activationStarted', orderNumber: 1, activationNumber: 1 });
      expect(notices.at(-1)).toMatchObject({ orderNumber: 1, tumbleNumber: 3 });
    });

    it('counts the tumbles of the last of three activations', async () => {
      const outcome = await ended(rig.shaker.shake(order(1, 3), never()));
      expect(outcome).toEqual({ kind: 'finished', tumbleCount: 3, activationCount: 3, isSettled: true });
      expect(rig.motionCount()).toBe(3);
    });

    it('reports a shake with too few tumbles as it was', async () => {
      rig.limitTumbles(2);
      expect(await ended(rig.shaker.shake(order(1), never()))).toMatchObject({ kind: 'finished', tumbleCount: 2 });
    });

    it('runs the same order twice as one shake', async () => {
      const first = await ended(rig.shaker.shake(order(5), never()));
      const second = await ended(rig.shaker.shake(order(5), never()));
      expect(second).toEqual(first);
      expect(rig.motionCount()).toBe(1);
    });

    it('refuses an order that is older than the last one', async () => {
      await ended(rig.shaker.shake(order(5), never()));
      expect(await ended(rig.shaker.shake(order(4), never()))).toEqual({ kind: 'failed', cause: 'refused' });
      expect(rig.motionCount()).toBe(1);
    });

    it.each([
      ['order number 0', { orderNumber: 0, activationCount: 1, tumbleCount: 3 }],
      ['no order number', { orderNumber: Number.NaN, activationCount: 1, tumbleCount: 3 }],
      ['order number 2^31', { orderNumber: 2_147_483_648, activationCount: 1, tumbleCount: 3 }],
      ['no activation', { orderNumber: 1, activationCount: 0, tumbleCount: 3 }],
      ['6 activations', { orderNumber: 1, activationCount: 6, tumbleCount: 3 }],
      ['10 tumbles', { orderNumber: 1, activationCount: 1, tumbleCount: 10 }],
      ['half a tumble', { orderNumber: 1, activationCount: 1, tumbleCount: 0.5 }],
    ])('refuses %s and takes the next order', async (_, impossible) => {
      expect(await ended(rig.shaker.shake(impossible, never()))).toEqual({ kind: 'failed', cause: 'refused' });
      expect(rig.motionCount()).toBe(0);
      expect(await ended(rig.shaker.shake(order(1), never()))).toMatchObject({ kind: 'finished' });
    });

    it('refuses a second order while one runs, and the first goes on', async () => {
      const first = rig.shaker.shake(order(1), never());
      expect(await ended(rig.shaker.shake(order(2), never()))).toEqual({ kind: 'failed', cause: 'refused' });
      expect(await ended(first)).toMatchObject({ kind: 'finished' });
    });

    it('stops when the order is aborted', async () => {
      const abort = new AbortController();
      const shaking = rig.shaker.shake(order(1, 5), abort.signal);
      await rig.until(() => kinds().includes('tumble'));
      abort.abort();
      expect(await ended(shaking)).toEqual({ kind: 'failed', cause: 'aborted' });
      expect(rig.motionCount()).toBe(1);
      expect(await ended(rig.shaker.shake(order(2), never()))).toMatchObject({ kind: 'finished' });
    });

    it('takes the next order in the moment in which the one before was aborted', async () => {
      const abort = new AbortController();
      const first = rig.shaker.shake(order(1), abort.signal);
      await rig.until(() => rig.motionCount() === 1);
      abort.abort();
      const second = rig.shaker.shake(order(2), never());
      expect(await ended(first)).toEqual({ kind: 'failed', cause: 'aborted' });
      expect(await ended(second)).toMatchObject({ kind: 'finished', tumbleCount: 3 });
      expect(rig.motionCount()).toBe(2);
    });

    it('does nothing for an order that was aborted before it began', async () => {
      expect(await ended(rig.shaker.shake(order(1), AbortSignal.abort()))).toEqual({ kind: 'failed', cause: 'aborted' });
      expect(rig.motionCount()).toBe(0);
    });

    it('stops the motor on request', async () => {
      const shaking = rig.shaker.shake(order(1, 5), never());
      await rig.until(() => kinds().includes('tumble'));
      await ended(rig.shaker.stop());
      expect(await ended(shaking)).toEqual({ kind: 'failed', cause: 'aborted' });
    });

    it('fails a shake whose motor jams, holds the fault, and goes on once a person has looked', async () => {
      const shaking = rig.shaker.shake(order(1), never());
      await rig.until(() => kinds().includes('tumble'));
      rig.befall('jammed');
      expect(await ended(shaking)).toEqual({ kind: 'failed', cause: 'jammed' });
      expect(notices).toContainEqual(expect.objectContaining({ kind: 'faultRaised', fault: 'shaker.jammed' }));
      expect(await ended(rig.shaker.shake(order(2), never()))).toEqual({ kind: 'failed', cause: 'jammed' });
      await ended(rig.shaker.clearFaults());
      expect(notices).toContainEqual({ kind: 'faultCleared', fault: 'shaker.jammed' });
      expect(await ended(rig.shaker.shake(order(3), never()))).toMatchObject({ kind: 'finished' });
    });

    it('fails a shake whose lid is opened', async () => {
      const shaking = rig.shaker.shake(order(1), never());
      await rig.until(() => kinds().includes('tumble'));
      rig.befall('lid-open');
      expect(await ended(shaking)).toEqual({ kind: 'failed', cause: 'lid-open' });
      expect(notices).toContainEqual(expect.objectContaining({ kind: 'faultRaised', fault: 'shaker.lid-open' }));
    });

    it('tells tamper once', async () => {
      rig.befall('tamper');
      await rig.until(() => kinds().includes('tamper'));
      expect(kinds().filter((kind) => kind === 'tamper')).toHaveLength(1);
    });

    it('fails a shake whose device restarts, and is online again by itself', async () => {
      const bootCount = rig.shaker.status.identity?.bootCount ?? 0;
      const shaking = rig.shaker.shake(order(1), never());
      await rig.until(() => kinds().includes('tumble'));
      rig.befall('rebooted');
      expect(await ended(shaking)).toEqual({ kind: 'failed', cause: 'rebooted' });
      await rig.until(() => rig.shaker.status.isOnline);
      expect(rig.shaker.status.identity?.bootCount).toBe(bootCount + 1);
      expect(rig.motionCount()).toBe(1);
    });

    it('fails a shake whose link is lost, sends nothing while it is, and is back by itself', async () => {
      const shaking = rig.shaker.shake(order(1), never());
      await rig.until(() => kinds().includes('tumble'));
      await rig.unplug();
      expect(await ended(shaking)).toEqual({ kind: 'failed', cause: 'link-lost' });
      expect(await ended(rig.shaker.shake(order(2), never()))).toEqual({ kind: 'failed', cause: 'link-lost' });
      await rig.plugIn();
      await rig.until(() => rig.shaker.status.isOnline, 10_000);
      expect(kinds().slice(-2)).toEqual(['offline', 'online']);
      expect(rig.motionCount()).toBe(1);
    });

    it('moves the cover and says when the sensor has seen it', async () => {
      expect(await ended(rig.shaker.moveCover(1, 'open'))).toEqual({ kind: 'moved' });
      expect(await ended(rig.shaker.moveCover(2, 'closed'))).toEqual({ kind: 'moved' });
      expect(kinds()).toEqual(['online']);
    });

    it('tells where the cover is after each handshake, and not for a move that was ordered', async () => {
      await rig.until(() => covers().length === 1);
      const away = covers()[0] === 'open' ? 'closed' : 'open';
      expect(await ended(rig.shaker.moveCover(1, away))).toEqual({ kind: 'moved' });
      expect(covers()).toHaveLength(1);
      await rig.unplug();
      await rig.until(() => !rig.shaker.status.isOnline);
      await rig.plugIn();
      await rig.until(() => covers().length === 2, 10_000);
    });

    it('tells the last order that the device knows after a handshake, and nothing of the kind before the first', async () => {
      expect(notices.filter(({ kind }) => kind === 'ordersSeen')).toEqual([]);
      await ended(rig.shaker.shake(order(41), never()));
      await rig.unplug();
      await rig.until(() => !rig.shaker.status.isOnline);
      await rig.plugIn();
      await rig.until(() => notices.some(({ kind }) => kind === 'ordersSeen'), 10_000);
      expect(notices).toContainEqual({ kind: 'ordersSeen', orderNumber: 41 });
    });

    it('tells at once when a hand opens the cover, also as tamper', async () => {
      expect(await ended(rig.shaker.moveCover(1, 'closed'))).toEqual({ kind: 'moved' });
      rig.pushCover('open');
      await rig.until(() => covers().at(-1) === 'open' && kinds().includes('tamper'));
      rig.pushCover('closed');
      await rig.until(() => covers().at(-1) === 'closed');
      expect(kinds()).toEqual(['online', 'tamper']);
    });

    it('tells when a hand opens the cover in a shake', async () => {
      expect(await ended(rig.shaker.moveCover(1, 'closed'))).toEqual({ kind: 'moved' });
      const shaking = rig.shaker.shake(order(2, 3), never());
      await rig.until(() => kinds().includes('tumble'));
      rig.pushCover('open');
      await rig.until(() => covers().at(-1) === 'open' && kinds().includes('tamper'));
      await ended(shaking);
    });

    it('tells nobody who has stopped listening', async () => {
      const heard: string[] = [];
      rig.shaker.onNotice(({ kind }) => heard.push(kind))();
      await ended(rig.shaker.shake(order(1), never()));
      expect(heard).toEqual([]);
    });

    it('aborts what runs when closed, and stays closed', async () => {
      const shaking = rig.shaker.shake(order(1), never());
      await rig.until(() => kinds().includes('activationStarted'));
      await ended(rig.shaker.close());
      expect(await ended(shaking)).toEqual({ kind: 'failed', cause: 'aborted' });
      expect(rig.shaker.status.isOnline).toBe(false);
      expect(await ended(rig.shaker.shake(order(2), never()))).toMatchObject({ kind: 'failed' });
    });
  });
}
