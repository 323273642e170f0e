import type { Instant } from '../time.ts';
import { applyThrowEvent } from './apply-throw-event.ts';
import type { RoundEvent } from './events.ts';
import { liveRound } from './live-round.ts';
import type { Phase, Round, TableState, Timer, TimerName } from './state.ts';

/** Span over which the cap counts openings, ms: one hour (design section 8, item 9). */
export const capSpanMs = 3_600_000;

/** Openings remembered for the cap: the largest cap that can be configured, and a bound where there is none. */
const openingsKeptMax = 3_600;

/** Folds an event of a round's course: opening, betting, result, hold and end. Throws of the dice: `applyThrowEvent`.
 *  @throws Error when the event names a round that is not the live one. */
export function applyRoundEvent(state: TableState, event: RoundEvent, at: Instant): TableState {
  if (event.kind === 'roundOpened') return opened(state, event, at);
  const round = liveRound(state);
  if (round === null || round.roundId !== event.roundId) {
    throw new Error(`${event.kind} names round ${event.roundId}, the live round is ${round?.roundId ?? 'none'}`);
  }
  switch (event.kind) {
    case 'bettingOpened':
      return {
        ...numbered(state, event.orderNumber),
        ...entered('betting', at),
        timer: timerOf('betting', event.orderNumber, at, event.durationMs),
      };
    case 'bettingClosed': {
      // A dealer who orders the shake decides when; only what happens by itself needs a countdown.
      const isTimed = round.play.isUnattended || round.play.orderOfPlay === 'shake-first';
      return {
        ...numbered(state, event.orderNumber),
        ...entered('no-more-bets', at),
        round: { ...round, isBettingClosed: true },
        timer: isTimed ? timerOf('no-more-bets', event.orderNumber, at, round.play.noMoreBetsMs) : null,
      };
    }
    case 'resultDeclared':
      return {
        ...numbered(state, event.orderNumber),
        ...entered('result', at),
        round: { ...round, result: { dice: event.dice, total: event.total, winningZones: event.winningZones } },
        timer: timerOf('review', event.orderNumber, at, round.play.reviewMs),
      };
    case 'roundSettled':
      return ended(state, { ...round, end: 'settled' }, 'closed', at);
    case 'roundVoided':
      return ended(state, { ...round, end: 'voided', voidCause: event.cause }, 'void', at);
    case 'roundHeld':
      return {
        ...state,
        ...entered('held', at),
        pending: null,
        timer: null,
        holdCount: state.holdCount + 1,
        hold: {
          holdNumber: state.holdCount + 1,
          cause: event.cause,
          detail: event.detail,
          since: at,
          from: state.phase,
          remainingMs: state.timer === null ? null : remainingMs(state.timer, at),
        },
      };
    case 'roundResumed':
      return resumed(state, round, event.orderNumber, at);
    default:
      return applyThrowEvent(state, round, event, at);
  }
}

function opened(state: TableState, event: RoundEvent & { readonly kind: 'roundOpened' }, at: Instant): TableState {
  const recent = openingsWithinHour(state.recentOpeningsMs, at.wallMs);
  return {
    ...state,
    ...entered(event.play.orderOfPlay === 'bets-first' ? 'betting' : 'shaking', at),
    round: {
      roundId: event.roundId,
      roundNumber: event.roundNumber,
      houseId: event.houseId,
      houseSha256: event.houseSha256,
      play: event.play,
      openedAt: at,
      isBettingClosed: false,
      attempts: [],
      shakesAllowedCount: event.play.shakesMax,
      restWatchCount: 0,
      readAttemptCount: 0,
      result: null,
      end: null,
      voidCause: null,
    },
    roundCount: event.roundNumber,
    timer: null,
    recentOpeningsMs: [...recent, at.wallMs].slice(-openingsKeptMax),
  };
}

/** Openings of the hour before `wallMs`. One that lies in the future (the wall clock was set back) counts as now, so that no cap is lost. */
export function openingsWithinHour(openingsMs: readonly number[], wallMs: number): readonly number[] {
  return openingsMs.map((openedMs) => Math.min(openedMs, wallMs)).filter((openedMs) => openedMs > wallMs - capSpanMs);
}

function resumed(state: TableState, round: Round, orderNumber: number, at: Instant): TableState {
  const from = state.hold?.from ?? 'closed';
  const leftMs = state.hold?.remainingMs ?? null;
  const name = countdownOf(from);
  const grantedCount = state.hold?.cause === 'shakes-exhausted' ? round.play.shakesMax : 0;
  return {
    ...numbered(state, orderNumber),
    ...entered(from, at),
    hold: null,
    round: { ...round, shakesAllowedCount: round.shakesAllowedCount + grantedCount, restWatchCount: 0, readAttemptCount: 0 },
    timer: name === null || leftMs === null ? null : timerOf(name, orderNumber, at, leftMs),
  };
}

function countdownOf(phase: Phase): TimerName | null {
  switch (phase) {
    case 'betting':
    case 'no-more-bets':
      return phase;
    case 'result':
      return 'review';
    default:
      return null;
  }
}

function ended(state: TableState, round: Round, phase: 'closed' | 'void', at: Instant): TableState {
  return { ...state, ...entered(state.lock === null ? phase : 'locked', at), round, pending: null, timer: null, hold: null };
}

function remainingMs(timer: Timer, at: Instant): number {
  const leftMs = timer.startedAt.monoMs + timer.durationMs - at.monoMs;
  return Math.min(timer.durationMs, Math.max(0, leftMs));
}

function timerOf(name: TimerName, orderNumber: number, startedAt: Instant, durationMs: number): Timer {
  return { name, orderNumber, startedAt, durationMs };
}

function entered(phase: Phase, at: Instant): { readonly phase: Phase; readonly phaseSince: Instant } {
  return { phase, phaseSince: at };
}

function numbered(state: TableState, orderNumber: number): TableState {
  return { ...state, orderCount: Math.max(state.orderCount, orderNumber) };
}
