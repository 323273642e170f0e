import type { HistoryRow } from '../../api/views.ts';
import { Die, placesOf } from '../dice/die.tsx';
import { boardRounds } from '../feed/display-model.ts';
import { texts } from '../text/text.ts';

/** The last 50 results as columns, newest at the right: small, big or triple, the total, the dice lowest first. */
export function Road({ history }: { readonly history: readonly HistoryRow[] }) {
  const count = (outcome: HistoryRow['outcome']) => history.filter((row) => row.outcome === outcome).length;
  const emptyPlaces = [...Array(Math.max(0, boardRounds - history.length)).keys()];
  return (
    <section className="road" aria-label={texts.of('label.last-rounds')}>
      <div className="road-key">
        <h2>{texts.of('label.last-rounds')}</h2>
        {(['small', 'big', 'triple'] as const).map((outcome) => (
          <p key={outcome}>
            <Mark outcome={outcome} />
            {texts.of(`outcome.${outcome}`)}
            <b>{count(outcome)}</b>
          </p>
        ))}
      </div>
      <ol className="road-columns">
        {emptyPlaces.map((place) => (
          <li key={place} className="road-column is-empty" />
        ))}
        {[...history].reverse().map((row, index) => (
          <li
            key={row.roundId}
            className={`road-column ${index === history.length - 1 ? 'is-newest' : ''}`}
            data-round-id={row.roundId}
            aria-label={`${row.dice?.join(' ')} ${texts.of('label.total')} ${row.total}`}
          >
            {row.outcome !== null && <Mark outcome={row.outcome} />}
            <b>{row.total}</b>
            {placesOf(row.dice ?? []).map(({ face, place }) => (
              <Die key={place} face={face} />
            ))}
          </li>
        ))}
        {history.length === 0 && <li className="road-none">{texts.of('label.no-rounds')}</li>}
      </ol>
    </section>
  );
}

function Mark({ outcome }: { readonly outcome: NonNullable<HistoryRow['outcome']> }) {
  return <i className={`mark mark-${outcome}`}>{texts.of(`outcome-letter.${outcome}`)}</i>;
}
