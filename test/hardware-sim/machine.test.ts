import { describe, expect, it } from 'vitest';
import { DiceMachine } from '../../hardware-sim/machine.ts';
import { demoRig } from '../../hardware-sim/rig.ts';
import { VirtualClock } from '../virtual-clock.ts';

const order = { orderNumber: 1, activationNumber: 1, tumbleCount: 3 };
const open = async (): Promise<{ clock: VirtualClock; machine: DiceMachine }> => {
  const clock = new VirtualClock();
  return { clock, machine: await DiceMachine.start(clock, demoRig(), 7) };
};

describe('the simulated machine', () => {
  it('shows the camera the throw that it reports to the firmware', async () => {
    const { clock, machine } = await open();
    const course = await machine.onActivation(order);
    expect(course.tumbles).toHaveLength(3);

    await clock.advance((course.tumbles[0]?.atMs ?? 0) + 80);
    expect(machine.truth().class).toBe('motion');
    expect(machine.exposure()).toHaveLength(3);

    await clock.advance((course.settledAtMs ?? 0) + 100);
    expect(machine.truth().isValid).toBe(true);
    expect(machine.exposure()).toBeNull();
    expect(machine.scene()).toBe(machine.scene());
  });

  it('throws again from where the dice lie, and repeats itself for the same seed', async () => {
    const play = async (): Promise<readonly number[][]> => {
      const { clock, machine } = await open();
      const seen: number[][] = [];
      for (let round = 0; round < 5; round += 1) {
        await machine.onActivation(order);
        await clock.advance(8_000);
        seen.push(machine.truth().dice.map((die) => die.value));
      }
      return seen;
    };
    const rounds = await play();

    expect(await play()).toEqual(rounds);
    expect(new Set(rounds.map(String)).size).toBeGreaterThan(2);
  });

  it('ends the next throw in the scene that was asked for, once', async () => {
    const { clock, machine } = await open();
    machine.queue({ kind: 'ends-as', scene: 'stacked' }, { kind: 'ends-as', scene: 'coin' });
    const seen: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await machine.onActivation(order);
      await clock.advance(8_000);
      seen.push(machine.truth().class);
    }

    expect(seen.slice(0, 2)).toEqual(['stacked', 'foreign']);
    expect(['flat', 'touching']).toContain(seen[2]);
  });

  it('tumbles fewer times, or never settles, when told to', async () => {
    const { clock, machine } = await open();
    machine.queue({ kind: 'tumbles', tumbleCount: 2 }, { kind: 'never-settles' });
    const short = await machine.onActivation(order);
    await clock.advance(8_000);
    const endless = await machine.onActivation(order);
    await clock.advance(60_000);

    expect(short.tumbles).toHaveLength(2);
    expect(endless.settledAtMs).toBeNull();
    expect(machine.truth().class).toBe('motion');
  });

  it('fits nine tumbles into the longest time that the motor may run', async () => {
    const { machine } = await open();
    const course = await machine.onActivation({ ...order, tumbleCount: 9 });

    expect(course.tumbles).toHaveLength(9);
    expect(course.tumbles.at(-1)?.atMs).toBeLessThan(5_000);
  });

  it('hides the dice under the cover', async () => {
    const { machine } = await open();
    machine.moveCover('closed');
    expect(machine.view()).toMatchObject({ dice: [], objects: [{ kind: 'cover' }] });

    machine.moveCover('open');
    expect(machine.view().dice).toHaveLength(3);
  });
});
