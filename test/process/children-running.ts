import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the children of a process, this one by default, whose command line holds `word`. Linux only. */
export function childrenRunning(word: string, parentPid: number = process.pid): readonly number[] {
  return readdirSync(`/proc/${parentPid}/task`)
    .flatMap((task) => readFileSync(`/proc/${parentPid}/task/${task}/children`, 'utf8').trim().split(' '))
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
