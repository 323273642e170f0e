import type { HouseView, TableView } from '../../api/views.ts';
import { texts } from '../text/text.ts';

interface HeaderProps {
  readonly table: TableView;
  readonly house: HouseView;
  readonly isLive: boolean;
}

/** Name of the table, the house it plays, and the round by number and id (so that anybody can look it up). */
export function DisplayHeader({ table, house, isLive }: HeaderProps) {
  const { round } = table;
  const degraded = [
    ...new Set(table.faults.filter(({ isBlocking }) => !isBlocking).map(({ code }) => texts.ofCause('fault', code) || code)),
  ];
  return (
    <header className="header">
      <h1>{table.tableName}</h1>
      <p className="header-house">{house.name}</p>
      {degraded.length > 0 && <p className="header-fault">{texts.of('fault.degraded', { faults: degraded.join(', ') })}</p>}
      {round !== null && (
        <p className="header-round">
          <b>{texts.of('label.round', { n: texts.number(round.roundNumber) })}</b>
          <span data-round-id={round.roundId}>{round.roundId}</span>
        </p>
      )}
      <span className={`header-dot ${isLive ? 'is-on' : ''}`} />
    </header>
  );
}
