import type { Clock } from '../ports/clock.ts';

/** What `work` gives, or null when it takes longer than `msMax`; the work itself is not stopped. Rejects as `work` does. */
export function atMost<Value>(clock: Clock, msMax: number, work: Promise<Value>): Promise<Value | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(msMax, () => resolve(null));
    work.then(resolve, reject).finally(cancel);
  });
}
