#!/usr/bin/env node
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildNatives } from './natives.mjs';
import { build, checkNode, installNpmPackages, installSystemPackages, SetupProblem, say } from './steps.mjs';

/** What the table runs on: a C++ compiler for the native packages, the OpenCV modules that are used, pseudo-terminals for the simulator. */
const runtimePackages = [
  'g++',
  'make',
  'python3',
  'libopencv-imgcodecs-dev',
  'libopencv-highgui-dev',
  'libopencv-videoio-dev',
  'socat',
];

/** What only the tests need: a browser for the pages, the sqlite3 program that reads the journal as an inspector would, a tracer of system
 *  calls that shows when the journal is synced and makes its disk fail, compiler and simulator of the shaker's controller (`sicbo demo --firmware avr`
 *  needs them too), and a checker of its C code. */
const testPackages = ['chromium', 'sqlite3', 'strace', 'gcc-avr', 'avr-libc', 'libsimavr-dev', 'cppcheck'];

/** Brings a fresh clone to the point where the table can start. Does nothing, quickly, where all is there. */
export async function setUp({ isForTests = false } = {}) {
  const startedMs = performance.now();
  checkNode();
  await installSystemPackages(isForTests ? [...runtimePackages, ...testPackages] : runtimePackages);
  await installNpmPackages();
  await buildNatives();
  await build();
  say(`Ready after ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

/** Runs `main`; a problem that a person can solve is printed as text, anything else with its stack. */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`\n${error instanceof SetupProblem ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runMain(() => setUp({ isForTests: process.argv.includes('--tests') }));
}
