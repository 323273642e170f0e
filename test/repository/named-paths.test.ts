import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folders from which a document's paths start, tried in turn. */
const documents: readonly { readonly file: string; readonly bases: readonly string[] }[] = [
  { file: 'README.md', bases: ['.'] },
  { file: 'src/ARCHITECTURE.md', bases: ['src', '.'] },
  { file: 'calibration/README.md', bases: ['calibration'] },
  { file: 'hardware-sim/README.md', bases: ['hardware-sim', '.'] },
  { file: 'src/core/round/README.md', bases: ['src/core/round', '.'] },
  { file: 'test/bench/README.md', bases: ['test/bench'] },
];

/** What a build or a start makes; not there in a fresh clone. */
const madeLater = ['dist/', 'dist/web', 'table.toml', 'labels.jsonl'];

/** Texts in backticks that have the form of a path below this repository: with a slash or a known ending, without spaces. */
function namedPaths(text: string): readonly string[] {
  const outsideBlocks = text.replace(/```[\s\S]*?```/g, '');
  const quoted = [...outsideBlocks.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  const linked = [...outsideBlocks.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? '');
  const isPath = (each: string): boolean =>
    /^(\.\.\/)?[a-z][\w.*<>-]*(\/[\w.*<>-]+)*\/?$/i.test(each) && (each.includes('/') || /\.(ts|tsx|mjs|md|txt|py)$/.test(each));
  return [...quoted.filter(isPath), ...linked].filter((path) => !madeLater.includes(path));
}

/** `*` and `<name>` stand for any part of a name. */
function isThere(path: string, bases: readonly string[]): boolean {
  return bases.some((base) => {
    const parts = join(base, path)
      .split('/')
      .filter((part) => part !== '');
    let folders = [root];
    for (const [index, part] of parts.entries()) {
      const pattern = new RegExp(`^${part.replace(/[.+]/g, '\\$&').replace(/\*|<[^>]*>/g, '[^/]+')}$`);
      const isLast = index === parts.length - 1;
      const found = folders.flatMap((folder) =>
        readdirSync(folder, { withFileTypes: true })
          .filter((entry) => pattern.test(entry.name) && (isLast || entry.isDirectory()))
          .map((entry) => join(folder, entry.name)),
      );
      if (found.length === 0) return false;
      folders = found;
    }
    return folders.every((folder) => existsSync(folder));
  });
}

describe('the documents', () => {
  it.each(documents)('name only paths that exist: $file', ({ file, bases }) => {
    const paths = namedPaths(readFileSync(join(root, file), 'utf8'));

    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !isThere(path, bases))).toEqual([]);
  });

  it('list every dependency of package.json in the README', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const readme = readFileSync(join(root, 'README.md'), 'utf8');

    const names = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  it('list every folder below src in the architecture', () => {
    const text = readFileSync(join(root, 'src/ARCHITECTURE.md'), 'utf8');
    const entries = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());

    expect(entries.map(({ name }) => name).filter((name) => !text.includes(`\`${name}/\``))).toEqual([]);
  });

  it('list every command in the README', async () => {
    const { commandList } = await import('../../src/cli/command-list.ts');
    const readme = readFileSync(join(root, 'README.md'), 'utf8');

    expect(
      commandList
        .map(({ name }) => name)
        .filter((name) => !readme.includes(`\`sicbo ${name} `) && !readme.includes(`\`sicbo ${name}\``)),
    ).toEqual([]);
  });
});
