import type { ActFact } from '../core/round/facts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Act } from '../ports/table.ts';

/** A person's act as a fact of this moment. */
export function factOf(act: Act, clock: Clock): ActFact {
  const base = { at: clock.now(), by: act.by, roundId: act.roundId };
  switch (act.kind) {
    case 'open':
      return { ...base, kind: 'openRequested' };
    case 'closeBetting':
      return { ...base, kind: 'closeBettingRequested' };
    case 'shake':
      return { ...base, kind: 'shakeRequested' };
    case 'hold':
      return { ...base, kind: 'holdRequested', reason: act.reason };
    case 'resume':
      return { ...base, kind: 'resumeRequested', holdNumber: act.holdNumber };
    case 'void':
      return { ...base, kind: 'voidRequested', reason: act.reason, second: act.second };
    case 'unlock':
      return { ...base, kind: 'unlockRequested', reason: act.reason, second: act.second };
    default:
      return act satisfies never;
  }
}
