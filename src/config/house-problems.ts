import { compareFractions, formatFraction, formatPercent, fraction } from '../core/rules/price.ts';
import { returnToPlayer } from '../core/rules/return-to-player.ts';
import { priceCountOf } from '../core/rules/zones.ts';
import { houseZoneFrom, offeredZones, pricesOf, type ZoneSections } from './house-from.ts';
import { houseSchema, zoneSectionSchema } from './house-schema.ts';
import { problem, problemsOf } from './problems.ts';

/** Every problem of a house file, one readable line each: what its schema refuses, and in the parts that it accepts a zone without a
 *  price or a label, a zone that returns more than 100 %, a zone count that differs. Empty for a house that may be played.
 *  @param data the file as parsed from TOML. */
export function houseProblems(data: unknown): readonly string[] {
  const parsed = houseSchema.safeParse(data);
  const refused = parsed.success ? [] : problemsOf(parsed.error, houseSchema, data);
  const parts = readableParts(data);
  return [...refused, ...textProblems(parts), ...priceProblems(parts), ...countProblems(parts)];
}

interface Parts {
  readonly languages: readonly string[] | null;
  readonly title: Readonly<Record<string, string>> | null;
  readonly zoneCount: number | null;
  readonly hasOtherPriceSource: boolean;
  readonly sections: ZoneSections;
}

/** What can be judged although other parts of the file are wrong: null where a part is missing or refused by its schema. */
function readableParts(data: unknown): Parts {
  const top: Record<string, unknown> = isTable(data) ? data : {};
  const { languages, title, zoneCount } = houseSchema.shape;
  const sections = Object.entries(isTable(top.zone) ? top.zone : {});
  return {
    languages: languages.safeParse(top.languages).data ?? null,
    title: title.safeParse(top.title).data ?? null,
    zoneCount: zoneCount.safeParse(top.zoneCount).data ?? null,
    hasOtherPriceSource: top.otherPriceSource !== undefined,
    sections: Object.fromEntries(sections.map(([key, section]) => [key, zoneSectionSchema.safeParse(section).data ?? null])),
  };
}

function textProblems({ languages, title, sections }: Parts): string[] {
  if (languages === null) return [];
  const problems = title === null ? [] : languageProblems('title', title, languages);
  for (const { zone, section } of offeredZones(sections)) {
    problems.push(...languageProblems(`zone.${zone.id}.label`, section.label ?? {}, languages));
  }
  return problems;
}

function languageProblems(key: string, texts: Readonly<Record<string, string>>, languages: readonly string[]): string[] {
  const all = languages.join(', ');
  const missing = languages.filter((language) => texts[language] === undefined);
  const foreign = Object.keys(texts).filter((language) => !languages.includes(language));
  return [
    ...missing.map((language) => `${key}.${language} is missing: each of the file's languages ${all} is needed`),
    ...foreign.map((language) => `${key}.${language} is an unknown language, the file's languages are ${all}`),
  ];
}

function priceProblems({ sections, hasOtherPriceSource }: Parts): string[] {
  const problems: string[] = [];
  const offered = offeredZones(sections);
  for (const { zone, section } of offered) {
    const needed = priceCountOf(zone.group);
    if (pricesOf(section).length !== needed) {
      problems.push(
        problem(`zone.${zone.id}.pays`, section.pays, needed === 1 ? 'one price is needed' : `${needed} prices are needed`),
      );
      continue;
    }
    const rtp = returnToPlayer(houseZoneFrom(zone, section));
    if (compareFractions(rtp, fraction(1, 1)) > 0) {
      const share = `${formatFraction(rtp)} of its stakes (${formatPercent(rtp)})`;
      problems.push(problem(`zone.${zone.id}.pays`, section.pays, `returns ${share}, at most 100 % is allowed`));
    }
  }
  if (!hasOtherPriceSource && offered.some(({ section }) => section.isFromDocument === false)) {
    problems.push('otherPriceSource is missing: needed because a zone has isFromDocument = false');
  }
  return problems;
}

function countProblems({ zoneCount, sections }: Parts): string[] {
  const offered = offeredZones(sections).length;
  const isComplete = Object.values(sections).every((section) => section !== null);
  if (zoneCount === null || !isComplete || zoneCount === offered) return [];
  return [problem('zoneCount', zoneCount, `the file offers ${offered} zones`)];
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
