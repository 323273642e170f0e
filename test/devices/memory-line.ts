import { blankMemory } from '../../hardware-sim/firmware-memory.ts';
import type { OnActivation } from '../../hardware-sim/shaker-physics.ts';
import { SimFirmware } from '../../hardware-sim/sim-firmware.ts';
import { defaultLinkTimings } from '../../src/devices/link-timings.ts';
import { SerialShaker } from '../../src/devices/serial-shaker.ts';
import type { ShakerNotice } from '../../src/ports/shaker.ts';
import { VirtualClock } from '../virtual-clock.ts';

/** A `SerialShaker` and the simulated firmware joined by a line in memory that takes 1 ms, all in virtual time: thousands of shakes in seconds. */
export function memoryLine(onActivation: OnActivation, seed: number) {
  const clock = new VirtualClock();
  let toHost: (bytes: Buffer) => void = () => undefined;
  const firmware = new SimFirmware({
    clock,
    memory: blankMemory(),
    onActivation,
    write: (bytes) => toHost(bytes),
    flood: () => undefined,
    seed,
  });
  const shaker = new SerialShaker({
    path: 'memory',
    deviceId: null,
    clock,
    timings: defaultLinkTimings,
    log: () => undefined,
    openPort: async (path, listener) => {
      let isOpen = true;
      const later = (act: () => void): void => void clock.after(1, () => isOpen && act());
      toHost = (bytes) => later(() => listener.onBytes(bytes));
      return {
        realPath: path,
        isPresent: async () => true,
        write: (bytes, onTaken) =>
          later(() => {
            onTaken();
            firmware.receive(bytes);
          }),
        close: async () => {
          isOpen = false;
        },
      };
    },
  });
  const notices: ShakerNotice[] = [];
  shaker.onNotice((notice) => notices.push(notice));
  return { clock, firmware, shaker, notices };
}
