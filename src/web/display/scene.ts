import type { TableView } from '../../api/views.ts';

/** What the display shows; several phases share a scene. */
export type Scene = 'attract' | 'betting' | 'waiting' | 'result' | 'held' | 'void' | 'locked';

/** The scene of a table. Pure. @param isIdle the table has been closed for a while and counts down to nothing. */
export function sceneOf(table: TableView, isIdle: boolean): Scene {
  if (table.isStopped) return 'attract';
  switch (table.phase) {
    case 'betting':
      return 'betting';
    case 'no-more-bets':
    case 'shaking':
    case 'settling':
    case 'uncovering':
    case 'reading':
      return 'waiting';
    case 'result':
      return 'result';
    case 'held':
      return 'held';
    case 'void':
      return 'void';
    case 'locked':
      return 'locked';
    case 'closed':
      // The lamps keep the winners lit until the next round opens; so does the display.
      return table.round?.end === 'settled' && !isIdle ? 'result' : 'attract';
    default:
      return table.phase satisfies never;
  }
}

/** Zones that are lit: those of the declared result, until the next round opens or the round is void. The same rule as the lamps'. Pure. */
export function litZones(table: TableView): ReadonlySet<string> {
  const { round } = table;
  return new Set(round === null || round.end === 'voided' ? [] : (round.result?.winningZones ?? []));
}
