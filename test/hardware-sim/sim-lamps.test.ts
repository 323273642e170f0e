import { expect, it } from 'vitest';
import { SimLamps } from '../../hardware-sim/sim-lamps.ts';
import { describeLamps, type LampsReport } from '../contracts/lamps-contract.ts';

describeLamps('SimLamps', async () => {
  const lamps = new SimLamps(new Set(['big', 'small', 'total-4']));
  const report = async (): Promise<LampsReport> => {
    const { condition, problems, lit } = lamps.status;
    return { condition, problems, lit: [...lit].sort() };
  };
  return {
    async open() {
      await lamps.open();
      return report();
    },
    show(zones) {
      lamps.show(new Set(zones));
      return report();
    },
    close() {
      lamps.close();
      return report();
    },
    shining: async () => (await report()).lit,
    async dispose() {},
  };
});

it('lists every picture that was shown, the dark at the end included', async () => {
  const lamps = new SimLamps();
  await lamps.open();
  lamps.show(new Set(['small', 'big']));
  lamps.close();
  expect(lamps.shown).toEqual([['big', 'small'], []]);
});

it('goes offline on command and comes back with the picture wanted', async () => {
  const lamps = new SimLamps();
  await lamps.open();
  lamps.fail('the lamp supply is off');
  lamps.show(new Set(['big']));
  expect(lamps.status).toEqual({ condition: 'offline', problems: ['the lamp supply is off'], lit: new Set() });
  lamps.fail(null);
  expect(lamps.status).toEqual({ condition: 'ok', problems: [], lit: new Set(['big']) });
});
