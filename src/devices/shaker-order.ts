import type { AnswerFields, OrderOutcome, RefusalCause } from '../../firmware-protocol/messages.ts';
import type { ShakeFailure } from '../core/round/faults.ts';

/** How an order to the shaker ended: the device's own word, or why there is none. */
export type OrderEnd =
  | { readonly kind: 'ended'; readonly outcome: OrderOutcome; readonly activationCount: number; readonly tumbleCount: number }
  | { readonly kind: 'failed'; readonly cause: ShakeFailure };

/** Why a device's outcome is no success. `settled`, `unsettled` and `done` are successes and give null. */
export function failureOfOutcome(outcome: OrderOutcome): ShakeFailure | null {
  switch (outcome) {
    case 'settled':
    case 'unsettled':
    case 'done':
      return null;
    case 'stopped':
      return 'aborted';
    case 'jammed':
    case 'cover-stuck':
      return 'jammed';
    case 'lid-open':
    case 'tamper':
    case 'supply':
      return outcome;
    // The device stopped because it no longer heard the host.
    case 'quiet':
      return 'link-lost';
    case 'lost':
      return 'rebooted';
    case 'none':
    case 'running':
      return 'no-answer';
    default:
      return outcome satisfies never;
  }
}

/** Why a refused order failed, in the table's words. */
export function failureOfRefusal(cause: RefusalCause): ShakeFailure {
  switch (cause) {
    case 'lid-open':
    case 'jammed':
    case 'tamper':
    case 'supply':
      return cause;
    case 'no-session':
      return 'link-lost';
    case 'protocol':
    case 'busy':
    case 'old-order':
    case 'too-late':
    case 'out-of-range':
    case 'no-cover':
      return 'refused';
    default:
      return cause satisfies never;
  }
}

/** What `last` says about an order: its end, that it still runs, or that the device never took it. */
export function lastOf(orderNumber: number, last: AnswerFields<'last'>): OrderEnd | 'running' | 'never-taken' {
  if (last.order < orderNumber) return 'never-taken';
  // A higher number means that somebody else gave an order: nothing is known about ours.
  if (last.order > orderNumber) return { kind: 'failed', cause: 'no-answer' };
  if (last.outcome === 'running') return 'running';
  return { kind: 'ended', outcome: last.outcome, activationCount: last.activations, tumbleCount: last.tumbles };
}
