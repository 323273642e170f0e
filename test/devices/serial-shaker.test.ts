import { shakerContract } from '../contracts/shaker-contract.ts';
import { firmwareKinds, shakerBench } from './shaker-bench.ts';

for (const kind of firmwareKinds) {
  const firmware = kind === 'avr' ? 'the compiled firmware in simavr' : 'the firmware model';
  shakerContract(`SerialShaker on a pseudo-terminal with ${firmware}`, async () => {
    const bench = await shakerBench({}, {}, kind);
    const { device, shaker } = bench;
    return {
      shaker,
      until: bench.until,
      limitTumbles: (count) => device.inject({ kind: 'tumbles', countsMax: [count] }),
      befall: (what) => {
        if (what === 'rebooted') device.inject({ kind: 'reboot' });
        else if (what === 'jammed') device.inject({ kind: 'jam' });
        else if (what === 'tamper') device.inject({ kind: 'tamper' });
        else device.inject({ kind: 'lid', state: 'open' });
      },
      pushCover: (state) => device.inject({ kind: 'cover', state }),
      unplug: () => device.unplug(),
      plugIn: () => device.plugIn(),
      motionCount: () => device.firmware.motionCount,
      close: bench.close,
    };
  });
}
