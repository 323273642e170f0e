import type { Instant } from '../time.ts';
import { applyRoundEvent } from './apply-round-event.ts';
import type { TableEvent } from './events.ts';
import { isBlocking } from './faults.ts';
import { liveRound } from './live-round.ts';
import type { TableState, Timer } from './state.ts';

/** Folds one event into the state. All that replay uses: it never decides again, so a later policy rebuilds the same past.
 *  @param at the moment kept with the record.
 *  @throws Error for an event of a round that is not the live one; such a journal was not written by `stepTable`. */
export function applyEvent(state: TableState, event: TableEvent, at: Instant): TableState {
  switch (event.kind) {
    case 'journalCreated':
      return { ...state, journalId: event.journalId, tableId: event.tableId };
    case 'tableStarted':
      // Devices report again after a start, so what they said before is not known any more.
      return {
        ...state,
        bootId: event.bootId,
        isStopped: false,
        faults: new Map(),
        cover: 'unknown',
        timer: restartedTimer(state.timer, at),
      };
    case 'tableStopped':
      return { ...state, isStopped: true, timer: withoutNextRound(state.timer) };
    case 'faultRaised':
      return {
        ...state,
        faults: new Map([...state.faults, [event.fault, { since: at, detail: event.detail }]]),
        timer: isBlocking(event.fault) ? withoutNextRound(state.timer) : state.timer,
      };
    case 'faultCleared':
      return { ...state, faults: new Map([...state.faults].filter(([fault]) => fault !== event.fault)) };
    case 'tableLocked': {
      const locked = { ...state, lock: { cause: event.cause, since: at } };
      // A round whose faces were read goes on to its end; the lock takes the table when it is over.
      if (liveRound(state)?.result) return locked;
      return { ...locked, phase: 'locked', phaseSince: at, hold: null, timer: null, pending: null };
    }
    case 'tableUnlocked':
      return { ...state, lock: null, phase: 'closed', phaseSince: at };
    case 'tableHeld':
      return {
        ...state,
        phase: 'held',
        phaseSince: at,
        timer: null,
        holdCount: state.holdCount + 1,
        hold: {
          holdNumber: state.holdCount + 1,
          cause: 'requested',
          detail: event.reason,
          since: at,
          from: 'closed',
          remainingMs: null,
        },
      };
    case 'tableResumed':
      return { ...state, phase: 'closed', phaseSince: at, hold: null };
    case 'ordersSeen':
      return { ...state, orderCount: Math.max(state.orderCount, event.orderNumber) };
    case 'coverSensed':
      return { ...state, cover: event.position };
    case 'nextRoundScheduled':
      return {
        ...state,
        orderCount: Math.max(state.orderCount, event.orderNumber),
        timer: { name: 'next-round', orderNumber: event.orderNumber, startedAt: at, durationMs: event.delayMs },
      };
    default:
      return applyRoundEvent(state, event, at);
  }
}

/** A countdown of an earlier boot starts again in full: its start is not comparable with this boot's clock. */
function restartedTimer(timer: Timer | null, at: Instant): Timer | null {
  const kept = withoutNextRound(timer);
  return kept === null ? null : { ...kept, startedAt: at };
}

function withoutNextRound(timer: Timer | null): Timer | null {
  return timer?.name === 'next-round' ? null : timer;
}
