import type { GuideShaker } from '../../calibration/guide-parts.ts';
import type { FaultCode, ShakeFailure } from '../core/round/faults.ts';
import { atMost } from '../doctor/at-most.ts';
import type { Clock } from '../ports/clock.ts';
import type { Shaker, ShakerNotice } from '../ports/shaker.ts';

/** What a shaker is asked for in a calibration: what the table plays with. */
interface GuideShakes {
  readonly activationCount: number;
  readonly tumbleCount: number;
}

/** Longest wait for the handshake, ms: as the doctor's, the link's own 5 s and its 2 s for the opening of the port. */
const handshakeMsMax = 7_500;

/** Longest wait, after the handshake, for the last order that the shaker knows, ms: one answer on the line. A shaker that has never had one is silent. */
const lastOrderMsMax = 1_500;

const failureWords: Readonly<Record<ShakeFailure, string>> = {
  'link-lost': 'The shaker does not answer: look at its power and cable',
  rebooted: 'The shaker has started anew in the middle of the shake: look at its power supply',
  jammed: 'The motor is jammed: switch it off and free the dice cup',
  'no-answer': 'The shaker gave no answer to the order',
  refused: 'The shaker refuses the order',
  'lid-open': 'The lid is open: close it',
  tamper: 'The shaker reports tamper: a technician and a supervisor unlock the table when it starts',
  supply: 'The motor has no supply',
  aborted: 'The shake was stopped',
};

/** Opens the shaker of a table that is stopped, for rolling the dice of a calibration. The order numbers go on above those that the shaker knows, and the
 *  table goes on above these when it starts: no number is used twice. Nothing is written to the journal. The caller closes the shaker.
 *  @returns null when it does not answer: the dice are rolled by hand then. */
export async function openGuideShaker(shaker: Shaker, clock: Clock, shakes: GuideShakes): Promise<GuideShaker | null> {
  let orderNumber = 0;
  let isCovered = false;
  const faults = new Set<FaultCode>();
  const online = heard(shaker, ({ kind }) => kind === 'online');
  const lastOrder = heard(shaker, ({ kind }) => kind === 'ordersSeen');
  shaker.onNotice((notice) => {
    if (notice.kind === 'ordersSeen') orderNumber = Math.max(orderNumber, notice.orderNumber);
    if (notice.kind === 'coverSensed') isCovered = notice.position === 'closed';
    if (notice.kind === 'faultRaised') faults.add(notice.fault);
    if (notice.kind === 'faultCleared') faults.delete(notice.fault);
  });
  shaker.open();
  if ((await atMost(clock, handshakeMsMax, online)) === null) return null;
  await atMost(clock, lastOrderMsMax, lastOrder);
  const nextOrder = (): number => {
    orderNumber += 1;
    return orderNumber;
  };
  return {
    async roll(signal) {
      if (isCovered) {
        const moved = await shaker.moveCover(nextOrder(), 'open');
        if (moved.kind === 'failed') return `The cover does not open (${moved.cause})`;
        isCovered = false;
      }
      const outcome = await shaker.shake({ orderNumber: nextOrder(), ...shakes }, signal);
      signal.throwIfAborted();
      if (outcome.kind === 'failed') return [failureWords[outcome.cause], ...faults].join('; ');
      if (outcome.tumbleCount < shakes.tumbleCount)
        return `The dice tumbled ${outcome.tumbleCount} times, ${shakes.tumbleCount} are needed: look at motor and dice`;
      return null;
    },
  };
}

function heard(shaker: Shaker, is: (notice: ShakerNotice) => boolean): Promise<true> {
  return new Promise((resolve) => {
    const stop = shaker.onNotice((notice) => {
      if (!is(notice)) return;
      stop();
      resolve(true);
    });
  });
}
