import { Command } from 'commander';
import { houseIds, loadHouse } from '../config/load-house.ts';
import { type Face, isFace, sortedDice } from '../core/rules/dice.ts';
import { type House, labelOf, winningZones } from '../core/rules/house.ts';
import { formatFraction, formatPercent, formatPrice } from '../core/rules/price.ts';
import { allRolls, returnToPlayer, returnToPlayerMax, waysOf } from '../core/rules/return-to-player.ts';
import { announcement } from '../core/rules/zones.ts';
import { InputError } from '../errors.ts';
import { printLine } from './command-output.ts';
import { textTable } from './text-table.ts';

interface RulesOptions {
  readonly house?: string;
  readonly roll?: string;
  readonly language?: string;
  readonly json?: true;
}

type Roll = readonly [Face, Face, Face];

/** `sicbo rules`: lists the houses, the zones of one house, or what a roll pays there. */
export function rulesCommand(): Command {
  return new Command('rules')
    .description('Zones, labels, prices and returns of a house; what a roll pays. Lists the houses when none is named.')
    .option('--house <id>', 'id of a house, or path of a house file')
    .option('--roll <dice>', 'three faces like 2,2,5, or "all" for each of the 216 rolls')
    .option('--language <code>', 'language of the labels, where the house has it')
    .option('--json', 'one line of JSON for each answer')
    .action((options: RulesOptions, command: Command) => {
      for (const line of answer(options)) printLine(command, line);
    });
}

function answer({ house: name, roll, language, json }: RulesOptions): readonly string[] {
  if (name === undefined) {
    if (roll !== undefined) throw new InputError('rules.no-house', `--roll needs --house: one of ${houseIds().join(', ')}`);
    return houseLines(json === true);
  }
  const house = loadHouse(name);
  if (language !== undefined && !house.languages.includes(language)) {
    throw new InputError('rules.bad-language', `--language ${language}: house ${house.id} has ${house.languages.join(', ')}`);
  }
  if (roll === undefined) return json === true ? [JSON.stringify(zonesView(house, language))] : zoneLines(house, language);
  const rolls = roll === 'all' ? allRolls : [sortedRoll(roll)];
  return rolls.flatMap((dice) => (json === true ? [JSON.stringify(rollView(dice, house))] : rollLines(dice, house, language)));
}

function houseLines(isJson: boolean): readonly string[] {
  const houses = houseIds().map((id) => loadHouse(id));
  const rtpMax = (house: House) => returnToPlayerMax(house);
  if (isJson) {
    return houses.map((house) =>
      JSON.stringify({ house: house.id, zoneCount: house.zones.length, rtpMax: formatFraction(rtpMax(house)) }),
    );
  }
  return textTable(
    ['house', 'zones', 'highest return', 'documents'],
    houses.map((house) => [
      house.id,
      String(house.zones.length),
      `${formatFraction(rtpMax(house))} = ${formatPercent(rtpMax(house))}`,
      house.documents.join('; '),
    ]),
  );
}

function zonesView(house: House, language: string | undefined) {
  const zones = house.zones.map((offered) => ({
    id: offered.zone.id,
    label: labelOf(offered, house, language),
    pays: offered.prices.map(formatPrice),
    ways: waysOf(offered.zone, offered.prices.length),
    rtp: formatFraction(returnToPlayer(offered)),
  }));
  return { house: house.id, zones, rtpMax: formatFraction(returnToPlayerMax(house)) };
}

function zoneLines(house: House, language: string | undefined): readonly string[] {
  const rows = house.zones.map((offered) => {
    const rtp = returnToPlayer(offered);
    const mark = offered.isFromDocument ? '' : ' *';
    return [
      offered.zone.id,
      labelOf(offered, house, language),
      `${offered.prices.map(formatPrice).join(' ')}${mark}`,
      waysOf(offered.zone, offered.prices.length).join(' '),
      `${formatFraction(rtp)} = ${formatPercent(rtp)}`,
    ];
  });
  const rtpMax = returnToPlayerMax(house);
  return [
    ...textTable(['zone', 'label', 'pays', 'ways of 216', 'return'], rows),
    '',
    `${house.id}: ${rows.length} zones, highest return ${formatFraction(rtpMax)} = ${formatPercent(rtpMax)}`,
    ...(house.otherPriceSource === null ? [] : [`* not in the house's document: ${house.otherPriceSource}`]),
  ];
}

function rollView(dice: Roll, house: House) {
  const wins = winningZones(dice, house).map(({ zone, price }) => ({ zone, pays: formatPrice(price) }));
  return { house: house.id, dice, total: dice[0] + dice[1] + dice[2], wins };
}

function rollLines(roll: Roll, house: House, language: string | undefined): readonly string[] {
  const labels = new Map(house.zones.map((offered) => [offered.zone.id, labelOf(offered, house, language)]));
  const wins = winningZones(roll, house).map(({ zone, price }) => [`  ${zone}`, labels.get(zone) ?? '', formatPrice(price)]);
  return [announcement(sortedDice(...roll)), ...textTable(null, wins)];
}

/** Reads "2,2,5". @throws InputError `rules.bad-roll`. */
function sortedRoll(text: string): Roll {
  const [a, b, c, ...more] = text.split(',').map((part) => (/^[1-6]$/.test(part.trim()) ? Number(part) : null));
  if (isFace(a) && isFace(b) && isFace(c) && more.length === 0) return sortedDice(a, b, c);
  throw new InputError('rules.bad-roll', `--roll ${text}: three faces from 1 to 6 with commas, like 2,2,5, or "all"`);
}
