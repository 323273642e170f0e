import { measureRig, type RigMeasure, type RigTask } from './measure-rig.ts';
import { type SimulatedSet, simulatedSetFolder } from './simulated-set.ts';

/** A rig to be measured by a child process: a folder, or a simulated set that is made first. */
export type RigOrder = Omit<RigTask, 'folder'> & ({ readonly folder: string } | { readonly simulated: SimulatedSet });

export type RigAnswer =
  | { readonly kind: 'measured'; readonly measure: RigMeasure }
  | { readonly kind: 'failed'; readonly rig: string; readonly problem: string };

/** Takes one order after the other and answers each. Ends when the parent closes the channel. */
process.on('message', async (order: RigOrder) => {
  let answer: RigAnswer;
  try {
    const folder = 'folder' in order ? order.folder : await simulatedSetFolder(order.simulated);
    answer = { kind: 'measured', measure: measureRig({ ...order, folder }) };
  } catch (error) {
    answer = { kind: 'failed', rig: order.rig, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send?.(answer);
});
