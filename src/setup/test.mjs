#!/usr/bin/env node
// `npm test`: sets up what is missing, checks types and lint, runs every test, and closes with "N passed, N failed".
// `npm test -- test/core` runs one folder.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMain, setUp } from './setup.mjs';
import { root, say } from './steps.mjs';

await runMain(async () => {
  await setUp({ isForTests: true });
  const bin = (name) => join(root, 'node_modules', '.bin', name);
  const run = (title, command, args) => {
    say(`\n${title}`);
    return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
  };
  const areTypesRight = run('Types of the pages', bin('tsc'), ['-p', 'src/web/tsconfig.json', '--noEmit']);
  const isLintClean = run('Lint and format', bin('biome'), ['check', '.']);
  const folder = mkdtempSync(join(tmpdir(), 'sicbo-test-'));
  const report = join(folder, 'report.json');
  const filters = process.argv.slice(2);
  const args = [
    'run',
    '--config',
    'test/vitest.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const areTestsGreen = run('Tests', bin('vitest'), [...args, ...filters]);
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(folder, { recursive: true });
  const failedChecks = [areTypesRight, isLintClean].filter((isGood) => !isGood).length;
  // A test file that does not load fails without a failed test in it.
  const hiddenFailures = !areTestsGreen && counts.numFailedTests === 0 ? 1 : 0;
  const failedCount = counts.numFailedTests + failedChecks + hiddenFailures;
  say(`\n${counts.numPassedTests + 2 - failedChecks} passed, ${failedCount} failed`);
  if (failedCount > 0) process.exitCode = 1;
});
