import type { MachineOrder } from './machine-order.ts';

/** Faults that the demo can be told to show, by name: what a person sees, and what the machine is told to do. */
export interface DemoFault {
  readonly name: string;
  readonly summary: string;
  readonly orders: readonly MachineOrder[];
}

const dice = (...faults: Extract<MachineOrder, { to: 'dice' }>['faults']): MachineOrder => ({ to: 'dice', faults });

export const demoFaults: readonly DemoFault[] = [
  { name: 'lean', summary: 'a die leans on another: shaken again', orders: [dice({ kind: 'ends-as', scene: 'leaning-on-die' })] },
  {
    name: 'wall',
    summary: 'a die leans on the rim: shaken again',
    orders: [dice({ kind: 'ends-as', scene: 'leaning-on-wall' })],
  },
  { name: 'stack', summary: 'a die lies on another: shaken again', orders: [dice({ kind: 'ends-as', scene: 'stacked' })] },
  { name: 'missing', summary: 'only two dice in the tray: shaken again', orders: [dice({ kind: 'ends-as', scene: 'two-dice' })] },
  { name: 'outside', summary: 'a die outside on the rim: shaken again', orders: [dice({ kind: 'ends-as', scene: 'on-rim' })] },
  { name: 'chip', summary: 'a chip in the tray: the table holds and calls', orders: [dice({ kind: 'ends-as', scene: 'chip' })] },
  { name: 'hand', summary: 'a hand in the tray: the table holds and calls', orders: [dice({ kind: 'ends-as', scene: 'hand' })] },
  {
    name: 'short',
    summary: 'two tumbles only: shaken again before anybody looks',
    orders: [dice({ kind: 'tumbles', tumbleCount: 2 })],
  },
  { name: 'restless', summary: 'a die never comes to rest: shaken again', orders: [dice({ kind: 'never-settles' })] },
  {
    name: 'jam',
    summary: 'the motor jams in a shake: the round is void',
    orders: [{ to: 'firmware', fault: { kind: 'when', said: 'tumble', fault: { kind: 'jam' } } }],
  },
  {
    name: 'reboot',
    summary: 'the shaker restarts in a shake: the round is void',
    orders: [{ to: 'firmware', fault: { kind: 'when', said: 'tumble', fault: { kind: 'reboot', deafMs: 500 } } }],
  },
  {
    name: 'freeze',
    summary: 'the camera shows the same picture for ever: held, closed',
    orders: [{ to: 'camera', fault: { kind: 'frozen-pixels' } }],
  },
  { name: 'dark', summary: 'the camera sees nothing: held, closed', orders: [{ to: 'camera', fault: { kind: 'black' } }] },
];
