import { dirname, resolve } from 'node:path';
import type { House } from '../core/rules/house.ts';
import { allZones } from '../core/rules/zones.ts';
import { InputError } from '../errors.ts';
import { configProblems, sectionOf } from './config-problems.ts';
import { loadHouse } from './load-house.ts';
import { defaultPlay } from './play-keys.ts';
import { problem } from './problems.ts';
import type { CameraSource, LampsConfig, TableConfig } from './table-config.ts';
import { kindDefaults, type TableFile, tableSchema } from './table-schema.ts';
import { readTomlFile } from './toml-file.ts';

/** Reads and checks a `table.toml` and the house it names. Looks at no device and writes nothing.
 *  @throws InputError `config.unreadable`, `config.not-toml`, `config.wrong` with every problem found; `house.*` when only the house is wrong. */
export function loadConfig(path: string): TableConfig {
  const absolute = resolve(path);
  const folder = dirname(absolute);
  const { data, sha256 } = readTomlFile(absolute, 'config');
  const problems = [...configProblems(data, folder)];
  const house = houseOf(data, folder, problems);
  const parsed = tableSchema.safeParse(data);
  if (parsed.success && house !== null) {
    problems.push(...lampCountProblems(parsed.data, house));
    if (problems.length === 0) return configFrom(parsed.data, house, { path: absolute, sha256, folder });
  }
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  throw new InputError('config.wrong', `configuration ${absolute} has ${count}`, problems);
}

/** Loads the house that the file names. A wrong house is thrown as it is when nothing else is wrong, else it joins the other problems. */
function houseOf(data: unknown, folder: string, problems: string[]): House | null {
  const table = sectionOf(data, 'table');
  if (typeof table.house !== 'string') return null;
  const name = table.house;
  try {
    return loadHouse(name, folder);
  } catch (error) {
    if (!(error instanceof InputError) || problems.length === 0) throw error;
    problems.push(problem('table.house', name, error.message), ...error.problems);
    return null;
  }
}

/** A chain without a map of its own must reach every zone of the house. */
function lampCountProblems({ lamps }: TableFile, house: House): string[] {
  if (lamps.kind !== 'chain-74hc595' || lamps.zones !== undefined) return [];
  const registerCount = lamps.registerCount ?? kindDefaults.registerCount;
  const needed = Math.max(...chainPlaces(house).values());
  if (needed < 8 * registerCount) return [];
  return [problem('lamps.registerCount', registerCount, `house ${house.id} needs outputs 0 to ${needed}`)];
}

/** The place of each zone of the house in the list of all zones: the same output for a zone in every house, so that a change of house never
 *  lights another zone's lamp. */
function chainPlaces(house: House): ReadonlyMap<string, number> {
  const offered = new Set(house.zones.map(({ zone }) => zone.id));
  return new Map(allZones.flatMap((zone, index) => (offered.has(zone.id) ? [[zone.id, index] as const] : [])));
}

/** Only for a file without `configProblems`: the fallbacks for keys that a kind needs are never reached. */
function configFrom(file: TableFile, house: House, from: { path: string; sha256: string; folder: string }): TableConfig {
  const absolute = (path: string) => resolve(from.folder, path);
  const { shaker, camera, journal } = file;
  return {
    path: from.path,
    sha256: from.sha256,
    table: { id: file.table.id, name: file.table.name, currency: file.table.currency ?? house.currency },
    house,
    play: { ...defaultPlay, ...house.play, ...file.play },
    shaker: { ...shaker, path: absolute(shaker.path), deviceId: shaker.deviceId ?? null },
    camera: {
      source: cameraSource(camera, absolute),
      silenceMsMax: camera.silenceMsMax,
      calibrationFile: absolute(camera.calibrationFile),
    },
    lamps: lampsFrom(file.lamps, house),
    journal: {
      ...journal,
      path: absolute(journal.path),
      anchorFolder: absolute(journal.anchorFolder),
      evidenceFolder: absolute(journal.evidenceFolder),
    },
    api: file.api,
    log: file.log,
  };
}

function cameraSource(camera: TableFile['camera'], absolute: (path: string) => string): CameraSource {
  const { kind, url = '', user, passwordFile, folder = '', frameIntervalMs } = { ...kindDefaults, ...camera };
  if (kind === 'directory') return { kind, folder: absolute(folder), frameIntervalMs };
  const credentials = user === undefined || passwordFile === undefined ? null : { user, passwordFile: absolute(passwordFile) };
  return { kind, url, credentials };
}

function lampsFrom(lamps: TableFile['lamps'], house: House): LampsConfig {
  if (lamps.kind === 'none') return { kind: 'none' };
  const { chipLabel = '', isActiveLow, refreshMs, registerCount } = { ...kindDefaults, ...lamps };
  const own = Object.entries(lamps.zones ?? {}).flatMap(([zone, place]) => (place === undefined ? [] : [[zone, place] as const]));
  if (lamps.kind === 'direct') {
    return { kind: 'gpio', chipLabel, isActiveLow, refreshMs, wiring: { kind: 'direct', zones: new Map(own) } };
  }
  const { dataLine = 0, clockLine = 0, latchLine = 0, outputEnableLine = 0 } = lamps;
  const lines = { data: dataLine, clock: clockLine, latch: latchLine, outputEnable: outputEnableLine };
  const zones = lamps.zones === undefined ? chainPlaces(house) : new Map(own);
  return { kind: 'gpio', chipLabel, isActiveLow, refreshMs, wiring: { kind: 'chain', lines, registerCount, zones } };
}
