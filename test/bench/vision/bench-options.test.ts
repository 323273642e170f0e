import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchOptions } from './bench-options.ts';

const fixtures = join(import.meta.dirname, '..', '..', 'fixtures', 'vision');

describe('the command line of the vision bench', () => {
  it('measures 3,000 throws of 20 rigs that nothing was tuned with, unless told otherwise', () => {
    const { subject, seeds, pictureCount, rigFolders } = benchOptions([]);

    expect([subject, seeds.length, seeds[0], seeds.at(-1), pictureCount, rigFolders.length]).toEqual([
      'throws',
      20,
      1001,
      1020,
      150,
      0,
    ]);
  });

  it('measures only the folders that are given, each rig of them under a name of its own', () => {
    const { seeds, rigFolders } = benchOptions(['--rigs', fixtures, '--rigs', join(fixtures, 'rig-d')]);

    expect(seeds).toEqual([]);
    expect(rigFolders.map(({ rig }) => rig)).toEqual(['rig-a', 'vision-rig-d', 'rig-d-rig-d']);
  });

  it('makes at least 500 changed pictures and 100 of each lean by default', () => {
    const mutation = benchOptions(['mutation']);
    const tilt = benchOptions(['tilt']);

    expect(mutation.seeds.length * mutation.pictureCount).toBe(504);
    expect(tilt.seeds.length * tilt.pictureCount).toBe(120);
  });

  it.each([
    [['--rigs', '/nowhere'], 'no such folder'],
    [['--rigs', join(fixtures, 'clip-2')], 'no labels.jsonl'],
    [['--photos', '/nowhere'], 'no labels.jsonl'],
    [['--jobs', '0'], 'a whole number from 1 to 64'],
    [['everything'], 'throws, tilt or mutation'],
  ])('refuses %j', (args, text) => {
    expect(() => benchOptions(args)).toThrow(text);
  });
});
