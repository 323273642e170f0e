import { shakerContract } from '../contracts/shaker-contract.ts';
import { shakerBench } from './shaker-bench.ts';

shakerContract('SerialShaker on a pseudo-terminal', async () => {
  const bench = await shakerBench();
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
