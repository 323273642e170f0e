import { loadHouse } from '../../src/config/load-house.ts';
import { sortedDice } from '../../src/core/rules/dice.ts';
import { winningZones } from '../../src/core/rules/house.ts';
import { allRolls } from '../../src/core/rules/return-to-player.ts';
import { accepted, TablePlay } from '../core/round/table-play.ts';
import type { BenchRow } from './bench-row.ts';

const roundCount = 3_000;

/** Plays rounds through the pure core alone: decide, fold, next fact; no disk, no devices. House `live` with its 110 zones, all 216 rolls in turn. */
export async function coreBench(): Promise<BenchRow[]> {
  const house = loadHouse('live');
  const table = new TablePlay();
  table.context = { ...table.context, winningZones: (dice) => winningZones(dice, house).map(({ zone }) => zone) };
  table.start();
  const startMs = performance.now();
  for (let round = 0; round < roundCount; round += 1) {
    const roll = allRolls[round % allRolls.length] ?? [1, 1, 1];
    for (let countdown = 0; countdown < 3; countdown += 1) table.elapse();
    table.shaken();
    table.rested();
    table.read(accepted(...sortedDice(...roll)));
    table.elapse();
    table.records.length = 0;
  }
  const seconds = (performance.now() - startMs) / 1_000;
  if (table.state.roundCount !== roundCount) throw new Error(`played ${table.state.roundCount} rounds instead of ${roundCount}`);
  return [
    {
      name: 'core: rounds decided and folded',
      value: roundCount / seconds,
      unit: 'rounds/s',
      target: '>= 17 (1,000 a minute)',
      note: `${roundCount} rounds, house live, 7 facts and 12 records each`,
    },
  ];
}
