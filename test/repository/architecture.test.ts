import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const sourceFolders = ['src', 'firmware-protocol', 'calibration', 'hardware-sim', 'test'];

/** Which folders a folder may import from, besides itself. The picture in src/ARCHITECTURE.md draws the same arrows. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  'src/core': [],
  'src/errors.ts': [],
  'src/product-root.ts': [],
  'src/product-version.ts': ['src/product-root.ts'],
  'src/ports': ['src/core'],
  'firmware-protocol': [],
  'src/devices': ['src/core', 'src/ports', 'src/errors.ts', 'firmware-protocol'],
  'src/vision': ['src/core', 'src/ports', 'src/errors.ts', 'src/product-root.ts', 'calibration'],
  calibration: ['src/core', 'src/ports', 'src/errors.ts', 'src/vision', 'src/product-root.ts'],
  'src/journal': ['src/core', 'src/ports', 'src/errors.ts'],
  'src/config': ['src/core', 'src/errors.ts', 'src/product-root.ts'],
  'src/runtime': ['src/core', 'src/ports', 'src/errors.ts'],
  'src/api': ['src/core', 'src/ports', 'src/errors.ts', 'src/product-root.ts'],
  'src/web': ['src/api/views.ts'],
  'src/doctor': [
    'src/core',
    'src/ports',
    'src/errors.ts',
    'src/config/table-config.ts',
    'src/journal',
    'src/devices',
    'src/vision/jpeg-header.ts',
    'src/api/views.ts',
    'calibration/profile.ts',
  ],
  'src/build-table.ts': [
    'src/core',
    'src/ports',
    'src/errors.ts',
    'src/config',
    'src/runtime',
    'src/api',
    'src/journal',
    'src/vision',
    'src/devices',
    'src/product-root.ts',
  ],
  'src/main.ts': [
    'src/build-table.ts',
    'src/product-version.ts',
    'src/config',
    'src/devices',
    'src/vision',
    'src/journal',
    'src/ports',
    'src/errors.ts',
    'src/core',
  ],
  'src/cli': ['src', 'calibration'],
  'hardware-sim': [
    'src/core',
    'src/ports',
    'src/errors.ts',
    'src/product-root.ts',
    'src/product-version.ts',
    'src/api/views.ts',
    'firmware-protocol',
    'calibration',
    'src/journal',
    'src/devices',
  ],
  test: ['src', 'firmware-protocol', 'calibration', 'hardware-sim'],
};

/** The demo is the one place of the product that starts the simulator, as separate processes. */
const exceptions: readonly string[] = [
  'src/cli/demo-command.ts -> hardware-sim/run-demo.ts',
  'src/cli/demo-command.ts -> hardware-sim/demo-faults.ts',
];

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (name === 'node_modules' || path === join('test', 'fixtures')) return [];
    return statSync(join(root, path)).isDirectory() ? filesBelow(path) : [path];
  });
}

const sources = sourceFolders.flatMap(filesBelow).filter((path) => /\.(ts|tsx|mjs)$/.test(path));

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

/** The longest key of the table that contains the path. */
function areaOf(path: string): string | undefined {
  return Object.keys(allowedImports)
    .filter((area) => path === area || path.startsWith(`${area}/`))
    .sort((a, b) => b.length - a.length)[0];
}

describe('the repository', () => {
  it('imports only along the arrows of the architecture', () => {
    const wrong: string[] = [];
    for (const path of sources) {
      if (path.startsWith('src/setup/')) continue;
      const area = areaOf(path);
      if (area === undefined) {
        wrong.push(`${path} lies in no area of the table`);
        continue;
      }
      for (const specifier of importsOf(path)) {
        if (!specifier.startsWith('.')) continue;
        const target = relative(root, resolve(root, dirname(path), specifier));
        const isAllowed = [area, ...(allowedImports[area] ?? [])].some((to) => target === to || target.startsWith(`${to}/`));
        if (!isAllowed && !exceptions.includes(`${path} -> ${target}`)) wrong.push(`${path} -> ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('keeps the core synchronous and free of clocks, randomness and the outside', () => {
    const impure =
      /\b(Date\b|Math\.random|async\b|await\b|Promise\b|setTimeout|process\.|console\.|performance\.|globalThis)|from '(?!\.)/;
    const wrong = sources
      .filter((path) => path.startsWith('src/core/'))
      .flatMap((path) =>
        codeLines(path)
          .filter(([, line]) => impure.test(line))
          .map(([number, line]) => `${path}:${number} ${line.trim()}`),
      );
    expect(wrong).toEqual([]);
  });

  it('loads OpenCV in src/vision only', () => {
    const wrong = sources.filter(
      (path) => importsOrRequires(path, 'opencv4nodejs') && !path.startsWith('src/vision/') && !path.startsWith('src/setup/'),
    );
    expect(wrong.filter((path) => path !== 'test/repository/architecture.test.ts')).toEqual([]);
  });

  it('has no production code that knows of the simulator', () => {
    const wrong = sources
      .filter((path) => path.startsWith('src/') && !path.startsWith('src/cli/') && !path.startsWith('src/setup/'))
      .filter((path) => codeLines(path).some(([, line]) => /hardware-sim|isSimulated|simulated\b/.test(line)));
    expect(wrong).toEqual([]);
  });

  it('keeps every file below 400 lines', () => {
    const long = sources
      .map((path) => [path, readFileSync(join(root, path), 'utf8').split('\n').length] as const)
      .filter(([, count]) => count > 400);
    expect(long).toEqual([]);
  });

  it('exports by name, without barrels, and silences neither compiler nor tests', () => {
    const banned = /export default|export \* from|@ts-ignore|@ts-nocheck|\bas any\b|\.(skip|only|todo)\(|setTimeout\(r(esolve)?,/;
    const wrong = sources
      .filter((path) => !/\.config\.ts$/.test(path) && path !== 'test/repository/architecture.test.ts')
      .flatMap((path) =>
        codeLines(path)
          .filter(([, line]) => banned.test(line))
          .map(([number, line]) => `${path}:${number} ${line.trim()}`),
      );
    expect(wrong).toEqual([]);
  });

  it('names files in kebab-case and has no folder for leftovers', () => {
    const wrong = sources.filter(
      (path) =>
        !path.split('/').every((part) => /^[a-z0-9]+([-.][a-z0-9]+)*$/.test(part)) ||
        /\/(utils|helpers|common|managers)\//.test(path),
    );
    expect(wrong).toEqual([]);
  });
});

function codeLines(path: string): (readonly [number, string])[] {
  return readFileSync(join(root, path), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .split('\n')
    .map((line, index) => [index + 1, line.replace(/\/\/.*$/, '')] as const);
}

function importsOrRequires(path: string, name: string): boolean {
  return codeLines(path).some(([, line]) => line.includes(`'${name}'`));
}
