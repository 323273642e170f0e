import { join } from 'node:path';
import { type MutationOutcome, measureMutations } from './measure-mutations.ts';
import { measurePhotos, type PhotoOutcome } from './measure-photos.ts';
import { measureRig, type RigMeasure, type RigTask } from './measure-rig.ts';
import { type SimulatedSet, simulatedSetFolder } from './simulated-set.ts';

/** A rig to be measured by a child process: a folder, or a simulated set that is made first.
 *  `mutationCount`: how many changed pictures to make of it; without it, its own pictures are read. */
export type RigOrder = Omit<RigTask, 'folder'> & { readonly mutationCount?: number } & (
    | { readonly folder: string }
    | { readonly simulated: SimulatedSet }
  );

/** Photographs to be read without calibration. */
export interface PhotoOrder {
  readonly rig: string;
  readonly photoFolder: string;
  readonly outFolder: string;
}

export type BenchOrder = RigOrder | PhotoOrder;

export type RigAnswer =
  | { readonly kind: 'measured'; readonly measure: RigMeasure }
  | { readonly kind: 'mutated'; readonly rig: string; readonly outcomes: readonly MutationOutcome[] }
  | { readonly kind: 'photographed'; readonly rig: string; readonly photos: readonly PhotoOutcome[] }
  | { readonly kind: 'failed'; readonly rig: string; readonly problem: string };

/** Takes one order after the other and answers each. Ends when the parent closes the channel. */
process.on('message', async (order: BenchOrder) => {
  let answer: RigAnswer;
  try {
    answer = await answerTo(order);
  } catch (error) {
    answer = { kind: 'failed', rig: order.rig, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send?.(answer);
});

async function answerTo(order: BenchOrder): Promise<RigAnswer> {
  if ('photoFolder' in order) {
    return { kind: 'photographed', rig: order.rig, photos: measurePhotos(order.photoFolder, join(order.outFolder, order.rig)) };
  }
  const folder = 'folder' in order ? order.folder : await simulatedSetFolder(order.simulated);
  const task: RigTask = { source: order.source, rig: order.rig, folder, outFolder: order.outFolder };
  if (order.mutationCount === undefined) return { kind: 'measured', measure: measureRig(task) };
  return { kind: 'mutated', rig: order.rig, outcomes: await measureMutations(task, order.mutationCount) };
}
