import type { HouseView } from '../../api/views.ts';
import { DiceRow } from '../dice/die.tsx';
import type { Scene } from '../display/scene.ts';
import { texts } from '../text/text.ts';
import { commonPrice, type PlacedZone, zonesByGroup } from './zone-places.ts';
import './felt.css';
import './felt-blocks.css';

interface FeltProps {
  readonly house: HouseView;
  readonly lit: ReadonlySet<string>;
  /** Dice of the lit result; they choose which of the three prices of a single shows. */
  readonly dice: readonly number[];
  readonly scene: Scene;
}

type Groups = ReadonlyMap<string, readonly PlacedZone[]>;

/** The layout with every zone of the house and its price. Evenly lit while bets are taken, dark from "no more bets", then winners only. */
export function Felt({ house, lit, dice, scene }: FeltProps) {
  const groups = zonesByGroup(house);
  const light = lit.size > 0 ? 'result' : scene === 'betting' || scene === 'attract' ? 'open' : 'dark';
  const zones = (group: string) => groups.get(group) ?? [];
  const hasBlocks = ['three-single', 'double-single', 'four-number', 'all-odd', 'other'].some((group) => zones(group).length > 0);
  const cell = (placed: PlacedZone) => <Cell key={placed.zone.id} placed={placed} isLit={lit.has(placed.zone.id)} dice={dice} />;
  const doubles = zones('double');
  const triples = zones('triple');
  return (
    <section className={`felt felt-${light} ${hasBlocks ? 'has-blocks' : ''}`} lang={house.language}>
      <div className={`layout ${zones('odd').length > 0 ? 'has-parity' : ''}`}>
        <div className="layout-side">{[...zones('small'), ...zones('odd')].map(cell)}</div>
        <div className="layout-sets">
          <div className="set set-doubles">{doubles.slice(0, 3).map(cell)}</div>
          <div className="set set-triples">{triples.slice(0, 3).map(cell)}</div>
          <div className="set set-any">{zones('any-triple').map(cell)}</div>
          <div className="set set-triples">{triples.slice(3).map(cell)}</div>
          <div className="set set-doubles">{doubles.slice(3).map(cell)}</div>
        </div>
        <div className="layout-side">{[...zones('big'), ...zones('even')].map(cell)}</div>
        <div className="layout-row row-totals">{zones('total').map(cell)}</div>
        <div className="layout-row row-pairs">{zones('pair').map(cell)}</div>
        <div className="layout-row row-singles">{zones('single').map(cell)}</div>
      </div>
      {hasBlocks && <Blocks groups={groups} cell={cell} />}
    </section>
  );
}

/** The zones that only some houses have, in compact groups with the price in the heading. */
function Blocks({ groups, cell }: { readonly groups: Groups; readonly cell: (placed: PlacedZone) => React.ReactNode }) {
  const parity = ['all-odd', 'all-even', 'two-odd-one-even', 'two-even-one-odd'].flatMap((group) => groups.get(group) ?? []);
  const blocks = [
    { name: 'parity', zones: parity },
    { name: 'three-single', zones: groups.get('three-single') ?? [] },
    { name: 'double-single', zones: groups.get('double-single') ?? [] },
    { name: 'four-number', zones: groups.get('four-number') ?? [] },
    { name: 'other', zones: groups.get('other') ?? [] },
  ] as const;
  return (
    <div className="blocks">
      {blocks.map(({ name, zones }) => {
        if (zones.length === 0) return null;
        const price = commonPrice(zones);
        return (
          <div key={name} className={`block block-${name} ${price === null ? '' : 'has-common-price'}`}>
            <h3>
              {texts.of(`group.${name}`)} {price !== null && <b>{price}</b>}
            </h3>
            <div className="block-cells">{zones.map(cell)}</div>
          </div>
        );
      })}
    </div>
  );
}

/** One zone. A lit one also carries a mark, so that it does not depend on colour. */
function Cell({
  placed,
  isLit,
  dice,
}: {
  readonly placed: PlacedZone;
  readonly isLit: boolean;
  readonly dice: readonly number[];
}) {
  const { zone, group } = placed;
  const price = zone.pays.join(' / ');
  const shownCount = dice.filter((face) => face === placed.numbers[0]).length;
  return (
    <div
      className={`cell cell-${group} ${isLit ? 'is-lit' : ''}`}
      data-zone={zone.id}
      data-lit={isLit}
      title={`${zone.label} ${price}`}
      role="img"
      aria-label={`${zone.label}, ${price}${isLit ? `, ${texts.of('label.wins')}` : ''}`}
    >
      <Face placed={placed} />
      <span className="price">
        {zone.pays.length === 1
          ? price
          : pricesByCount(zone.pays).map(({ pays, count }) => (
              <i key={count} className={isLit && count === shownCount ? 'is-paid' : ''}>
                <small>{count}×</small> {pays}
              </i>
            ))}
      </span>
    </div>
  );
}

/** Labels above this many characters are set smaller. */
const longLabelLength = 9;

/** What is printed on a zone: dice where the bet is about faces, figures for totals, else the house's own label. */
function Face({ placed: { zone, group, numbers } }: { readonly placed: PlacedZone }) {
  const [a = 0] = numbers;
  const nameClass = zone.label.length > longLabelLength ? 'name is-long' : 'name';
  switch (group) {
    case 'double':
      return <DiceRow faces={[a, a]} />;
    case 'triple':
      return <DiceRow faces={[a, a, a]} />;
    case 'single':
    case 'pair':
      return <DiceRow faces={numbers} />;
    case 'total':
      return <span className="figure">{a}</span>;
    case 'small':
      return (
        <span className={nameClass}>
          {zone.label} <small>4 – 10</small>
        </span>
      );
    case 'big':
      return (
        <span className={nameClass}>
          {zone.label} <small>11 – 17</small>
        </span>
      );
    case 'three-single':
    case 'double-single':
    case 'four-number':
      return <span className="figures">{numbers.join(' ')}</span>;
    default:
      return <span className={nameClass}>{zone.label}</span>;
  }
}

/** Prices of a single with the number of dice they are for. */
function pricesByCount(pays: readonly string[]): readonly { readonly pays: string; readonly count: number }[] {
  return pays.map((each, index) => ({ pays: each, count: index + 1 }));
}
