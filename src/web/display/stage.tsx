import type { HistoryRow, HouseView, TableView } from '../../api/views.ts';
import { DiceRow } from '../dice/die.tsx';
import type { DisplayModel } from '../feed/display-model.ts';
import { useMsLeft } from '../feed/use-ms-left.ts';
import { texts } from '../text/text.ts';
import type { Scene } from './scene.ts';
import { stageTexts } from './stage-texts.ts';
import './stage.css';

interface StageProps {
  readonly table: TableView;
  readonly scene: Scene;
  /** Null when nothing counts down, or when the page does not know. */
  readonly countdown: DisplayModel['countdown'];
  readonly lastRow: HistoryRow | null;
  readonly house: HouseView;
}

/** Seconds from which the betting countdown calls for attention. */
const urgentSeconds = 5;

/** The upper part: what is going on, the countdown or the dice, and what they make. */
export function Stage({ table, scene, countdown, lastRow, house }: StageProps) {
  const msLeft = useMsLeft(countdown?.endsAtMs ?? null);
  const secondsLeft = msLeft === null ? null : Math.ceil(msLeft / 1000);
  const isUrgent = scene === 'betting' && secondsLeft !== null && secondsLeft <= urgentSeconds;
  const { title, lines } = stageTexts(table, scene, countdown?.name === 'next-round' ? secondsLeft : null);
  return (
    <section className={`stage ${isUrgent ? 'is-urgent' : ''}`} aria-live="polite">
      <div className="stage-words">
        <h2>{title}</h2>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <div className="stage-middle">
        {scene === 'betting' ? (
          <p className="seconds" role="timer" data-ms-left={msLeft === null ? '' : Math.round(msLeft)}>
            <b>{secondsLeft ?? '–'}</b>
            <span>{texts.of('label.seconds')}</span>
          </p>
        ) : (
          <MiddleDice table={table} scene={scene} />
        )}
      </div>
      <div className="stage-side">
        <Side table={table} scene={scene} lastRow={lastRow} house={house} />
      </div>
      {scene === 'betting' && countdown !== null && msLeft !== null && (
        <div className="stage-bar">
          <span style={{ transform: `scaleX(${Math.min(1, msLeft / Math.max(1, countdown.durationMs))})` }} />
        </div>
      )}
    </section>
  );
}

/** The dice of the round: faces once a result is declared, blank dice before. Nothing that is not the result looks like one. */
function MiddleDice({ table, scene }: { readonly table: TableView; readonly scene: Scene }) {
  const result = table.round?.end === 'voided' ? null : (table.round?.result ?? null);
  if (result !== null && scene !== 'attract' && scene !== 'void') return <DiceRow faces={result.dice} className="dice-large" />;
  const isMoving = scene === 'waiting' && table.phase === 'shaking';
  return <DiceRow faces={[null, null, null]} className={`dice-large ${isMoving ? 'is-shaking' : ''}`} />;
}

type SideProps = Pick<StageProps, 'table' | 'scene' | 'lastRow' | 'house'>;

/** What stands beside the dice: the total, the number of the shake, the last result, or what the table pays. */
function Side({ table, scene, lastRow, house }: SideProps) {
  const round = table.round;
  if ((scene === 'result' || scene === 'held' || scene === 'locked') && round?.result && round.end !== 'voided') {
    const { dice, total } = round.result;
    const isTriple = dice[0] === dice[2];
    const outcome = isTriple ? 'triple' : total <= 10 ? 'small' : 'big';
    return (
      <div className={`total total-${outcome}`}>
        <span>{texts.of('label.total')}</span>
        <b data-total={total}>{total}</b>
        <em>{texts.of(`outcome.${outcome}`)}</em>
      </div>
    );
  }
  if ((scene === 'waiting' || scene === 'held') && round !== null && round.shakeNumber > 0) {
    return (
      <div className="shakes">
        <b data-shake-number={round.shakeNumber}>{texts.of('label.shake', { n: round.shakeNumber })}</b>
        <span className="shake-dots">
          {round.attempts.map(({ shakeNumber, fault, failure }) => (
            <i key={shakeNumber} className={fault !== null || failure !== null ? 'is-void' : ''} />
          ))}
        </span>
      </div>
    );
  }
  if (scene === 'attract') return <TopPayouts house={house} />;
  if (lastRow?.dice == null || lastRow.outcome === null) return null;
  return (
    <div className="last-result">
      <span>{texts.of('label.last-result')}</span>
      <DiceRow faces={lastRow.dice} />
      <p>
        <b>{lastRow.total}</b> {texts.of(`outcome.${lastRow.outcome}`)}
      </p>
    </div>
  );
}

/** The dearest price of the house, for a table that waits for players. */
function TopPayouts({ house }: { readonly house: HouseView }) {
  const ratio = (price: string) => {
    const [n = '0', d = '1'] = price.split(':');
    return Number(n) / Number(d);
  };
  const prices = house.zones.flatMap(({ pays }) => pays).sort((a, b) => ratio(b) - ratio(a));
  return (
    <div className="total total-payout">
      <span>{texts.of('label.top-payouts')}</span>
      <b>{prices[0]}</b>
    </div>
  );
}
