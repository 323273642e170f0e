import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BenchOrder, RigAnswer } from './rig-process.ts';

/** A rig that could be worked through. */
export type DoneRig = Exclude<RigAnswer, { readonly kind: 'failed' }>;

/** Measures rigs in `jobCount` processes, one rig at a time each, and tells of every finished one.
 *  @throws Error when a set cannot be made or read, or a process dies; the other processes are then ended. */
export async function measureRigs(
  orders: readonly BenchOrder[],
  jobCount: number,
  onAnswer: (answer: DoneRig, doneCount: number) => void,
): Promise<readonly DoneRig[]> {
  const waiting = [...orders];
  const answers = new Map<BenchOrder, DoneRig>();
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
