import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { InputError } from '../../src/errors.ts';
import { productRoot } from '../../src/product-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'table-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'table.toml');

const small = `
[table]
id = "t1"
name = "Table one"
house = "macau"
[shaker]
path = "/dev/shaker"
[camera]
kind = "directory"
folder = "pictures"
[lamps]
kind = "none"
`;

const chain = `kind = "chain-74hc595"
chipLabel = "pinctrl"
dataLine = 1
clockLine = 2
latchLine = 3
outputEnableLine = 4
`;

function load(text: string) {
  writeFileSync(file, text);
  return loadConfig(file);
}

function refusalOf(text: string): InputError {
  try {
    load(text);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('the configuration was taken');
}

describe('a configuration', () => {
  it('with the keys that are needed has the documented default of every other, and absolute paths', () => {
    const config = load(small);

    expect(config).toMatchObject({
      path: file,
      sha256: createHash('sha256').update(small).digest('hex'),
      table: { id: 't1', name: 'Table one', currency: 'HKD' },
      shaker: { path: '/dev/shaker', replyMsMax: 500, heartbeatMs: 1_000, deviceId: null },
      camera: {
        source: { kind: 'directory', folder: join(folder, 'pictures'), frameIntervalMs: 100 },
        silenceMsMax: 1_000,
        calibrationFile: join(folder, 'calibration.json'),
      },
      lamps: { kind: 'none' },
      journal: {
        path: join(folder, 'journal/journal.sqlite'),
        anchorFolder: join(folder, 'anchor'),
        evidenceFolder: join(folder, 'evidence'),
        evidenceMbMax: 20_000,
        diskFreeMbMin: 500,
      },
      api: { host: '127.0.0.1', port: 8_080, displayLanguage: 'en', listenersMax: 2_000, heartbeatMs: 5_000 },
      log: { level: 'info' },
    });
    expect(config.house.id).toBe('macau');
  });

  it('plays by the file, then by the house, then by the defaults', () => {
    const { play } = load(`${small}[play]\nbettingMs = 12_000\ntumblesMin = 4\n`);

    expect(play).toEqual({
      orderOfPlay: 'bets-first',
      unreadableThrow: 'reshake',
      tumblesMin: 4,
      shakeActivations: 1,
      reshakeActivations: 3,
      shakesMax: 5,
      readAttemptsMax: 3,
      bettingMs: 12_000,
      noMoreBetsMs: 2_000,
      shakeMsMax: 60_000,
      settleMs: 1_000,
      settleMsMax: 5_000,
      readMsMax: 5_000,
      reviewMs: 5_000,
      nextRoundMs: 3_000,
      isUnattended: true,
      roundsPerHourMax: 50,
    });
    expect(load(`${small}[play]\nreshakeActivations = 1\n`).play.reshakeActivations).toBe(1);
    expect(load(small.replace('macau', 'live')).play.reshakeActivations).toBe(1);
  });

  it('finds a house file of its own beside it', () => {
    const own = readFileSync(join(productRoot, 'src/core/rules/houses/trainer.toml'), 'utf8');
    writeFileSync(join(folder, 'own-house.toml'), own.replace('id = "trainer"', 'id = "own"'));

    expect(load(small.replace('"macau"', '"own-house.toml"')).house.id).toBe('own');
  });

  it('lights a zone on the same output of the chain in every house', () => {
    const outputs = (house: string) => {
      const { lamps } = load(small.replace('kind = "none"', chain).replace('macau', house));
      return lamps.kind === 'gpio' ? lamps.wiring.zones : new Map<string, number>();
    };

    expect(outputs('live').size).toBe(110);
    expect(outputs('macau').size).toBe(50);
    for (const [zone, output] of outputs('macau')) expect(outputs('live').get(zone), zone).toBe(output);
    expect([...outputs('live').values()]).toEqual(Array.from({ length: 110 }, (_, index) => index));
  });

  it('wires lamps as its map says', () => {
    const direct = load(
      small.replace(
        'kind = "none"',
        'kind = "direct"\nchipLabel = "pinctrl"\nisActiveLow = true\nzones = { small = 5, big = 6 }',
      ),
    );
    expect(direct.lamps).toEqual({
      kind: 'gpio',
      chipLabel: 'pinctrl',
      isActiveLow: true,
      refreshMs: 500,
      wiring: {
        kind: 'direct',
        zones: new Map([
          ['small', 5],
          ['big', 6],
        ]),
      },
    });
    const chained = load(small.replace('kind = "none"', `${chain}registerCount = 2\n[lamps.zones]\nsmall = 15\n`));
    expect(chained.lamps).toEqual({
      kind: 'gpio',
      chipLabel: 'pinctrl',
      isActiveLow: false,
      refreshMs: 500,
      wiring: {
        kind: 'chain',
        lines: { data: 1, clock: 2, latch: 3, outputEnable: 4 },
        registerCount: 2,
        zones: new Map([['small', 15]]),
      },
    });
  });

  it('takes a camera that asks for a name and a password', () => {
    const camera = 'kind = "mjpeg"\nurl = "http://cam/stream"\nuser = "table"\npasswordFile = "secret"';
    expect(load(small.replace('kind = "directory"\nfolder = "pictures"', camera)).camera.source).toEqual({
      kind: 'mjpeg',
      url: 'http://cam/stream',
      credentials: { user: 'table', passwordFile: join(folder, 'secret') },
    });
  });
});

describe('a wrong configuration', () => {
  it('is refused with every problem at once, each with key, value and limit', () => {
    const refusal = refusalOf(`
[table]
id = "Table 1"
house = "vegas"
[play]
tumblesMin = 10
bettingMs = "long"
reviewMs = 1.5
countdownMs = 3
[shaker]
[camera]
kind = "mjpeg"
folder = "pictures"
user = "table"
[lamps]
kind = "chain-74hc595"
chipLabel = "pinctrl"
dataLine = 1
clockLine = 1
latchLine = 3
registerCount = 1
zones = { small = 8, big = 7, odd = 7, huge = 1 }
[journal]
anchorFolder = "journal/anchor"
[api]
port = 70_000
displayLanguage = "de"
[lgo]
level = "info"
`);

    expect(refusal.code).toBe('config.wrong');
    expect(refusal.message).toBe(`configuration ${file} has 20 problems`);
    expect(refusal.problems).toEqual([
      'table.id = "Table 1": allowed: lower-case letters, digits, dashes; at most 32',
      'table.name is missing: allowed: text of 1 to 200 characters',
      'play.tumblesMin = 10: allowed: whole number 1 to 9 tumbles',
      'play.bettingMs = "long": allowed: whole number 100 to 600000 ms',
      'play.reviewMs = 1.5: allowed: whole number 0 to 60000 ms',
      expect.stringMatching(/^play\.countdownMs is an unknown key, known here: orderOfPlay, .*bettingMs/),
      'shaker.path is missing: allowed: path; a relative one starts at the folder of this file',
      expect.stringMatching(/^lamps\.zones\.huge is an unknown key, known here: small, big, /),
      'api.port = 70000: allowed: whole number 0 to 65535 port',
      'api.displayLanguage = "de": allowed: "en", "ru", "ja", "fr", "tr"',
      'lgo is an unknown key, known here: table, play, shaker, camera, lamps, journal, api, log',
      'camera.url is missing: needed with kind = "mjpeg"',
      'camera.folder = "pictures": not used with kind = "mjpeg"',
      'camera.passwordFile is missing: needed with user',
      'lamps.outputEnableLine is missing: needed with kind = "chain-74hc595"',
      'lamps.clockLine = 1: already taken by lamps.dataLine',
      'lamps.zones.odd = 7: already taken by lamps.zones.big',
      'lamps.zones.small = 8: the registers have outputs 0 to 7',
      'journal.anchorFolder = "journal/anchor": must be outside the folder of the journal, journal',
      'table.house = "vegas": unknown house "vegas"; the houses are atlantic-city, live, macau, regulation-ru, trainer, or give the path of a house file',
    ]);
  });

  it('that is empty names every key that is needed', () => {
    expect(refusalOf('').problems.map((line) => line.split(' is missing')[0])).toEqual([
      'table.id',
      'table.name',
      'table.house',
      'shaker.path',
      'camera.kind',
      'lamps.kind',
    ]);
  });

  it('with too few registers for the house says how many outputs it needs', () => {
    const chained = small.replace('kind = "none"', `${chain}registerCount = 6\n`);
    expect(refusalOf(chained).problems).toEqual(['lamps.registerCount = 6: house macau needs outputs 0 to 51']);
    expect(load(chained.replace('= 6', '= 7')).lamps.kind).toBe('gpio');
  });

  it('keys that its kind does not read are problems', () => {
    expect(refusalOf(small.replace('kind = "none"', 'kind = "none"\nchipLabel = "pinctrl"')).problems).toEqual([
      'lamps.chipLabel = "pinctrl": not used with kind = "none"',
    ]);
    expect(refusalOf(small.replace('"pictures"', '"pictures"\nurl = "http://cam/"')).problems).toEqual([
      'camera.url = "http://cam/": not used with kind = "directory"',
    ]);
  });

  it('whose house alone is wrong is refused with the problems of the house', () => {
    const own = readFileSync(join(productRoot, 'src/core/rules/houses/trainer.toml'), 'utf8');
    writeFileSync(
      join(folder, 'own-house.toml'),
      own.replace('id = "trainer"', 'id = "own"').replace('pays = "6:1"\nlabel', 'pays = "7:1"\nlabel'),
    );
    const refusal = refusalOf(small.replace('"macau"', '"own-house.toml"'));

    expect(refusal.code).toBe('house.wrong');
    expect(refusal.problems).toHaveLength(15);
  });

  it('that is missing or no TOML says so', () => {
    expect(() => loadConfig(join(folder, 'nowhere.toml'))).toThrow(expect.objectContaining({ code: 'config.unreadable' }));
    expect(refusalOf('[table\n')).toMatchObject({ code: 'config.not-toml', message: expect.stringContaining('line 1') });
  });
});
