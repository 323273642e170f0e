import type { FaultCode } from '../core/round/faults.ts';
import { isBlocking } from '../core/round/faults.ts';
import type { Round, TableState } from '../core/round/state.ts';
import type { TableView } from './views.ts';

/** What the view needs beside the state. */
export interface TableViewContext {
  readonly tableName: string;
  /** House in force; a round that runs keeps its own. */
  readonly houseId: string;
  /** Faults that stand now, also those that could not be journalled. */
  readonly standingFaults: readonly FaultCode[];
  /** Left on the running timer by the table's clock, ms; null when none runs. */
  readonly remainingMs: number | null;
}

function roundView(round: Round): NonNullable<TableView['round']> {
  const last = round.attempts.at(-1);
  const before = round.attempts.at(-2);
  return {
    roundId: round.roundId,
    roundNumber: round.roundNumber,
    houseId: round.houseId,
    orderOfPlay: round.play.orderOfPlay,
    isBettingClosed: round.isBettingClosed,
    shakeNumber: last?.shakeNumber ?? 0,
    shakesMax: round.shakesAllowedCount,
    // Between the void throw and the next order the present attempt itself is the reason for what comes.
    reshakeCause: last?.fault ?? before?.fault ?? null,
    readAttemptCount: round.readAttemptCount,
    attempts: round.attempts.map(({ shakeNumber, tumbleCount, fault, failure }) => ({
      shakeNumber,
      tumbleCount,
      fault,
      failure,
    })),
    result:
      round.result === null
        ? null
        : { dice: [...round.result.dice], total: round.result.total, winningZones: [...round.result.winningZones] },
    end: round.end,
    voidCause: round.voidCause,
  };
}

/** The table as listeners see it. Pure. */
export function tableView(state: TableState, context: TableViewContext): TableView {
  const { timer, hold, lock } = state;
  return {
    tableId: state.tableId,
    tableName: context.tableName,
    journalId: state.journalId,
    houseId: state.round?.end === null ? state.round.houseId : context.houseId,
    phase: state.phase,
    phaseSinceMs: state.phaseSince.wallMs,
    countdown:
      timer === null || context.remainingMs === null
        ? null
        : { name: timer.name, remainingMs: Math.max(0, Math.round(context.remainingMs)), durationMs: timer.durationMs },
    round: state.round === null ? null : roundView(state.round),
    hold:
      hold === null
        ? null
        : {
            holdNumber: hold.holdNumber,
            cause: hold.cause,
            detail: hold.detail,
            sinceMs: hold.since.wallMs,
            fromPhase: hold.from,
          },
    lock: lock === null ? null : { cause: lock.cause, sinceMs: lock.since.wallMs },
    faults: context.standingFaults.map((code) => ({
      code,
      isBlocking: isBlocking(code),
      sinceMs: state.faults.get(code)?.since.wallMs ?? state.phaseSince.wallMs,
    })),
    isStopped: state.isStopped,
  };
}
