import { isDeepStrictEqual } from 'node:util';
import { type PublicEvent, publicEvent } from '../../src/api/public-event.ts';
import type { FeedMessage, HistoryRow, RoundView, TableView } from '../../src/api/views.ts';
import type { JournalRecord } from '../../src/ports/journal.ts';

/** Everything that any listener or answer ever showed. Whatever was shown must be in the journal, and stay there as it was. */
export class Witness {
  /** Called with what contradicts something shown before. */
  readonly #wrong: (problem: string) => void;
  readonly #events = new Map<number, PublicEvent>();
  readonly #hashes = new Map<number, string>();
  readonly #rows = new Map<number, HistoryRow>();
  /** Results of the table's view, by round. */
  readonly #results = new Map<string, NonNullable<NonNullable<TableView['round']>['result']>>();

  constructor(wrong: (problem: string) => void) {
    this.#wrong = wrong;
  }

  /** Shown records, hashes, rows and results, each once. */
  get count(): number {
    return this.#events.size + this.#hashes.size + this.#rows.size + this.#results.size;
  }

  sawFeed(message: FeedMessage): void {
    if (message.type === 'snapshot' || message.type === 'heartbeat') this.#note(this.#hashes, message.seq, message.hash, 'hash');
    if (message.type === 'snapshot') {
      for (const row of message.history) this.sawRow(row);
      this.sawTable(message.table);
    }
    if (message.type === 'event') {
      this.#note(this.#events, message.seq, message.event, 'record');
      if (message.row !== null) this.sawRow(message.row);
      if (message.table !== null) this.sawTable(message.table);
    }
  }

  sawRow(row: HistoryRow): void {
    this.#note(this.#rows, row.recordNumber, row, 'row of the history with record');
  }

  sawTable({ round }: TableView): void {
    if (round !== null && round.result !== null) this.#note(this.#results, round.roundId, round.result, 'result of');
  }

  sawRound({ steps, summary }: RoundView): void {
    for (const { recordNumber, event, hash } of steps) {
      this.#note(this.#events, recordNumber, event, 'record');
      this.#note(this.#hashes, recordNumber, hash, 'hash');
    }
    if (summary !== null) this.sawRow(summary);
  }

  /** What was shown and is not in these records, which are all there are, or stands there otherwise. */
  problems(records: readonly JournalRecord[]): string[] {
    const problems: string[] = [];
    const at = (recordNumber: number): JournalRecord | undefined => records[recordNumber - 1];
    for (const [number, shown] of this.#events) {
      const record = at(number);
      if (record === undefined) problems.push(`record ${number} (${shown.kind}) was shown and is not in the journal`);
      else if (!isDeepStrictEqual(wire(publicEvent(record.event)), shown)) {
        problems.push(`record ${number} was shown as ${JSON.stringify(shown)}; the journal has ${JSON.stringify(record.event)}`);
      }
    }
    for (const [number, hash] of this.#hashes) {
      if (number > 0 && at(number)?.hash !== hash)
        problems.push(`hash ${hash} of record ${number} was shown; the journal has ${at(number)?.hash ?? 'none'}`);
    }
    const declared = new Map(records.flatMap(({ event }) => (event.kind === 'resultDeclared' ? [[event.roundId, event]] : [])));
    for (const [roundId, { dice, total, winningZones }] of this.#results) {
      const result = declared.get(roundId);
      const kept = result === undefined ? null : { dice: result.dice, total: result.total, winningZones: result.winningZones };
      if (!isDeepStrictEqual(kept, { dice, total, winningZones })) problems.push(`round ${roundId} was shown with ${dice}`);
    }
    for (const row of this.#rows.values())
      if (!isRowOf(row, at(row.recordNumber), declared.get(row.roundId))) {
        problems.push(`the row ${JSON.stringify(row)} was shown; the journal has ${JSON.stringify(at(row.recordNumber))}`);
      }
    return problems;
  }

  #note<Key, Value>(shown: Map<Key, Value>, key: Key, value: Value, what: string): void {
    const before = shown.get(key);
    if (before === undefined) shown.set(key, value);
    else if (!isDeepStrictEqual(before, value))
      this.#wrong(`${what} ${String(key)} was shown as ${JSON.stringify(before)} and as ${JSON.stringify(value)}`);
  }
}

type Declared = Extract<JournalRecord['event'], { kind: 'resultDeclared' }>;

function isRowOf(row: HistoryRow, record: JournalRecord | undefined, declared: Declared | undefined): boolean {
  const { event } = record ?? {};
  if (event?.kind !== 'roundSettled' && event?.kind !== 'roundVoided') return false;
  if (event.roundId !== row.roundId || row.end !== (event.kind === 'roundSettled' ? 'settled' : 'voided')) return false;
  if (event.kind === 'roundVoided') return row.dice === null && row.total === null && row.voidCause === event.cause;
  return (
    isDeepStrictEqual(row.dice, declared?.dice) &&
    row.total === declared?.total &&
    isDeepStrictEqual(row.winningZones, declared?.winningZones)
  );
}

/** As it comes out of the other end of the wire. */
function wire(event: PublicEvent): unknown {
  return JSON.parse(JSON.stringify(event));
}
