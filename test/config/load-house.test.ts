import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadHouse } from '../../src/config/load-house.ts';
import { InputError } from '../../src/errors.ts';
import { productRoot } from '../../src/product-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'houses-'));
afterAll(() => rmSync(folder, { recursive: true }));

const macau = readFileSync(join(productRoot, 'src/core/rules/houses/macau.toml'), 'utf8').replace('id = "macau"', 'id = "own"');

/** Writes a house file made from macau's with the given replacements, and returns what loading it throws. */
function refusalOf(...changes: (readonly [string, string])[]): InputError {
  let text = macau;
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  writeFileSync(join(folder, 'own.toml'), text);
  try {
    loadHouse('./own.toml', folder);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('the house was taken');
}

it('takes the path of a house file in place of an id', () => {
  writeFileSync(join(folder, 'own.toml'), macau);
  expect(loadHouse('own.toml', folder).id).toBe('own');
  expect(loadHouse(join(folder, 'own.toml')).zones).toHaveLength(50);
});

it('tells two files with the same id apart by the SHA-256 of their bytes', () => {
  writeFileSync(join(folder, 'own.toml'), macau);
  const { sha256 } = loadHouse('own.toml', folder);
  expect(sha256).toBe(createHash('sha256').update(macau).digest('hex'));
  writeFileSync(join(folder, 'own.toml'), macau.replace('pays = "24:1"', 'pays = "25:1"'));
  expect(loadHouse('own.toml', folder)).not.toHaveProperty('sha256', sha256);
});

it('refuses a file of its own that bears the id of a house of the product', () => {
  expect(refusalOf(['id = "own"', 'id = "live"']).problems).toEqual([
    'id = "live": a house of the product has this id; give your own another one',
  ]);
  expect(loadHouse(join(productRoot, 'src/core/rules/houses/live.toml')).id).toBe('live');
});

it('refuses an unknown id and names the houses', () => {
  expect(() => loadHouse('vegas')).toThrow(/unknown house "vegas".*atlantic-city, live, macau, regulation-ru, trainer/);
});

it('refuses a house in which a zone returns more than 100 %', () => {
  const refusal = refusalOf(['pays = "24:1"', 'pays = "36:1"']);

  expect(refusal.code).toBe('house.wrong');
  expect(refusal.problems).toEqual([
    'zone.any-triple.pays = "36:1": returns 37/36 of its stakes (102.78 %), at most 100 % is allowed',
  ]);
});

it('takes a zone that returns exactly 100 %', () => {
  writeFileSync(join(folder, 'own.toml'), macau.replace('pays = "24:1"', 'pays = "35:1"'));
  expect(loadHouse('own.toml', folder).zones).toHaveLength(50);
});

it('names every problem of a file at once, with key, value and limit', () => {
  const refusal = refusalOf(
    ['draw = "thrown"', 'draw = "committed"'],
    ['tumblesMin = 3', 'tumblesMin = 0\nshakes = 4'],
    ['pays = "150:1"', 'pays = "150"'],
    ['[zone.pair]\npays = "5:1"', '[zone.pair]\npays = "7:1"'],
    ['label = { en = "Any Triple" }', 'label = { fr = "Tout Triple" }'],
    ['[zone.total-4]\npays = "50:1"', '[zone.total-4]'],
    ['zoneCount = 50', 'zoneCount = 500'],
  );

  expect(refusal.message).toMatch(/own\.toml has \d+ problems$/);
  expect(refusal.problems.filter((line) => !line.startsWith('zone.pair-'))).toEqual([
    'draw = "committed": allowed: "thrown"',
    'zoneCount = 500: allowed: whole number 1 to 110',
    'play.tumblesMin = 0: allowed: whole number 1 to 9 tumbles',
    expect.stringMatching(/^play\.shakes is an unknown key, known here: orderOfPlay, unreadableThrow, tumblesMin, /),
    'zone.triple.pays = "150": allowed: a price "n:d" with n from 1 to 10000 and d from 1 to 100; a list of three for "single"',
    "zone.any-triple.label.en is missing: each of the file's languages en is needed",
    "zone.any-triple.label.fr is an unknown language, the file's languages are en",
    'zone.total-4.pays is missing: one price is needed',
  ]);
  expect(refusal.problems.filter((line) => line.startsWith('zone.pair-'))).toHaveLength(15);
});

it('refuses a file from which a section was lost', () => {
  const refusal = refusalOf(['[zone.any-triple]\npays = "24:1"\nlabel = { en = "Any Triple" }', '']);

  expect(refusal.problems).toEqual(['zoneCount = 50: the file offers 49 zones']);
});

it('wants three prices for a number and one for the rest', () => {
  const refusal = refusalOf(['pays = ["1:1", "2:1", "3:1"]', 'pays = "1:1"'], ['pays = "24:1"', 'pays = ["24:1", "24:1"]']);

  expect(refusal.problems).toContain('zone.single-1.pays = "1:1": 3 prices are needed');
  expect(refusal.problems).toContain('zone.any-triple.pays = ["24:1","24:1"]: one price is needed');
});

it('lets a zone of its own go before its group', () => {
  const text = macau.replace('[zone.pair]', '[zone.pair-2-5]\npays = "4:1"\nlabel = { en = "Two and five" }\n\n[zone.pair]');
  writeFileSync(join(folder, 'own.toml'), text);
  const pairs = loadHouse('own.toml', folder).zones.filter(({ zone }) => zone.group === 'pair');

  expect(pairs).toHaveLength(15);
  expect(pairs.find(({ zone }) => zone.id === 'pair-2-5')).toMatchObject({
    labels: { en: 'Two and five' },
    prices: [{ n: 4, d: 1 }],
  });
  expect(pairs.find(({ zone }) => zone.id === 'pair-2-6')).toMatchObject({
    labels: { en: 'Pair Match 2-6' },
    prices: [{ n: 5, d: 1 }],
  });
});

it('wants the source of prices that the document does not state', () => {
  const refusal = refusalOf(['pays = "24:1"', 'pays = "24:1"\nisFromDocument = false']);

  expect(refusal.problems).toEqual(['otherPriceSource is missing: needed because a zone has isFromDocument = false']);
});

it('says in which line a file stops being TOML, and which file is missing', () => {
  expect(refusalOf(['id = "own"', 'id = = "own"'])).toMatchObject({
    code: 'house.not-toml',
    message: expect.stringContaining('line 4, column 6'),
  });
  expect(() => loadHouse('./missing.toml', folder)).toThrow(expect.objectContaining({ code: 'house.unreadable' }));
});
