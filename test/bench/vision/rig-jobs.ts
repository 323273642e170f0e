import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { RigMeasure } from './measure-rig.ts';
import type { RigAnswer, RigOrder } from './rig-process.ts';

/** Measures rigs in `jobCount` processes, one rig at a time each, and tells of every finished one.
 *  @throws Error when a set cannot be made or read, or a process dies; the other processes are then ended. */
export async function measureRigs(
  orders: readonly RigOrder[],
  jobCount: number,
  onMeasured: (measure: RigMeasure, doneCount: number) => void,
): Promise<readonly RigMeasure[]> {
  const waiting = [...orders];
  const measures = new Map<RigOrder, RigMeasure>();
  const ended = new AbortController();
  const job = async (): Promise<void> => {
    const child = fork(fileURLToPath(new URL('./rig-process.js', import.meta.url)), [], { signal: ended.signal });
    const died = once(child, 'exit').then(([code]): never => {
      throw new Error(`a bench process ended with code ${code}`);
    });
    died.catch(() => {});
    child.on('error', () => {});
    for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
      child.send(order);
      const [answer] = (await Promise.race([once(child, 'message'), died])) as [RigAnswer];
      if (answer.kind === 'failed') throw new Error(`${answer.rig}: ${answer.problem}`);
      measures.set(order, answer.measure);
      onMeasured(answer.measure, measures.size);
    }
    child.disconnect();
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobCount, orders.length) }, job));
  } finally {
    ended.abort();
  }
  return orders.flatMap((order) => measures.get(order) ?? []);
}
