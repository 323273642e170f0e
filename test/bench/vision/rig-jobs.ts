import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchOrder, RigAnswer } from './rig-process.ts';

/** Measures rigs in `jobCount` processes, one rig at a time each, and tells of every finished one.
 *  @throws Error when a process dies; the other processes are then ended. */
export async function measureRigs(
  orders: readonly BenchOrder[],
  jobCount: number,
  onAnswer: (answer: RigAnswer, doneCount: number) => void,
): Promise<readonly RigAnswer[]> {
  const waiting = [...orders];
  const answers = new Map<BenchOrder, RigAnswer>();
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
      answers.set(order, answer);
      onAnswer(answer, answers.size);
    }
    child.disconnect();
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobCount, orders.length) }, job));
  } finally {
    ended.abort();
  }
  return orders.flatMap((order) => answers.get(order) ?? []);
}
