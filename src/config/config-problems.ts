import { dirname, relative, resolve } from 'node:path';
import { problem, problemsOf } from './problems.ts';
import { kindDefaults, tableSchema } from './table-schema.ts';

/** A section before its schema. */
type Section = Readonly<Record<string, unknown>>;

/** Keys of a section that one kind of device needs, and those that it may have besides. Keys named for no kind are common to all. */
interface KindKeys {
  readonly needed: readonly string[];
  readonly possible: readonly string[];
}

const keysByKind: Readonly<Record<'camera' | 'lamps', Readonly<Record<string, KindKeys>>>> = {
  camera: {
    mjpeg: { needed: ['url'], possible: ['user', 'passwordFile'] },
    directory: { needed: ['folder'], possible: ['frameIntervalMs'] },
  },
  lamps: {
    none: { needed: [], possible: [] },
    'chain-74hc595': {
      needed: ['chipLabel', 'dataLine', 'clockLine', 'latchLine', 'outputEnableLine'],
      possible: ['registerCount', 'isActiveLow', 'refreshMs', 'zones'],
    },
    direct: { needed: ['chipLabel', 'zones'], possible: ['isActiveLow', 'refreshMs'] },
  },
};

/** Every problem of a `table.toml`, one readable line each, in the file's sections and over several keys. Empty for a file that may be used.
 *  @param data the file as parsed from TOML. @param folder where its relative paths start. */
export function configProblems(data: unknown, folder: string): readonly string[] {
  const parsed = tableSchema.safeParse(data);
  const refused = parsed.success ? [] : problemsOf(parsed.error, tableSchema, data);
  const [camera, lamps, journal] = [sectionOf(data, 'camera'), sectionOf(data, 'lamps'), sectionOf(data, 'journal')];
  return [
    ...refused,
    ...kindProblems('camera', camera),
    ...credentialProblems(camera),
    ...kindProblems('lamps', lamps),
    ...lampPlaceProblems(lamps),
    ...journalProblems(journal, folder),
  ];
}

function kindProblems(name: 'camera' | 'lamps', section: Section): string[] {
  const kinds = keysByKind[name];
  const keys = typeof section.kind === 'string' ? kinds[section.kind] : undefined;
  if (keys === undefined) return [];
  const specific = new Set(Object.values(kinds).flatMap(({ needed, possible }) => [...needed, ...possible]));
  const missing = keys.needed.filter((key) => section[key] === undefined);
  const idle = Object.keys(section).filter(
    (key) => specific.has(key) && !keys.needed.includes(key) && !keys.possible.includes(key),
  );
  return [
    ...missing.map((key) => `${name}.${key} is missing: needed with kind = "${section.kind}"`),
    ...idle.map((key) => problem(`${name}.${key}`, section[key], `not used with kind = "${section.kind}"`)),
  ];
}

function credentialProblems(camera: Section): string[] {
  if (camera.user !== undefined && camera.passwordFile === undefined) return ['camera.passwordFile is missing: needed with user'];
  if (camera.user === undefined && camera.passwordFile !== undefined) return ['camera.user is missing: needed with passwordFile'];
  return [];
}

function lampPlaceProblems(lamps: Section): string[] {
  const lines = ['dataLine', 'clockLine', 'latchLine', 'outputEnableLine'].map((key) => [key, lamps[key]] as const);
  const zones = Object.entries(sectionOf(lamps, 'zones'));
  const problems = [...doubled('lamps', lines), ...doubled('lamps.zones', zones)];
  if (lamps.kind !== 'chain-74hc595') return problems;
  const outputCount = 8 * (typeof lamps.registerCount === 'number' ? lamps.registerCount : kindDefaults.registerCount);
  for (const [zone, place] of zones) {
    if (typeof place === 'number' && place >= outputCount) {
      problems.push(problem(`lamps.zones.${zone}`, place, `the registers have outputs 0 to ${outputCount - 1}`));
    }
  }
  return problems;
}

function doubled(name: string, places: readonly (readonly [string, unknown])[]): string[] {
  const owners = new Map<number, string>();
  const problems: string[] = [];
  for (const [key, place] of places) {
    if (typeof place !== 'number') continue;
    const owner = owners.get(place);
    if (owner !== undefined) problems.push(problem(`${name}.${key}`, place, `already taken by ${name}.${owner}`));
    owners.set(place, key);
  }
  return problems;
}

function journalProblems(journal: Section, folder: string): string[] {
  const { path = 'journal/journal.sqlite', anchorFolder = 'anchor' } = journal;
  if (typeof path !== 'string' || typeof anchorFolder !== 'string') return [];
  const fromJournal = relative(dirname(resolve(folder, path)), resolve(folder, anchorFolder));
  // An anchor beside the journal would be copied back, lost or changed together with it.
  if (fromJournal.startsWith('..')) return [];
  return [problem('journal.anchorFolder', anchorFolder, `must be outside the folder of the journal, ${dirname(path)}`)];
}

/** A section of the file as it was written, empty when it is missing or no section. */
export function sectionOf(data: unknown, key: string): Section {
  if (typeof data !== 'object' || data === null) return {};
  const section: unknown = Reflect.get(data, key);
  return typeof section === 'object' && section !== null ? { ...section } : {};
}
