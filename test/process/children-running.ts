import { readdirSync, readFileSync } from 'node:fs';

/** Ids of this process's own children whose command line holds `word`. Linux only. */
export function childrenRunning(word: string): readonly number[] {
  return readdirSync(`/proc/${process.pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((pid) => pid !== '')
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        // Gone meanwhile.
        return false;
      }
    });
}
