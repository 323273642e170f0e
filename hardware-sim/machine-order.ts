import { z } from 'zod';
import type { CameraFault } from './camera-faults.ts';
import { firmwareFault } from './firmware-faults.ts';
import type { ThrowFault } from './machine.ts';

/** Only the simulator's own programs give these; the kind is checked, the rest is taken at its word. */
const ofKind = <T extends { readonly kind: string }>() =>
  z.custom<T>((value) => typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string');

/** What can be told to the running machine, one JSON line each on its standard input. `camera` with null ends the fault. */
export const machineOrder = z.discriminatedUnion('to', [
  z.strictObject({ to: z.literal('firmware'), fault: firmwareFault }),
  z.strictObject({ to: z.literal('camera'), fault: ofKind<CameraFault>().nullable() }),
  z.strictObject({ to: z.literal('dice'), faults: z.array(ofKind<ThrowFault>()).max(100) }),
]);
export type MachineOrder = z.input<typeof machineOrder>;

/** One line on the machine's standard output: it is there, its motor runs, or an order was not understood. */
export type MachineWord =
  | { readonly kind: 'ready'; readonly link: string; readonly cameraUrl: string }
  | { readonly kind: 'shaking'; readonly orderNumber: number; readonly activationNumber: number }
  | { readonly kind: 'refused'; readonly detail: string };
