import type { Instant } from '../time.ts';
import type { RoundEvent } from './events.ts';
import type { Attempt, PendingOrder, Phase, Round, TableState } from './state.ts';

/** Events of a throw: orders to the shaker, the cover and the readers, and their answers. */
export type ThrowEvent = Extract<
  RoundEvent,
  {
    readonly kind:
      | 'shakeOrdered'
      | 'shakeFinished'
      | 'shakeFailed'
      | 'coverOrdered'
      | 'coverMoved'
      | 'coverFailed'
      | 'restWatchOrdered'
      | 'diceRested'
      | 'restFailed'
      | 'readOrdered'
      | 'diceRead'
      | 'readFailed'
      | 'throwVoided';
  }
>;

/** Folds an event of a throw into the live round `round` of `state`. */
export function applyThrowEvent(state: TableState, round: Round, event: ThrowEvent, at: Instant): TableState {
  switch (event.kind) {
    case 'shakeOrdered':
      return {
        ...asking(state, 'shaking', 'shake', event.orderNumber, at),
        round: {
          ...round,
          attempts: [...round.attempts, newAttempt(event.shakeNumber, event.activationCount)],
          restWatchCount: 0,
          readAttemptCount: 0,
        },
      };
    case 'shakeFinished':
      return answered(state, round, { tumbleCount: event.tumbleCount });
    case 'shakeFailed':
      return answered(state, round, { failure: event.cause });
    case 'coverOrdered':
      // The cover is somewhere on its way until its sensor speaks.
      return {
        ...asking(state, event.position === 'closed' ? 'shaking' : 'uncovering', 'cover', event.orderNumber, at),
        cover: 'unknown',
      };
    case 'coverMoved':
      return { ...state, pending: null, cover: event.position };
    case 'coverFailed':
      return { ...state, pending: null };
    case 'restWatchOrdered':
      return {
        ...asking(state, 'settling', 'rest', event.orderNumber, at),
        round: { ...round, restWatchCount: round.restWatchCount + 1 },
      };
    case 'diceRested':
      return answered(state, round, { motionBurstCount: event.motionBurstCount });
    case 'restFailed':
      return answered(state, round, event.cause === 'moving' ? {} : { failure: event.cause });
    case 'readOrdered':
      return {
        ...asking(state, 'reading', 'read', event.orderNumber, at),
        round: { ...round, readAttemptCount: event.attemptNumber },
      };
    case 'diceRead':
      return answered(state, round, { reading: event.reading });
    case 'readFailed':
      return answered(state, round, { failure: event.cause });
    case 'throwVoided':
      // What follows is another shake, a hold or the end: in each case the throw is over and a resume begins with a shake.
      return { ...answered(state, round, { fault: event.cause }), phase: 'shaking', phaseSince: at, timer: null };
    default:
      return event satisfies never;
  }
}

function newAttempt(shakeNumber: number, activationCount: number): Attempt {
  return { shakeNumber, activationCount, tumbleCount: null, motionBurstCount: null, reading: null, failure: null, fault: null };
}

function asking(state: TableState, phase: Phase, kind: PendingOrder['kind'], orderNumber: number, at: Instant): TableState {
  return {
    ...state,
    phase,
    phaseSince: state.phase === phase ? state.phaseSince : at,
    timer: null,
    pending: { orderNumber, kind },
    orderCount: Math.max(state.orderCount, orderNumber),
  };
}

/** The awaited answer came: notes it with the last shake. A later watch that saw less motion than an earlier one takes nothing away. */
function answered(state: TableState, round: Round, change: Partial<Attempt>): TableState {
  const attempts = round.attempts.map((attempt, index) =>
    index === round.attempts.length - 1
      ? { ...attempt, ...change, motionBurstCount: largest(attempt.motionBurstCount, change.motionBurstCount ?? null) }
      : attempt,
  );
  return { ...state, pending: null, round: { ...round, attempts } };
}

function largest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.max(a, b);
}
