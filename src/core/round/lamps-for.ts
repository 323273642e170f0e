import type { TableState } from './state.ts';

/** Ids of the zones that are lit: the winning zones from `resultDeclared` until the next round opens or the round is void, through hold and
 *  lock; else none. So the layout is dark while bets are taken and from "no more bets" until the result (design section 8, item 11). */
export function lampsFor(state: TableState): ReadonlySet<string> {
  const { round } = state;
  if (round === null || round.result === null || round.end === 'voided') return new Set();
  return new Set(round.result.winningZones);
}
