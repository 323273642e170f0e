import type { TableView } from '../../api/views.ts';
import { texts } from '../text/text.ts';
import type { Scene } from './scene.ts';

/** Headline and lines of the stage in plain words. Pure. @param nextRoundSeconds until the next round opens by itself, null when it does not. */
export function stageTexts(
  table: TableView,
  scene: Scene,
  nextRoundSeconds: number | null,
): { readonly title: string; readonly lines: readonly string[] } {
  const { round } = table;
  const nextRound = nextRoundSeconds === null ? [] : [texts.of('line.next-round', { n: nextRoundSeconds })];
  const title = texts.of(`phase.${table.phase}`);
  switch (scene) {
    case 'betting':
      return { title, lines: round?.orderOfPlay === 'shake-first' ? [texts.of('line.betting-shaken')] : [] };
    case 'waiting': {
      const cause = texts.ofCause('throw', round?.reshakeCause ?? null);
      if (round?.reshakeCause != null)
        return { title, lines: [cause, texts.of('line.last-throw'), texts.of('line.bets-stand')].filter(Boolean) };
      const isBettingAhead = round?.orderOfPlay === 'shake-first' && !round.isBettingClosed;
      return { title, lines: [texts.of(isBettingAhead ? 'line.shaken-first' : 'line.bets-stand')] };
    }
    case 'result':
      return { title: texts.of('phase.result'), lines: nextRound.length > 0 ? nextRound : [texts.of('line.winners')] };
    case 'held': {
      const isBetween = table.hold?.fromPhase === 'closed';
      return {
        title,
        lines: [texts.ofCause('hold', table.hold?.cause ?? null), texts.of(isBetween ? 'line.held-between' : 'line.held')].filter(
          Boolean,
        ),
      };
    }
    case 'void':
      return {
        title,
        lines: [texts.of('line.void'), texts.ofCause('void', round?.voidCause ?? null), ...nextRound].filter(Boolean),
      };
    case 'locked':
      return { title, lines: [texts.of('line.locked'), texts.of('line.locked-round')] };
    case 'attract':
      return {
        title: texts.of('phase.closed'),
        lines: table.isStopped ? [texts.of('line.stopped')] : nextRound.length > 0 ? nextRound : [texts.of('line.closed')],
      };
    default:
      return scene satisfies never;
  }
}
