import type { Effect } from './effects.ts';
import type { TableEvent } from './events.ts';
import type { TableState } from './state.ts';

/** The orders to devices that decided events amount to. An order is given only while `after` awaits its answer, and the motor is stopped
 *  whenever a shake that was awaited before is awaited no more without having answered. */
export function effectsOf(before: TableState, events: readonly TableEvent[], after: TableState): readonly Effect[] {
  const orders = events.map(orderOf).filter((effect) => effect !== null);
  const awaited = orders.filter((effect) => 'orderNumber' in effect && effect.orderNumber === after.pending?.orderNumber);
  return isShakeAbandoned(before, events, after) ? [{ kind: 'stopShaker' }, ...awaited] : awaited;
}

function isShakeAbandoned(before: TableState, events: readonly TableEvent[], after: TableState): boolean {
  if (before.pending?.kind !== 'shake' || after.pending?.orderNumber === before.pending.orderNumber) return false;
  return !events.some((event) => event.kind === 'shakeFinished' || event.kind === 'shakeFailed');
}

function orderOf(event: TableEvent): Effect | null {
  switch (event.kind) {
    case 'shakeOrdered': {
      const { orderNumber, roundId, shakeNumber, activationCount, tumblesMin } = event;
      return { kind: 'shake', orderNumber, roundId, shakeNumber, activationCount, tumblesMin };
    }
    case 'coverOrdered':
      return { kind: 'moveCover', orderNumber: event.orderNumber, position: event.position };
    case 'restWatchOrdered':
      return { kind: 'watchRest', orderNumber: event.orderNumber, shakeNumber: event.shakeNumber };
    case 'readOrdered':
      return { kind: 'readDice', orderNumber: event.orderNumber, shakeNumber: event.shakeNumber };
    default:
      return null;
  }
}
