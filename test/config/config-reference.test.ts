import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { configReference } from '../../src/config/config-reference.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { defaultPlay, playSchema } from '../../src/config/play-keys.ts';
import { keyFacts } from '../../src/config/schema-keys.ts';
import { tableSchema } from '../../src/config/table-schema.ts';
import { productRoot } from '../../src/product-root.ts';
import { runCaptured } from '../cli/run-captured.ts';

const folder = join(productRoot, 'src', 'config');

it('is the committed page, and what the command prints (to renew it: sicbo config reference > src/config/README.md)', async () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(page).toBe(configReference());
  expect(await runCaptured('config reference')).toMatchObject({ exitCode: 0, out: page });
});

it('describes every key, and gives every number a unit and two limits', () => {
  let keyCount = 0;
  for (const [section, wrapped] of Object.entries(tableSchema.shape)) {
    for (const [key, schema] of Object.entries(wrapped.unwrap().shape)) {
      const facts = keyFacts(schema);
      expect(facts.description.length, `${section}.${key}`).toBeGreaterThan(10);
      if (facts.allowed.includes('number')) {
        expect(facts.unit, `${section}.${key}`).not.toBeNull();
        expect(facts.allowed, `${section}.${key}`).toMatch(/^whole number \d+ to \d+$/);
      }
      keyCount += 1;
    }
  }
  expect(keyCount).toBeGreaterThan(50);
});

it('has a default within its limits for every play setting', () => {
  expect(playSchema.safeParse(defaultPlay).success).toBe(true);
  expect(Object.keys(playSchema.shape).sort()).toEqual(Object.keys(defaultPlay).sort());
});

it('has no default that its own limits refuse', () => {
  const filled = tableSchema.shape;
  for (const section of [filled.journal, filled.api, filled.log]) {
    expect(z.safeParse(section, z.parse(section, undefined)).success).toBe(true);
  }
});

it('comes with an example that is good', async () => {
  const example = join(folder, 'example.table.toml');
  expect(loadConfig(example)).toMatchObject({
    table: { id: 'table-1', currency: 'EUR' },
    camera: { source: { kind: 'mjpeg', url: 'http://192.168.1.20/stream.mjpg', credentials: null } },
    lamps: { kind: 'gpio', wiring: { registerCount: 14 } },
  });
  expect(await runCaptured(`config check ${example}`)).toMatchObject({
    exitCode: 0,
    out: `${example}: good. Table table-1 (Table 1) plays house live, 110 zones.\n`,
  });
});
