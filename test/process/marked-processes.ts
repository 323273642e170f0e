import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Processes that were started with `SICBO_TEST_FOLDER=folder` in their environment, children and grandchildren included, that still run after `graceMs` at
 *  the most: `pid command`. Linux only; sees those of the same user. */
export async function markedProcesses(folder: string, graceMs: number): Promise<readonly string[]> {
  const endMs = performance.now() + graceMs;
  for (;;) {
    const found = markedNow(folder);
    if (found.length === 0 || performance.now() > endMs) return found;
    await pause(50);
  }
}

/** Those that run now. */
export function markedNow(folder: string): readonly string[] {
  const mark = `SICBO_TEST_FOLDER=${folder}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)) return [];
        return [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()}`];
      } catch {
        // Gone meanwhile, or another user's.
        return [];
      }
    });
}
