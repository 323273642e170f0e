import { isBlocking } from './faults.ts';
import type { Attempt, Round, TableState } from './state.ts';

/** The round that has opened and not ended, or null. */
export function liveRound(state: TableState): Round | null {
  return state.round !== null && state.round.end === null ? state.round : null;
}

/** The last shake of the round, or null before the first. */
export function lastAttempt(round: Round): Attempt | null {
  return round.attempts.at(-1) ?? null;
}

/** True once an accepted reading of this round exists; from then on nothing removes it (design section 2). */
export function hasFacesRead(round: Round): boolean {
  return round.attempts.some((attempt) => attempt.reading?.verdict === 'accepted');
}

/** Codes of the standing faults under which no round opens and no shake starts. */
export function blockingFaults(state: TableState): readonly string[] {
  return [...state.faults.keys()].filter(isBlocking);
}
