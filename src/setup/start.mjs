#!/usr/bin/env node
// `npm start`: sets up what is missing, then runs the demo. `npm start -- --house macau` passes options on; `npm start -- --help` lists them.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runMain, setUp } from './setup.mjs';
import { root } from './steps.mjs';

await runMain(async () => {
  await setUp();
  const cli = join(root, 'dist/src/cli/sicbo.js');
  process.argv = [process.argv[0], cli, 'demo', ...process.argv.slice(2)];
  await import(pathToFileURL(cli).href);
});
